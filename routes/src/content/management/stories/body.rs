//! The body of a story's creation and update: `{"story": {…}, "publish"?: 1}`.
//!
//! Unknown members are ignored, because scripts send back the whole object that they have read; known members
//! must be valid. `null` clears a member that can be cleared.

use crate::{
    content::management::{warnings::Warning, write_parameters::WriteParameters},
    web::{ApiRequest, body::STORY_LIMIT},
};
use domain::{
    content::language,
    shared::{
        Fault, FieldCode, PresetId, StoryId,
        json::{self, switch},
        timestamp,
    },
};
use jiff::{Timestamp, civil};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Value, value::RawValue};
use services::content::stories::{Patch, PresetChoice, TranslationOf, TranslationPatch};
use std::sync::Arc;
use uuid::Uuid;

/// The largest position, either way, so that counting on from there does not overflow.
const MAX_POSITION: u32 = 1_000_000_000;

/// The longest path of a website, in characters.
const MAX_PATH: usize = 2000;
/// The longest name of a component.
const MAX_COMPONENT: usize = 255;

/// A body and its query, checked.
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the wire")]
pub(super) struct StoryRequest {
    pub(super) patch: Patch,
    pub(super) publish: bool,
    /// The languages that are published; empty for all.
    pub(super) languages: Vec<String>,
    pub(super) preset: PresetChoice,
    /// Whether the answer says what is wrong with the story.
    pub(super) validates: bool,
    /// Whether only the draft is written, as an editor types it.
    pub(super) autosave: bool,
    /// Whether a draft that no version holds becomes one first, also when the caller wrote it.
    pub(super) keep: bool,
    pub(super) without_effect: WithoutEffect,
}

/// What was sent and does nothing.
pub(super) struct WithoutEffect {
    always: Vec<Warning>,
    /// Members that do nothing on a folder, which is not published.
    on_folders: Vec<Warning>,
}

impl WithoutEffect {
    fn of(body: &StoryBody, parameters: &WriteParameters) -> Result<Self, Fault> {
        let mut always = Vec::new();
        if body.base_version_id.as_ref().is_some_and(|version| !version.is_null()) {
            always.push(Warning::not_supported("base_version_id"));
        }
        if parameters.switch("strict_mode")?.unwrap_or(false) {
            always.push(Warning::not_supported("strict_mode"));
        }
        if parameters.text("ai_translate_language").is_some() {
            always.push(Warning::not_supported("ai_translate_language"));
        }
        let on_folders = [("publish_at", &body.publish_at), ("expire_at", &body.expire_at)]
            .into_iter()
            .filter(|(_, at)| at.as_ref().is_some_and(|at| at.as_ref().is_some_and(|at| !at.trim().is_empty())))
            .map(|(field, _)| Warning::not_supported(field))
            .collect();
        Ok(Self { always, on_folders })
    }

    /// The warnings of a story or a folder.
    pub(super) fn warnings(self, is_folder: bool) -> Vec<Warning> {
        let Self { mut always, on_folders } = self;
        if is_folder {
            always.extend(on_folders);
        }
        always
    }
}

#[derive(Deserialize)]
struct StoryBody {
    name: Option<String>,
    slug: Option<String>,
    #[serde(default, deserialize_with = "json::present")]
    parent_id: Option<Option<i64>>,
    content: Option<Value>,
    is_folder: Option<bool>,
    is_startpage: Option<bool>,
    #[serde(default, deserialize_with = "tags")]
    tag_list: Option<Vec<String>>,
    position: Option<i32>,
    #[serde(default, deserialize_with = "json::present")]
    path: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    default_root: Option<Option<String>>,
    disable_fe_editor: Option<bool>,
    /// Storyblok's misspelling; its clients write either.
    disble_fe_editor: Option<bool>,
    pinned: Option<bool>,
    #[serde(default, deserialize_with = "json::present")]
    sort_by_date: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    meta_data: Option<Option<Box<RawValue>>>,
    group_id: Option<Uuid>,
    #[serde(default, deserialize_with = "json::present")]
    first_published_at: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    publish_at: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    expire_at: Option<Option<String>>,
    translated_slugs_attributes: Option<Vec<TranslationBody>>,
    /// The version that an edit began with, which Storyblok compares when several people edit.
    base_version_id: Option<Value>,
}

#[derive(Deserialize)]
struct TranslationBody {
    id: Option<i64>,
    lang: Option<String>,
    #[serde(default, deserialize_with = "json::present")]
    slug: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    name: Option<Option<String>>,
    #[serde(default, rename = "_destroy")]
    destroy: Value,
}

/// Tags come as a list or as one text with commas; numbers among them are their digits.
fn tags<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    let text = |value: Value| match value {
        Value::String(text) => Ok(text),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        _ => Err(D::Error::custom("must be a list of texts, or one text with commas")),
    };
    Ok(match Value::deserialize(from)? {
        Value::Null => None,
        Value::Array(items) => Some(items.into_iter().map(text).collect::<Result<_, _>>()?),
        one => Some(text(one)?.split(',').map(str::to_owned).collect()),
    })
}

/// The parameters of a creation and of an update.
const PARAMETERS: [&str; 6] = ["publish", "force_update", "lang[]", "release_id", "disable_fe_editor", "validate"];
/// What a creation knows beside them.
const OF_CREATION: [&str; 2] = ["preset_id", "use_default_preset"];
/// What an update knows beside them, features among them that are not here.
const OF_UPDATE: [&str; 4] = ["ai_translate_language", "strict_mode", "autosave", "keep"];

/// Reads body and query of a creation.
pub(super) async fn read_creation(request: &mut ApiRequest) -> Result<StoryRequest, Fault> {
    read_knowing(request, &[&PARAMETERS[..], &OF_CREATION].concat()).await
}

/// Reads body and query of an update.
pub(super) async fn read_update(request: &mut ApiRequest) -> Result<StoryRequest, Fault> {
    read_knowing(request, &[&PARAMETERS[..], &OF_UPDATE].concat()).await
}

async fn read_knowing(request: &mut ApiRequest, known: &[&str]) -> Result<StoryRequest, Fault> {
    let (story, parameters) = WriteParameters::read_maybe_empty::<StoryBody>(request, "story", known, STORY_LIMIT).await?;
    parameters.no_release()?;
    // No story is ever locked here, so there is nothing that `force_update` would have to overcome.
    parameters.switch("force_update")?;
    let without_effect = WithoutEffect::of(&story, &parameters)?;
    let mut patch = patch(story)?;
    patch.disable_fe_editor = patch.disable_fe_editor.or(parameters.switch("disable_fe_editor")?);
    let (languages, publish) = (parameters.languages()?, parameters.either("publish")?);
    let is_creation = known.contains(&"preset_id");
    let preset = if is_creation { preset(&parameters)? } else { PresetChoice::Nothing };
    let validates = parameters.either("validate")?;
    let (autosave, keep) = (!is_creation && parameters.either("autosave")?, !is_creation && parameters.either("keep")?);
    if autosave && publish {
        return Err(Fault::invalid("publish", FieldCode::Excluded, "excludes autosave; save the story to publish it"));
    }
    Ok(StoryRequest { patch, publish, languages, preset, validates, autosave, keep, without_effect })
}

fn preset(parameters: &WriteParameters) -> Result<PresetChoice, Fault> {
    let uses_default = parameters.switch("use_default_preset")?.unwrap_or(false);
    Ok(match parameters.number("preset_id")? {
        Some(id) => PresetChoice::Preset(PresetId(id)),
        None if uses_default => PresetChoice::Default,
        None => PresetChoice::Nothing,
    })
}

fn patch(body: StoryBody) -> Result<Patch, Fault> {
    if body.position.is_some_and(|position| position.unsigned_abs() > MAX_POSITION) {
        return Err(Fault::invalid("position", FieldCode::Invalid, format!("must be from -{MAX_POSITION} to {MAX_POSITION}")));
    }
    for (field, text, max) in [("path", &body.path, MAX_PATH), ("default_root", &body.default_root, MAX_COMPONENT)] {
        if text.as_ref().and_then(Option::as_ref).is_some_and(|text| text.chars().count() > max) {
            return Err(Fault::invalid(field, FieldCode::TooLong, format!("is too long (maximum is {max} characters)")));
        }
    }
    if body
        .translated_slugs_attributes
        .as_ref()
        .is_some_and(|translated_slugs_attribute| translated_slugs_attribute.len() > language::MAX_LANGUAGES)
    {
        return Err(Fault::invalid(
            "translated_slugs_attributes",
            FieldCode::TooMany,
            "has more entries than a space has languages",
        ));
    }
    Ok(Patch {
        name: body.name,
        slug: body.slug,
        parent: body.parent_id.map(|id| id.map_or(StoryId::ROOT, StoryId)),
        content: body.content.map(Arc::new),
        is_folder: body.is_folder,
        is_startpage: body.is_startpage,
        tags: body.tag_list,
        position: body.position,
        path: body.path,
        default_root: body.default_root.map(|default_root| default_root.filter(|name| !name.is_empty())),
        disable_fe_editor: body.disable_fe_editor.or(body.disble_fe_editor),
        pinned: body.pinned,
        sort_by_date: body.sort_by_date.map(|sort_by_date| date("sort_by_date", sort_by_date)).transpose()?,
        meta_data: body.meta_data,
        group_id: body.group_id,
        first_published_at: body
            .first_published_at
            .map(|first_published_at| time("first_published_at", first_published_at))
            .transpose()?,
        publish_at: body.publish_at.map(|publish_at| time("publish_at", publish_at)).transpose()?,
        expire_at: body.expire_at.map(|expire_at| time("expire_at", expire_at)).transpose()?,
        translated_slugs: body
            .translated_slugs_attributes
            .unwrap_or_default()
            .into_iter()
            .map(translation)
            .collect::<Result<_, Fault>>()?,
    })
}

/// One entry: of a language, or of the number that a story's `translated_slugs` show.
fn translation(body: TranslationBody) -> Result<TranslationPatch, Fault> {
    let refuse = |code, message| Err(Fault::invalid("translated_slugs_attributes", code, message));
    let of = match (body.lang, body.id) {
        (Some(lang), _) if language::is_code(&lang) => TranslationOf::Language(lang),
        (Some(_), _) => return refuse(FieldCode::Invalid, "has an invalid language code"),
        (None, Some(id)) => TranslationOf::Number(id),
        (None, None) => return refuse(FieldCode::Blank, "must name its language"),
    };
    Ok(TranslationPatch { of, slug: body.slug, name: body.name, destroy: switch("_destroy", &body.destroy)? })
}

/// A date, also when it comes with a time behind it.
fn date(field: &'static str, text: Option<String>) -> Result<Option<civil::Date>, Fault> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    let day = text.trim().get(..10).unwrap_or_default();
    day.parse().map(Some).map_err(|_| Fault::invalid(field, FieldCode::Invalid, "must be a date: YYYY-MM-DD"))
}

/// A time; `null` and nothing are none.
fn time(field: &'static str, text: Option<String>) -> Result<Option<Timestamp>, Fault> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    timestamp::parse(field, &text).map(Some)
}

#[cfg(test)]
mod tests {
    use super::{date, time};

    #[test]
    fn times_come_in_two_forms_and_dates_with_or_without_a_time() {
        for text in ["2026-03-01 08:05", "2026-03-01T08:05:00Z", "2026-03-01T08:05:00.000Z"] {
            assert_eq!(time("t", Some(text.into())).unwrap().unwrap().to_string(), "2026-03-01T08:05:00Z", "{text}");
        }
        assert!(time("t", Some("soon".into())).is_err() && date("d", Some("2026-13-01".into())).is_err());
        assert_eq!(date("d", Some("2026-03-01 10:00".into())).unwrap().unwrap().to_string(), "2026-03-01");
        assert_eq!(date("d", Some(String::new())).unwrap(), None);
    }
}
