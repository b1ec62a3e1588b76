//! A story as the Management API shows it: raw content, with the `__i18n__` keys.

use domain::{
    content::{
        Language, language_selection,
        story::{Edition, Story, StoryContent},
        translation_status::TranslationCounts,
    },
    shared::{Authorship, Fault, Person, SpaceId, StoryId, UserId, timestamp},
};
use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};
use std::collections::{BTreeSet, HashMap};
use storage::content::stories::{
    list::{Children, ListedStory},
    read::{Alternate, Ancestor, StoryDetail, StoryWithDraft},
    translations::TranslatedSlug,
};
use uuid::Uuid;

/// The members that a story has in lists too.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are the fields of the wire")]
pub(super) struct ListItem<'a> {
    id: i64,
    space_id: SpaceId,
    uuid: Uuid,
    name: &'a str,
    slug: &'a str,
    full_slug: &'a str,
    parent_id: i64,
    position: i32,
    is_folder: bool,
    is_startpage: bool,
    content_type: Option<&'a str>,
    published: bool,
    unpublished_changes: bool,
    #[serde(with = "timestamp")]
    created_at: Timestamp,
    #[serde(with = "timestamp")]
    updated_at: Timestamp,
    #[serde(with = "timestamp::option")]
    published_at: Option<Timestamp>,
    #[serde(with = "timestamp::option")]
    first_published_at: Option<Timestamp>,
    #[serde(with = "timestamp::option")]
    deleted_at: Option<Timestamp>,
    #[serde(with = "timestamp::option")]
    publish_at: Option<Timestamp>,
    #[serde(with = "timestamp::option")]
    expire_at: Option<Timestamp>,
    sort_by_date: Option<Date>,
    tag_list: &'a [String],
    path: Option<&'a str>,
    group_id: Uuid,
    default_root: Option<&'a str>,
    disable_fe_editor: bool,
    /// Storyblok's misspelling; its clients read either.
    disble_fe_editor: bool,
    pinned: bool,
    meta_data: Option<&'a RawValue>,
    last_version: i32,
    revision: i64,
    last_author: Option<AuthorView>,
    last_author_id: Option<i64>,
}

/// Who changed a story last, in Storyblok's shape: a person by number and name; a token or the server itself
/// by its name alone.
#[derive(Serialize)]
pub(super) struct AuthorView {
    id: Option<i64>,
    userid: Option<String>,
    friendly_name: String,
    avatar: Option<String>,
}

/// The people who changed stories.
#[derive(Default)]
pub(super) struct Authors(HashMap<UserId, Person>);

impl Authors {
    pub(super) fn new(people: Vec<Person>) -> Self {
        Self(people.into_iter().map(|person| (person.id, person)).collect())
    }

    /// `None` for a person whose account is gone, and for a story from before authors were known.
    pub(super) fn view(&self, author: &Authorship) -> Option<AuthorView> {
        let Some(user) = author.person() else {
            let friendly_name = Some(author.label.clone()).filter(|label| !label.is_empty())?;
            return Some(AuthorView { id: None, userid: None, friendly_name, avatar: None });
        };
        let person = self.0.get(&user)?;
        let number = user.number();
        Some(AuthorView { id: Some(number), userid: Some(number.to_string()), friendly_name: person.friendly_name(), avatar: None })
    }
}

/// A story with its content.
#[derive(Serialize)]
pub(super) struct Detail<'a> {
    #[serde(flatten)]
    item: ListItem<'a>,
    content: &'a RawValue,
    parent: Option<Parent<'a>>,
    breadcrumbs: &'a [Ancestor],
    alternates: &'a [Alternate],
    translated_slugs: Vec<Translation<'a>>,
    translated_stories: Vec<TranslatedStory<'a>>,
    /// The languages in which it is published, beside the default one.
    published_translations: Vec<String>,
    localized_paths: Vec<LocalizedPath<'a>>,
    /// Only where one story is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview_token: Option<Option<PreviewToken>>,
}

/// The signature of a preview's URL, as Storyblok has it: front ends take it for an hour.
#[derive(Serialize)]
pub(super) struct PreviewToken {
    pub(super) token: String,
    /// Unix seconds.
    pub(super) timestamp: String,
}

/// `{"story": …}`.
#[derive(Serialize)]
pub(super) struct Envelope<'a> {
    story: Detail<'a>,
}

impl<'a> Envelope<'a> {
    /// The story with the signature of its preview; `None` where no token can sign it.
    pub(super) fn with_preview(mut self, token: Option<PreviewToken>) -> Self {
        self.story.preview_token = Some(token);
        self
    }

    /// The story alone.
    pub(super) fn story(&self) -> &Detail<'a> {
        &self.story
    }
}

#[derive(Serialize)]
struct Parent<'a> {
    id: i64,
    uuid: Uuid,
    name: &'a str,
    slug: &'a str,
    disable_fe_editor: bool,
}

#[derive(Serialize)]
struct Translation<'a> {
    id: i64,
    story_id: i64,
    lang: &'a str,
    slug: Option<&'a str>,
    name: Option<&'a str>,
    published: bool,
}

#[derive(Serialize)]
struct LocalizedPath<'a> {
    path: &'a str,
    name: Option<&'a str>,
    lang: &'a str,
    published: bool,
}

/// A story in one language.
#[derive(Serialize)]
pub(super) struct TranslatedStory<'a> {
    lang: &'a str,
    #[serde(with = "timestamp::option")]
    published_at: Option<Timestamp>,
    #[serde(with = "timestamp::option")]
    first_published_at: Option<Timestamp>,
    /// Whether the draft has other values in this language than what is published.
    unpublished_changes: bool,
}

/// A story in each language of its space.
fn translated_stories<'a>(
    StoryWithDraft { story, draft }: &StoryWithDraft,
    published_content: Option<&StoryContent>,
    languages: &'a [Language],
) -> Result<Vec<TranslatedStory<'a>>, Fault> {
    let published = story.published_translations(languages);
    let changed = match published_content {
        Some(content) => language_selection::differing(content, &draft.content, languages)?,
        None => BTreeSet::new(),
    };
    let of = |language: &'a Language| {
        let times = published.get(&language.code);
        TranslatedStory {
            lang: &language.code,
            published_at: times.map(|times| times.published_at),
            first_published_at: times.map(|times| times.first_published_at),
            unpublished_changes: times.is_none() || changed.contains(language.code.as_str()),
        }
    };
    Ok(languages.iter().map(of).collect())
}

/// A story in a list.
#[derive(Serialize)]
pub(super) struct ListedStoryView<'a> {
    #[serde(flatten)]
    item: ListItem<'a>,
    /// Empty unless `with_alts` asks for them.
    alternates: &'a [Alternate],
    /// Empty unless `with_summary` asks for it.
    content_summary: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    translated_stories: Option<Vec<TranslatedStory<'a>>>,
    /// Of a folder, when `with_counts` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    children: Option<Children>,
    /// Whether a publish is planned.
    is_scheduled: bool,
    /// Of a story, when `with_translations` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    translations: Option<&'a [TranslationCounts]>,
}

/// What a list shows of each story beside its own attributes.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// The first plain fields.
    pub(super) summary: bool,
    /// The languages of the space, to tell how each is published.
    pub(super) languages: Option<&'a [Language]>,
    /// How far each story is translated; of those that are to tell it.
    pub(super) translations: &'a HashMap<StoryId, Vec<TranslationCounts>>,
}

/// A story in a list.
pub(super) fn listed<'a>(
    space: SpaceId,
    listed: &'a ListedStory,
    shown: Shown<'a>,
    authors: &Authors,
) -> Result<ListedStoryView<'a>, Fault> {
    let ListedStory { story: found, alternates, published, children, is_scheduled } = listed;
    let StoryWithDraft { story, draft } = found;
    let translated = |languages: &'a [Language]| translated_stories(found, published.as_ref(), languages);
    Ok(ListedStoryView {
        item: item(space, story, draft, authors),
        alternates,
        content_summary: if shown.summary { summary(draft.content.text()) } else { Map::new() },
        translated_stories: shown.languages.map(translated).transpose()?,
        children: *children,
        is_scheduled: *is_scheduled,
        translations: shown.translations.get(&story.id).map(Vec::as_slice),
    })
}

/// The most fields of a summary, and the most characters of a text in it.
const SUMMARY_FIELDS: usize = 20;
const SUMMARY_TEXT: usize = 255;

/// The first plain fields of a root block, texts cut: what a list shows of a story beside its name.
fn summary(content: &RawValue) -> Map<String, Value> {
    let root: Map<String, Value> = serde_json::from_str(content.get()).unwrap_or_default();
    let plain = |(key, value): (String, Value)| match value {
        Value::String(text) if key != "_uid" => Some((key, text.chars().take(SUMMARY_TEXT).collect::<String>().into())),
        Value::Bool(_) | Value::Number(_) => Some((key, value)),
        _ => None,
    };
    root.into_iter().filter_map(plain).take(SUMMARY_FIELDS).collect()
}

/// `{"story": …}`.
pub(super) fn envelope<'a>(space: SpaceId, detail: &'a StoryDetail, authors: &Authors) -> Result<Envelope<'a>, Fault> {
    let StoryDetail { current: StoryWithDraft { story, draft }, related } = detail;
    let published = story.is_published();
    Ok(Envelope {
        story: Detail {
            item: item(space, story, draft, authors),
            content: draft.content.text(),
            parent: related.ancestors.last().map(|ancestor| Parent {
                id: ancestor.id,
                uuid: ancestor.uuid,
                name: &ancestor.name,
                slug: &ancestor.slug,
                disable_fe_editor: ancestor.disable_fe_editor,
            }),
            breadcrumbs: &related.ancestors,
            alternates: &related.alternates,
            translated_slugs: related
                .translated_slugs
                .iter()
                .filter(|slug| slug.is_own())
                .map(|slug| translation(story, slug, published))
                .collect(),
            translated_stories: translated_stories(&detail.current, related.published.as_ref(), &related.languages)?,
            published_translations: story.published_translations(&related.languages).into_keys().collect(),
            localized_paths: related
                .translated_slugs
                .iter()
                .map(|slug| LocalizedPath { path: &slug.path, name: slug.name.as_deref(), lang: &slug.lang, published })
                .collect(),
            preview_token: None,
        },
    })
}

fn translation<'a>(story: &Story, slug: &'a TranslatedSlug, published: bool) -> Translation<'a> {
    Translation {
        id: slug.id,
        story_id: story.id.0,
        lang: &slug.lang,
        slug: slug.slug.as_deref(),
        name: slug.name.as_deref(),
        published,
    }
}

fn item<'a>(space: SpaceId, story: &'a Story, draft: &'a Edition, authors: &Authors) -> ListItem<'a> {
    let last_author = authors.view(&story.author);
    ListItem {
        id: story.id.0,
        space_id: space,
        uuid: story.uuid,
        name: &draft.name,
        slug: &story.place.slug,
        full_slug: &story.place.full_slug,
        parent_id: story.place.parent.0,
        position: story.place.position,
        is_folder: story.is_folder,
        is_startpage: story.place.is_startpage,
        content_type: draft.component.as_deref(),
        published: story.is_published(),
        unpublished_changes: story.has_unpublished_changes(),
        created_at: story.created_at,
        updated_at: story.updated_at,
        published_at: story.published_at(),
        first_published_at: story.first_published_at,
        deleted_at: story.deleted_at,
        publish_at: story.schedule.publish_at,
        expire_at: story.schedule.expire_at,
        sort_by_date: draft.sort_by_date,
        tag_list: &draft.tags,
        path: draft.path.as_deref(),
        group_id: story.group_id,
        default_root: story.default_root.as_deref(),
        disable_fe_editor: story.disable_fe_editor,
        disble_fe_editor: story.disable_fe_editor,
        pinned: story.pinned,
        meta_data: draft.meta_data.as_deref(),
        last_version: story.last_version,
        revision: story.revision,
        last_author_id: last_author.as_ref().and_then(|author| author.id),
        last_author,
    }
}
