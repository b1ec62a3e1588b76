//! A story in a response: in one language, without `__i18n__` keys, in drafts with `_editable` marks.

use super::{access::ReadContext, selection::Selection};
use domain::{
    content::{
        blocks, cached_urls,
        localize::{Languages, localize},
    },
    shared::{Fault, Parameters, timestamp},
};
use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};
use std::collections::BTreeMap;
use storage::content::{
    delivery::{
        ContentVersion,
        story::{DeliveredStory, Translation},
    },
    stories::read::Alternate,
};
use uuid::Uuid;

/// The content of a story: its stored text where that can be sent unchanged, a tree where something had to be
/// selected or added.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a RawValue),
    Tree(Value),
}

/// A story in a response.
#[derive(Serialize)]
pub(super) struct RenderedStory<'a> {
    name: &'a str,
    #[serde(with = "timestamp")]
    created_at: Timestamp,
    #[serde(with = "timestamp")]
    updated_at: Timestamp,
    #[serde(with = "timestamp::option")]
    published_at: Option<Timestamp>,
    id: i64,
    uuid: Uuid,
    content: Content<'a>,
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
    /// Always null: there are no releases here.
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

/// The parameters of a rendering: the language, and what is left out.
pub(super) struct Rendering {
    /// A language of the space, or `default`.
    lang: String,
    languages: Languages,
    selection: Selection,
}

impl Rendering {
    /// Parses the parameters. For a language that the space does not have, the default content is rendered,
    /// which no fallback replaces. 422 that names the parameter that is wrong.
    pub(super) fn read(query: &Parameters, ctx: &ReadContext) -> Result<Self, Fault> {
        let known =
            |name| query.get(name).filter(|code| ctx.access.language_codes.iter().any(|language_code| language_code == code));
        let language = known("language");
        Ok(Self {
            lang: language.unwrap_or("default").to_owned(),
            languages: Languages::new(language, language.and(known("fallback_lang"))),
            selection: Selection::read(query)?,
        })
    }

    /// The code of the language, unless it is the default one.
    pub(super) fn language(&self) -> Option<&str> {
        Some(self.lang.as_str()).filter(|code| *code != "default")
    }

    /// The content of stories as trees in this language.
    pub(super) fn trees(&self, stories: &[DeliveredStory]) -> Result<Vec<Value>, Fault> {
        stories.iter().map(|story| self.tree(story)).collect()
    }

    fn tree(&self, delivered: &DeliveredStory) -> Result<Value, Fault> {
        let content = delivered.edition.content.to_tree()?;
        let mut content = if delivered.is_translated { localize(content, &self.languages) } else { content };
        if !delivered.linked.is_empty() {
            cached_urls::refresh(&mut content, &linked_paths(delivered));
        }
        Ok(content)
    }

    fn content<'a>(&self, delivered: &'a DeliveredStory, ctx: &ReadContext) -> Result<Content<'a>, Fault> {
        let is_draft = ctx.version == ContentVersion::Draft;
        let is_as_stored = !is_draft && !delivered.is_translated && !self.selection.cuts_content();
        if is_as_stored && has_current_links(delivered) {
            return Ok(Content::Text(delivered.edition.content.text()));
        }
        let mut content = self.tree(delivered)?;
        if is_draft {
            blocks::mark_editable(&mut content, ctx.access.space, delivered.id);
        }
        self.selection.cut_content(&mut content);
        Ok(Content::Tree(content))
    }

    fn translation<'a>(&self, delivered: &'a DeliveredStory) -> Option<&'a Translation> {
        delivered.translated_slugs.iter().find(|translated_slug| translated_slug.lang == self.lang)
    }

    /// The name in this language.
    pub(super) fn name<'a>(&self, delivered: &'a DeliveredStory) -> &'a str {
        self.translation(delivered).and_then(|t| t.name.as_deref()).unwrap_or(&delivered.edition.name)
    }

    /// The last segment of the path in this language; that of a folder's start page has none.
    fn slug<'a>(&self, delivered: &'a DeliveredStory) -> &'a str {
        let path = self.translation(delivered).map(|translated_slug| translated_slug.path.as_str());
        let last = path.and_then(|path| path.rsplit('/').next()).filter(|last| !last.is_empty());
        last.unwrap_or(&delivered.slug)
    }

    /// The path in this language: the translated one if there is one, behind the code of the language.
    pub(super) fn full_slug(&self, delivered: &DeliveredStory) -> String {
        if self.lang == "default" {
            return delivered.full_slug.clone();
        }
        let path = self.translation(delivered).map_or(delivered.full_slug.as_str(), |t| t.path.as_str());
        format!("{}/{path}", self.lang)
    }
}

/// A rendered story; a tree when members are left out.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Rendered<'a> {
    Whole(Box<RenderedStory<'a>>),
    Cut(Map<String, Value>),
}

/// Renders a story.
pub(super) fn render<'a>(
    delivered: &'a DeliveredStory,
    ctx: &ReadContext,
    rendering: &'a Rendering,
) -> Result<Rendered<'a>, Fault> {
    let story = story(delivered, ctx, rendering)?;
    if !rendering.selection.cuts_stories() {
        return Ok(Rendered::Whole(Box::new(story)));
    }
    let Value::Object(mut story) = to_value(&story)? else { return Err(Fault::internal("a story is an object")) };
    rendering.selection.cut_story(&mut story);
    Ok(Rendered::Cut(story))
}

/// Renders stories as JSON values.
pub(super) fn values(stories: &[DeliveredStory], ctx: &ReadContext, rendering: &Rendering) -> Result<Vec<Value>, Fault> {
    stories.iter().map(|story| to_value(&render(story, ctx, rendering)?)).collect()
}

fn to_value<T: Serialize>(value: &T) -> Result<Value, Fault> {
    serde_json::to_value(value).map_err(|error| Fault::internal(format!("serialise: {error}")))
}

fn story<'a>(delivered: &'a DeliveredStory, ctx: &ReadContext, rendering: &'a Rendering) -> Result<RenderedStory<'a>, Fault> {
    let edition = &delivered.edition;
    let has_translations = ctx.access.has_translated_slugs;
    Ok(RenderedStory {
        name: rendering.name(delivered),
        created_at: delivered.created_at,
        updated_at: delivered.updated_at,
        published_at: delivered.published_at,
        id: delivered.id.0,
        uuid: delivered.uuid,
        content: rendering.content(delivered, ctx)?,
        slug: rendering.slug(delivered),
        full_slug: rendering.full_slug(delivered),
        sort_by_date: edition.sort_by_date,
        position: delivered.position,
        tag_list: &edition.tags,
        is_startpage: delivered.is_startpage,
        parent_id: delivered.parent.0,
        meta_data: edition.meta_data.as_deref(),
        group_id: delivered.group_id,
        first_published_at: delivered.first_published_at,
        release_id: None,
        lang: &rendering.lang,
        path: edition.path.as_deref(),
        alternates: &delivered.alternates,
        default_full_slug: has_translations.then_some(delivered.full_slug.as_str()),
        translated_slugs: has_translations.then(|| translated_slugs(delivered)),
    })
}

/// The paths that the stories have to which a story links.
fn linked_paths(delivered: &DeliveredStory) -> BTreeMap<Uuid, &str> {
    delivered.linked.iter().map(|story| (story.uuid, story.full_slug.as_str())).collect()
}

/// Whether each link in the stored content has the path that its story has now.
fn has_current_links(delivered: &DeliveredStory) -> bool {
    delivered.linked.is_empty() || cached_urls::is_current(delivered.edition.content.text().get(), &linked_paths(delivered))
}

fn translated_slugs(delivered: &DeliveredStory) -> Vec<TranslatedSlug<'_>> {
    let published = delivered.published_at.is_some();
    delivered
        .translated_slugs
        .iter()
        .map(|translated_slug| TranslatedSlug {
            path: &translated_slug.path,
            name: translated_slug.name.as_deref(),
            lang: &translated_slug.lang,
            published,
        })
        .collect()
}
