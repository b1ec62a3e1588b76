//! A story as readers see it (facts, section 1.6.1): one language, no `__i18n__` key, `_editable` marks in drafts.

use super::access::Reading;
use domain::{
    content::{
        blocks,
        localize::{Languages, localize},
    },
    shared::{Fault, Parameters, timestamp},
};
use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use storage::content::{
    delivery::{
        Copy,
        stories::{Delivered, Translation},
    },
    stories::read::Alternate,
};
use uuid::Uuid;

/// The parameters that choose a language.
pub(super) const LANGUAGE_PARAMETERS: [&str; 2] = ["language", "fallback_lang"];

/// A story on the wire.
#[derive(Serialize)]
pub(super) struct Story<'a> {
    name: &'a str,
    #[serde(with = "timestamp")]
    created_at: Timestamp,
    #[serde(with = "timestamp")]
    updated_at: Timestamp,
    #[serde(with = "timestamp::option")]
    published_at: Option<Timestamp>,
    id: i64,
    uuid: Uuid,
    content: Value,
    slug: &'a str,
    full_slug: String,
    sort_by_date: Option<Date>,
    position: i32,
    tag_list: &'a [String],
    is_startpage: bool,
    parent_id: i64,
    meta_data: Option<&'a RawValue>,
    group_id: Uuid,
    #[serde(with = "timestamp::option")]
    first_published_at: Option<Timestamp>,
    /// Releases are not part of this service.
    release_id: Option<i64>,
    lang: &'a str,
    path: Option<&'a str>,
    alternates: &'a [Alternate],
    default_full_slug: Option<&'a str>,
    translated_slugs: Option<Vec<TranslatedSlug<'a>>>,
}

#[derive(Serialize)]
struct TranslatedSlug<'a> {
    path: &'a str,
    name: Option<&'a str>,
    lang: &'a str,
    published: bool,
}

/// The language that an answer is in.
pub(super) struct Spoken {
    /// A language of the space, or `default`.
    lang: String,
    languages: Languages,
}

impl Spoken {
    /// Reads `language` and `fallback_lang`. A code that the space does not have means default content (decisions 16).
    pub(super) fn read(query: &Parameters, reading: &Reading) -> Self {
        let known = |name| query.get(name).filter(|code| reading.reader.language_codes.iter().any(|it| it == code));
        let language = known("language");
        Self { lang: language.unwrap_or("default").to_owned(), languages: Languages::new(language, known("fallback_lang")) }
    }
}

/// One story in that language.
pub(super) fn story<'a>(delivered: &'a Delivered, reading: &Reading, spoken: &'a Spoken) -> Result<Story<'a>, Fault> {
    let edition = &delivered.edition;
    let content =
        serde_json::from_str(edition.content.get()).map_err(|error| Fault::internal(format!("story {}: {error}", delivered.id)))?;
    let mut content = localize(content, &spoken.languages);
    if reading.copy == Copy::Draft {
        blocks::mark_editable(&mut content, reading.reader.space, delivered.id);
    }
    let translation = delivered.translated_slugs.iter().find(|it| it.lang == spoken.lang);
    let has_translations = reading.reader.has_translated_slugs;
    Ok(Story {
        name: translation.and_then(|it| it.name.as_deref()).unwrap_or(&edition.name),
        created_at: delivered.created_at,
        updated_at: delivered.updated_at,
        published_at: delivered.published_at,
        id: delivered.id.0,
        uuid: delivered.uuid,
        content,
        slug: &delivered.slug,
        full_slug: full_slug(delivered, spoken, translation),
        sort_by_date: edition.sort_by_date,
        position: delivered.position,
        tag_list: &edition.tags,
        is_startpage: delivered.is_startpage,
        parent_id: delivered.parent.0,
        meta_data: edition.meta_data.as_deref(),
        group_id: delivered.group_id,
        first_published_at: delivered.first_published_at,
        release_id: None,
        lang: &spoken.lang,
        path: edition.path.as_deref(),
        alternates: &delivered.alternates,
        default_full_slug: has_translations.then_some(delivered.full_slug.as_str()),
        translated_slugs: has_translations.then(|| translated_slugs(delivered)),
    })
}

/// The path in the language: translated where it is, behind the language's code.
fn full_slug(delivered: &Delivered, spoken: &Spoken, translation: Option<&Translation>) -> String {
    if spoken.lang == "default" {
        return delivered.full_slug.clone();
    }
    format!("{}/{}", spoken.lang, translation.map_or(delivered.full_slug.as_str(), |it| it.path.as_str()))
}

fn translated_slugs(delivered: &Delivered) -> Vec<TranslatedSlug<'_>> {
    let published = delivered.published_at.is_some();
    delivered
        .translated_slugs
        .iter()
        .map(|it| TranslatedSlug { path: &it.path, name: it.name.as_deref(), lang: &it.lang, published })
        .collect()
}
