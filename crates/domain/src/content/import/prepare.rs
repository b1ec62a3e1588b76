//! A story of the source as it would be stored: checked, completed, rewritten.

mod published;

use super::{Finding, Kind, record, rewrite};
use crate::{
    content::{
        blocks, index, language, references,
        scheduling::Plan,
        slug::Slug,
        story::{Edition, clean_name, clean_tags},
    },
    shared::{Entropy, Fault, timestamp},
};
use jiff::Timestamp;
use published::{Base, published};
use rewrite::Maps;
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};
use uuid::Uuid;

/// A story or folder that is ready to be stored.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "a story has so many flags")]
pub struct Story {
    /// Its number at the source.
    pub source_id: i64,
    /// Its UUID, which it keeps.
    pub uuid: Uuid,
    /// Shared by its alternates.
    pub group_id: Uuid,
    /// Its folder, by the source's number; 0 at the root.
    pub parent: i64,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    pub is_startpage: bool,
    /// Its own segment of the path.
    pub slug: String,
    /// Its place among its siblings.
    pub position: i32,
    /// A folder's default content type.
    pub default_root: Option<String>,
    /// Whether the visual editor is off.
    pub disable_fe_editor: bool,
    /// Whether it is pinned.
    pub pinned: bool,
    /// What its authors see.
    pub draft: Version,
    /// What everybody sees.
    pub published: Option<Published>,
    /// It is published at the source, and what everybody sees there could not be had.
    pub is_published_unseen: bool,
    /// When it was first published.
    pub first_published_at: Option<Timestamp>,
    /// When it was made, if the source told.
    pub created_at: Option<Timestamp>,
    /// When it was last saved, if the source told.
    pub updated_at: Option<Timestamp>,
    /// What is planned for it.
    pub plan: Plan,
    /// When else it is to be published.
    pub schedulings: Vec<Timestamp>,
    /// Languages with their slugs and names.
    pub translations: Vec<Translation>,
    /// What a person should know.
    pub warnings: Vec<Finding>,
    /// References that lead nowhere.
    pub broken: Vec<Finding>,
    /// URLs that were exchanged in the middle of texts of the draft.
    pub urls_in_text: u64,
}

/// An edition and what finds it.
#[derive(Debug, Clone)]
pub struct Version {
    /// What a reader sees.
    pub edition: Edition,
    /// The words of its content.
    pub search_text: String,
    /// What its content refers to.
    pub refs: Vec<String>,
    /// The plain fields of its content.
    pub fields: Vec<index::Field>,
}

/// The published copy.
#[derive(Debug, Clone)]
pub struct Published {
    /// When it was published, if the source told.
    pub at: Option<Timestamp>,
    /// What it is; `None` when it is the same as the draft.
    pub differs: Option<Version>,
}

/// A slug and a name in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// The language.
    pub lang: String,
    /// The slug.
    pub slug: Option<String>,
    /// The name.
    pub name: Option<String>,
}

impl record::Story {
    /// What a person knows it by.
    pub fn label(&self) -> &str {
        if self.full_slug.is_empty() { &self.slug } else { &self.full_slug }
    }

    /// Which of the two it is.
    pub fn kind(&self) -> Kind {
        if self.is_folder { Kind::Folder } else { Kind::Story }
    }
}

/// Prepares a story; what is wrong with it otherwise.
pub fn story(from: record::Story, maps: &Maps) -> Result<Story, Finding> {
    let (kind, id, label) = (from.kind(), from.id, from.label().to_owned());
    prepared(from, maps).map_err(|fault| Finding::new("invalid", kind, id, &label, &*fault.message))
}

fn prepared(from: record::Story, maps: &Maps) -> Result<Story, Fault> {
    let (kind, label) = (from.kind(), from.label().to_owned());
    let mut notes = Notes { kind, id: from.id, label, warnings: Vec::new(), broken: Vec::new(), urls_in_text: 0 };
    let slug = Slug::parse(&from.slug)?;
    for odd in &from.odd {
        notes.warn("attributeOdd", odd);
    }
    let draft = version(&from, Base::of(&from), maps, &mut notes)?;
    let urls_in_text = notes.urls_in_text;
    let published = published(&from, &draft, maps, &mut notes)?;
    let is_published_unseen = from.published && !from.is_folder && published.is_none();
    let (plan, schedulings) = planned(&from, &mut notes);
    let translations = translations(&from, &mut notes);
    Ok(Story {
        source_id: from.id,
        uuid: from.uuid,
        group_id: from.group_id.unwrap_or(from.uuid),
        parent: from.parent_id.unwrap_or(0),
        is_folder: from.is_folder,
        is_startpage: from.is_startpage && !from.is_folder,
        slug: slug.as_str().to_owned(),
        position: from.position,
        default_root: from.default_root.filter(|default_root| !default_root.is_empty()),
        disable_fe_editor: from.disable_fe_editor || from.disble_fe_editor,
        pinned: from.pinned,
        draft,
        published,
        is_published_unseen,
        first_published_at: from.first_published_at,
        created_at: from.created_at,
        updated_at: from.updated_at,
        plan,
        schedulings,
        translations,
        warnings: notes.warnings,
        broken: notes.broken,
        urls_in_text,
    })
}

/// What is planned for a story. Times that have passed are kept here: whether they have is known when it is written.
fn planned(from: &record::Story, notes: &mut Notes) -> (Plan, Vec<Timestamp>) {
    let mut moment = |what: &str, text: &str| {
        let read = timestamp::read(text);
        if read.is_none() {
            notes.warn("scheduleUnreadable", format!("was to be {what} at {text}, which is no time: it is left out"));
        }
        read
    };
    let mut own =
        |what, text: &Option<String>| text.as_deref().filter(|text| !text.trim().is_empty()).and_then(|text| moment(what, text));
    let plan = Plan { publish_at: own("published", &from.publish_at), expire_at: own("taken offline", &from.expire_at) };
    let mut all: Vec<Timestamp> = Vec::new();
    for it in
        from.schedulings.iter().filter(|scheduling| scheduling.status.as_deref().is_none_or(|scheduling| scheduling == "scheduled"))
    {
        if it.language.as_deref().is_some_and(|language| !language.is_empty() && language != "[default]") {
            let (code, at) = (it.language.as_deref().unwrap_or_default(), &it.publish_at);
            notes.warn(
                "scheduleOfLanguage",
                format!("was to be published in the language {code} at {at}: only all languages can be"),
            );
        } else if let Some(at) = timestamp::read(&it.publish_at) {
            all.push(at);
        } else {
            notes.warn("scheduleUnreadable", format!("was to be published at {}, which is no time: it is left out", it.publish_at));
        }
    }
    all.sort_unstable();
    all.dedup();
    if from.is_folder { (Plan::default(), Vec::new()) } else { (plan, all) }
}

/// The name as far as it can be stored; the slug, where there is none.
fn name(given: &str, slug: &str, notes: &mut Notes) -> String {
    if let Ok(name) = clean_name(given) {
        return name;
    }
    notes.warn_once("attributeOdd", "name is blank, or longer than 255 characters: it is cut, or the slug");
    let name: String = given.chars().take(255).collect();
    if name.trim().is_empty() { slug.chars().take(255).collect() } else { name }
}

/// The tags that can be stored.
fn tags(given: &[String], notes: &mut Notes) -> Result<Vec<String>, Fault> {
    if let Ok(tags) = clean_tags(given.to_vec()) {
        return Ok(tags);
    }
    notes.warn_once("attributeOdd", "tag_list has tags longer than 255 characters, or more than 500: those are left out");
    clean_tags(given.iter().filter(|g| g.trim().chars().count() <= 255).take(500).cloned().collect())
}

fn version(from: &record::Story, base: Base<'_>, maps: &Maps, notes: &mut Notes) -> Result<Version, Fault> {
    let uids = &Derived { seed: from.uuid, drawn: AtomicU64::new(0) };
    let name = name(base.name, &from.slug, notes);
    let tags = tags(base.tags, notes)?;
    let given: Value = match base.content {
        Some(text) => serde_json::from_str(text.get()).map_err(|error| Fault::invalid("content", "invalid", error.to_string()))?,
        None => Value::Null,
    };
    let (content, raw, component) = if from.is_folder {
        let settings = if given.is_object() { given } else { Value::Object(serde_json::Map::new()) };
        let raw = serde_json::value::to_raw_value(&settings).map_err(|error| Fault::internal(error.to_string()))?;
        (settings, raw, None)
    } else {
        let before = uids.drawn.load(Ordering::Relaxed);
        let mut content = blocks::complete(Some(given), None, uids)?;
        let found = rewrite::content(&mut content, maps);
        notes.found(&found);
        let completed = uids.drawn.load(Ordering::Relaxed) != before;
        // What needed no change stays as it was written, to the byte.
        let raw = match base.content {
            Some(text) if !found.changed && !completed => text.to_owned(),
            _ => serde_json::value::to_raw_value(&content).map_err(|error| Fault::internal(error.to_string()))?,
        };
        let component = content.as_object().and_then(blocks::component).map(str::to_owned);
        (content, raw, component)
    };
    let (search_text, refs, fields) = if from.is_folder {
        // Nobody looks for folders by what they hold.
        (String::new(), Vec::new(), Vec::new())
    } else {
        (index::text(&content), references::index_refs(&content), index::fields(&raw))
    };
    let path = base.path.map(|path| path.trim().to_owned()).filter(|path| !path.is_empty());
    let meta_data = base.meta_data.map(ToOwned::to_owned);
    let edition = Edition { name, component, content: raw, tags, sort_by_date: base.sort_by_date, path, meta_data };
    Ok(Version { edition, search_text, refs, fields })
}

fn translations(from: &record::Story, notes: &mut Notes) -> Vec<Translation> {
    let mut all: Vec<Translation> = Vec::new();
    for it in &from.translated_slugs {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let (slug, name) = (given(&it.slug), given(&it.name));
        let slug_is_right = slug.as_deref().is_none_or(|slug| Slug::parse(slug).is_ok());
        let name_is_right = name.as_deref().is_none_or(|name| clean_name(name).is_ok());
        if !language::is_code(&it.lang) || !slug_is_right || !name_is_right || all.iter().any(|other| other.lang == it.lang) {
            notes.warn("translationInvalid", format!("its slug or name in the language {} is left out", it.lang));
        } else if slug.is_some() || name.is_some() {
            all.push(Translation { lang: it.lang.clone(), slug: slug.map(|slug| slug.trim().to_owned()), name });
        }
    }
    all
}

/// What is to be told of one story.
struct Notes {
    kind: Kind,
    id: i64,
    label: String,
    warnings: Vec<Finding>,
    broken: Vec<Finding>,
    urls_in_text: u64,
}

impl Notes {
    fn warn(&mut self, code: &str, message: impl AsRef<str>) {
        self.warnings.push(Finding::new(code, self.kind, self.id, &self.label, message));
    }

    /// The same, when it was not told of the draft already.
    fn warn_once(&mut self, code: &str, message: &str) {
        if !self.warnings.iter().any(|warning| warning.code == code && warning.message == message) {
            self.warn(code, message);
        }
    }

    fn found(&mut self, found: &rewrite::Found) {
        self.urls_in_text += found.urls_in_text;
        let record = (self.kind, self.id, self.label.as_str());
        // The draft and the published copy mostly have the same ones.
        let new = |told: &[Finding], all: Vec<Finding>| -> Vec<Finding> {
            all.into_iter().filter(|value| !told.contains(value)).collect()
        };
        let (broken, warnings) = (new(&self.broken, found.broken(record)), new(&self.warnings, found.warnings(record)));
        self.broken.extend(broken);
        self.warnings.extend(warnings);
    }
}

/// `_uid`s that follow from the story, so that importing it again gives the same.
struct Derived {
    seed: Uuid,
    drawn: AtomicU64,
}

impl Entropy for Derived {
    fn fill(&self, buffer: &mut [u8]) {
        let (high, low) = self.seed.as_u64_pair();
        for chunk in buffer.chunks_mut(8) {
            // SplitMix64 (Steele, Lea, Flood 2014).
            let drawn = self.drawn.fetch_add(1, Ordering::Relaxed) + 1;
            let mut word = (high ^ low.rotate_left(32)).wrapping_add(drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^= word >> 31;
            chunk.iter_mut().zip(word.to_le_bytes()).for_each(|(to, from)| *to = from);
        }
    }
}

#[cfg(test)]
mod tests;
