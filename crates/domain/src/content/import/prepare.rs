//! Converts a story of the source into what is stored: checked, completed, with ids and URLs rewritten.

mod published;

use super::{Finding, Imported, Kind, SourceId, Subject, record, rewrite};
use crate::{
    content::{
        blocks, index, language, language_selection, references,
        scheduling::{PublishAction, PublishSchedule, StoryPlan},
        slug::Slug,
        story::{Edition, clean_name, clean_tags},
    },
    shared::{Entropy, Fault, FieldCode, json, timestamp},
};
use jiff::Timestamp;
use published::{Base, published};
use rewrite::IdMaps;
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};
use uuid::Uuid;

/// A story or folder that is ready to be stored.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "a story has so many flags")]
pub struct Story {
    pub source_id: SourceId<record::Story>,
    /// Its UUID, which it keeps.
    pub uuid: Uuid,
    /// Shared by its alternates.
    pub group_id: Uuid,
    /// Whether it is a folder that was made of its line in the list, because its details could not be read.
    pub is_of_list: bool,
    /// Its folder's id at the source; `NONE` at the root.
    pub parent: SourceId<record::Story>,
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    pub is_startpage: bool,
    /// The last segment of its path.
    pub slug: String,
    /// Whether the source has another slug, which cannot be kept.
    pub has_other_slug: bool,
    /// Its paths at the source, as far as the source lists them.
    pub source_paths: SourcePaths,
    /// Its position among its siblings.
    pub position: i32,
    /// A folder's default content type.
    pub default_root: Option<String>,
    /// Whether the visual editor is off.
    pub disable_fe_editor: bool,
    pub pinned: bool,
    pub draft: Version,
    pub published: Option<Published>,
    /// Whether it is published at the source and its published version could not be read.
    pub is_published_unseen: bool,
    pub first_published_at: Option<Timestamp>,
    /// When it was created, if the source says so.
    pub created_at: Option<Timestamp>,
    /// When it was last saved, if the source says so.
    pub updated_at: Option<Timestamp>,
    /// When it is to be published and unpublished, as set on the story itself.
    pub schedule: PublishSchedule,
    /// Further times at which it is to be published.
    pub schedulings: Vec<StoryPlan>,
    /// Slugs and names in other languages.
    pub translations: Vec<Translation>,
    /// Warnings for the report.
    pub warnings: Vec<Finding>,
    /// References to stories that do not exist.
    pub broken: Vec<Finding>,
    /// How many URLs inside longer texts of the draft were rewritten.
    pub urls_in_text: u64,
}

impl Story {
    /// The story, as findings name it.
    pub fn subject(&self) -> Subject<'_> {
        let kind = if self.is_folder { Kind::Folder } else { Kind::Story };
        Subject { kind, id: self.source_id.number(), label: &self.slug }
    }

    /// The published version, if it differs from the draft.
    pub fn differing_published(&self) -> Option<&Version> {
        self.published.as_ref()?.differs.as_ref()
    }
}

/// The paths of a story at the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePaths {
    /// The path in the default language.
    pub full_slug: Option<String>,
    /// The paths in other languages.
    pub localized: Vec<record::LocalizedPath>,
}

/// An edition with its search index data.
#[derive(Debug, Clone)]
pub struct Version {
    pub edition: Edition,
    /// Its content with sorted keys, to be compared with what the last import stored.
    pub canonical: String,
    /// The text of its content, for full-text search.
    pub search_text: String,
    /// The UUIDs of stories that its content refers to.
    pub refs: Vec<String>,
    /// The scalar fields of its root block, for `filter_query`.
    pub fields: Vec<index::Field>,
}

/// The published version.
#[derive(Debug, Clone)]
pub struct Published {
    /// When it was published, if the source says so.
    pub at: Option<Timestamp>,
    /// Its content; `None` when it equals the draft.
    pub differs: Option<Version>,
}

/// A slug and a name in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    pub lang: String,
    pub slug: Option<String>,
    pub name: Option<String>,
}

impl record::Story {
    /// Its label in reports: the path, or the slug where the path is unknown.
    pub fn label(&self) -> &str {
        if self.full_slug.is_empty() { &self.slug } else { &self.full_slug }
    }

    /// Whether it is a folder or a story.
    pub fn kind(&self) -> Kind {
        if self.is_folder { Kind::Folder } else { Kind::Story }
    }
}

/// Prepares a story. The error is the finding that the report shows for an invalid story.
pub fn story(from: &record::Story, maps: &IdMaps) -> Result<Story, Finding> {
    prepared(from, maps).map_err(|fault| from.subject().finding("invalid", &*fault.message))
}

fn prepared(from: &record::Story, maps: &IdMaps) -> Result<Story, Fault> {
    let mut findings = StoryFindings { subject: from.subject(), warnings: Vec::new(), broken: Vec::new(), urls_in_text: 0 };
    let slug = slug(from);
    if let Some(why) = &from.details_missing {
        findings
            .warn("detailsMissing", format!("its details could not be read ({why}): it is what the list of the source says of it"));
    }
    for repair in &from.repairs {
        findings.warn("attributeOdd", repair);
    }
    let draft = version(from, Base::of(from), maps, &mut findings)?;
    let urls_in_text = findings.urls_in_text;
    let published = published(from, &draft, maps, &mut findings)?;
    let is_published_unseen = from.published && !from.is_folder && published.is_none();
    let (schedule, schedulings) = schedule(from, &mut findings);
    let translations = translations(from, &mut findings);
    Ok(Story {
        source_id: from.id,
        uuid: from.uuid,
        group_id: from.group_id.unwrap_or(from.uuid),
        is_of_list: from.details_missing.is_some(),
        parent: from.parent_id.unwrap_or_default(),
        is_folder: from.is_folder,
        is_startpage: from.is_startpage && !from.is_folder,
        has_other_slug: slug != from.slug,
        slug,
        source_paths: source_paths(from),
        position: from.position,
        default_root: from.default_root.clone().filter(|default_root| !default_root.is_empty()),
        disable_fe_editor: from.disable_fe_editor || from.disble_fe_editor,
        pinned: from.pinned,
        draft,
        published,
        is_published_unseen,
        first_published_at: from.first_published_at,
        created_at: from.created_at,
        updated_at: from.updated_at,
        schedule,
        schedulings,
        translations,
        warnings: findings.warnings,
        broken: findings.broken,
        urls_in_text,
    })
}

/// The slug, or the nearest one that can be kept: the last segment of the path, or the UUID, if the source
/// has none.
fn slug(from: &record::Story) -> String {
    slug_of(&from.slug, &from.full_slug, from.uuid)
}

/// The same of a slug, a path and a UUID.
pub fn slug_of(slug: &str, full_slug: &str, uuid: Uuid) -> String {
    let last = || Slug::nearest(last_segment(full_slug));
    Slug::nearest(slug).or_else(last).map_or_else(|| uuid.to_string(), |slug| slug.as_str().to_owned())
}

/// The last segment of a path, whatever slashes are at its end.
pub fn last_segment(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

fn source_paths(from: &record::Story) -> SourcePaths {
    SourcePaths {
        full_slug: (!from.full_slug.is_empty()).then(|| from.full_slug.clone()),
        localized: localized_paths(&from.localized_paths),
    }
}

/// Those that say both language and path.
pub fn localized_paths(listed: &[record::LocalizedPath]) -> Vec<record::LocalizedPath> {
    listed.iter().filter(|localized| !localized.lang.is_empty() && !localized.path.is_empty()).cloned().collect()
}

/// The schedule of a story. Past times are kept here; they are dropped when the story is written, which knows
/// the current time.
fn schedule(from: &record::Story, findings: &mut StoryFindings<'_>) -> (PublishSchedule, Vec<StoryPlan>) {
    let mut own = |done, text: &Option<String>| {
        let text = text.as_deref().filter(|text| !text.trim().is_empty())?;
        moment(done, text, findings)
    };
    let schedule =
        PublishSchedule { publish_at: own("published", &from.publish_at), expire_at: own("taken offline", &from.expire_at) };
    let mut all: Vec<StoryPlan> = Vec::new();
    let is_pending = |scheduling: &&record::Scheduling| scheduling.status.as_deref().is_none_or(|status| status == "scheduled");
    for scheduling in from.schedulings.iter().filter(is_pending) {
        let Some(at) = moment("published", &scheduling.publish_at, findings) else { continue };
        let name = scheduling.action.as_deref().unwrap_or(PublishAction::Publish.into());
        let Ok(action) = name.parse() else {
            findings.warn("scheduleUnreadable", format!("was to be done at {at}: {name}, which is not known: it is left out"));
            continue;
        };
        all.push(StoryPlan { at, action, language: plan_language(scheduling, from.is_by_language) });
    }
    all.sort_unstable();
    all.dedup();
    if from.is_folder { (PublishSchedule::default(), Vec::new()) } else { (schedule, all) }
}

/// The time at which something is to be done.
fn moment(done: &str, text: &str, findings: &mut StoryFindings<'_>) -> Option<Timestamp> {
    let at = timestamp::read(text);
    if at.is_none() {
        findings.warn("scheduleUnreadable", format!("was to be {done} at {text}, which is no time: it is left out"));
    }
    at
}

/// The only language that a plan is about. A source that publishes no translation by itself means all of them
/// by its default one; an export of this server, which says the action of each plan, means what it says.
fn plan_language(scheduling: &record::Scheduling, is_by_language: bool) -> Option<String> {
    let code = scheduling.language.as_deref().filter(|code| !code.is_empty())?;
    if code != "default" && code != language_selection::DEFAULT {
        return Some(code.to_owned());
    }
    (is_by_language || scheduling.action.is_some()).then(|| language_selection::DEFAULT.to_owned())
}

/// The name, cut to what can be stored; the slug if there is none.
fn name(given: &str, slug: &str, findings: &mut StoryFindings<'_>) -> String {
    if let Ok(name) = clean_name(given) {
        return name;
    }
    findings.warn_once("attributeOdd", "name is blank, or longer than 255 characters: it is cut, or the slug");
    let name: String = given.chars().take(255).collect();
    if name.trim().is_empty() { slug.chars().take(255).collect() } else { name }
}

/// The tags, without those that cannot be stored.
fn tags(given: &[String], findings: &mut StoryFindings<'_>) -> Result<Vec<String>, Fault> {
    if let Ok(tags) = clean_tags(given.to_vec()) {
        return Ok(tags);
    }
    findings.warn_once("attributeOdd", "tag_list has tags longer than 255 characters, or more than 500: those are left out");
    clean_tags(given.iter().filter(|g| g.trim().chars().count() <= 255).take(500).cloned().collect())
}

fn version(from: &record::Story, base: Base<'_>, maps: &IdMaps, findings: &mut StoryFindings<'_>) -> Result<Version, Fault> {
    let uids = &DerivedUids { seed: from.uuid, generated: AtomicU64::new(0) };
    let name = name(base.name, &from.slug, findings);
    let tags = tags(base.tags, findings)?;
    let given: Value = match base.content {
        Some(text) => {
            serde_json::from_str(text.get()).map_err(|error| Fault::invalid("content", FieldCode::Invalid, error.to_string()))?
        }
        None => Value::Null,
    };
    let (content, raw, component) = if from.is_folder {
        let settings = if given.is_object() { given } else { Value::Object(serde_json::Map::new()) };
        let raw = serde_json::value::to_raw_value(&settings).map_err(|error| Fault::internal(error.to_string()))?;
        (settings, raw, None)
    } else {
        let before = uids.generated.load(Ordering::Relaxed);
        let mut content = blocks::complete_foreign(Some(given), uids)?;
        if content.as_object().is_some_and(|content| blocks::component(content).is_none()) {
            findings.warn_once("contentEmpty", "its content is empty or names no component: it is kept so");
        }
        let result = rewrite::content(&mut content, maps);
        findings.add_result(&result);
        let completed = uids.generated.load(Ordering::Relaxed) != before;
        // Unchanged content keeps its exact bytes.
        let raw = match base.content {
            Some(text) if !result.changed && !completed => text.to_owned(),
            _ => serde_json::value::to_raw_value(&content).map_err(|error| Fault::internal(error.to_string()))?,
        };
        let component = content.as_object().and_then(blocks::component).map(str::to_owned);
        (content, raw, component)
    };
    let (search_text, refs, fields) = if from.is_folder {
        // Folders are not found by their content.
        (String::new(), Vec::new(), Vec::new())
    } else {
        (index::text(&content), references::index_refs(&content), index::fields(&raw))
    };
    let path = base.path.map(|path| path.trim().to_owned()).filter(|path| !path.is_empty());
    let meta_data = base.meta_data.map(ToOwned::to_owned);
    let edition = Edition { name, component, content: raw.into(), tags, sort_by_date: base.sort_by_date, path, meta_data };
    Ok(Version { edition, canonical: json::canonical(content), search_text, refs, fields })
}

fn translations(from: &record::Story, findings: &mut StoryFindings<'_>) -> Vec<Translation> {
    let mut all: Vec<Translation> = Vec::new();
    for translated in &from.translated_slugs {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let (slug, name) = (given(&translated.slug), given(&translated.name));
        let slug_is_valid = slug.as_deref().is_none_or(|slug| Slug::exact(slug).is_ok());
        let name_is_valid = name.as_deref().is_none_or(|name| clean_name(name).is_ok());
        if !language::is_code(&translated.lang)
            || !slug_is_valid
            || !name_is_valid
            || all.iter().any(|other| other.lang == translated.lang)
        {
            findings.warn("translationInvalid", format!("its slug or name in the language {} is left out", translated.lang));
        } else if slug.is_some() || name.is_some() {
            all.push(Translation { lang: translated.lang.clone(), slug, name });
        }
    }
    all
}

/// Warnings collected while one story is prepared.
struct StoryFindings<'a> {
    subject: Subject<'a>,
    warnings: Vec<Finding>,
    broken: Vec<Finding>,
    urls_in_text: u64,
}

impl StoryFindings<'_> {
    fn warn(&mut self, code: &str, message: impl AsRef<str>) {
        self.warnings.push(self.subject.finding(code, message));
    }

    /// Adds a warning unless the same one was added for the draft already.
    fn warn_once(&mut self, code: &str, message: &str) {
        if !self.warnings.iter().any(|warning| warning.code == code && warning.message == message) {
            self.warn(code, message);
        }
    }

    fn add_result(&mut self, result: &rewrite::RewriteResult) {
        self.urls_in_text += result.urls_in_text;
        let subject = self.subject;
        // The draft and the published version mostly have the same findings.
        let new = |told: &[Finding], all: Vec<Finding>| -> Vec<Finding> {
            all.into_iter().filter(|value| !told.contains(value)).collect()
        };
        let (broken, warnings) = (new(&self.broken, result.broken(subject)), new(&self.warnings, result.warnings(subject)));
        self.broken.extend(broken);
        self.warnings.extend(warnings);
    }
}

/// Derives missing `_uid`s from the story's UUID, so that a second import of the same story generates the
/// same ones.
struct DerivedUids {
    seed: Uuid,
    generated: AtomicU64,
}

impl Entropy for DerivedUids {
    fn fill(&self, buffer: &mut [u8]) {
        let (high, low) = self.seed.as_u64_pair();
        for chunk in buffer.chunks_mut(8) {
            // SplitMix64 (Steele, Lea, Flood 2014).
            let generated = self.generated.fetch_add(1, Ordering::Relaxed) + 1;
            let mut word = (high ^ low.rotate_left(32)).wrapping_add(generated.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^= word >> 31;
            chunk.iter_mut().zip(word.to_le_bytes()).for_each(|(to, from)| *to = from);
        }
    }
}

#[cfg(test)]
mod tests;
