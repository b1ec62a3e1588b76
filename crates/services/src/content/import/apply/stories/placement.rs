//! Determines the folder and path of each story.
//!
//! Mostly these are those of the source. A story whose folder cannot be here goes to the top, and a slug that
//! cannot be kept is replaced. A story whose path is taken stands beside it, with its id at the source behind
//! its slug.

mod paths;
mod wanted;

pub(super) use wanted::wanted;

use super::plans::Plans;
use crate::content::import::{
    apply::{
        ApplyContext, ChunkOutcome,
        record::{PreparedContent, PreparedRecord, report_unusable},
    },
    state::{Folder, ImportState, is_same_path},
};
use crypto::digest;
use domain::{
    content::{
        import::{Fingerprint, Kind, SourceId, Subject, prepare},
        slug,
        story::StoryPlace,
    },
    shared::{Fault, StoryId, json},
};
use jiff::Timestamp;
use std::{borrow::Cow, collections::BTreeMap};
use wanted::{Parent, find_parent};

/// A prepared story with its id and its place in this space.
pub(super) struct PlacedStory<'a> {
    pub(super) source: &'a prepare::Story,
    pub(super) id: StoryId,
    pub(super) place: StoryPlace,
    /// How many other slugs were tried before that of its place.
    attempts: u32,
    /// Whether its path is that of the source as long as no other slug is tried.
    is_known: bool,
    folder: Option<Folder>,
    pub(super) plans: Plans,
    /// Why it is not in the folder of the source.
    misplaced: Option<&'static str>,
    pub(super) fingerprint: Fingerprint,
    /// What the last import stored.
    pub(super) last: Option<Fingerprint>,
}

impl PlacedStory<'_> {
    /// Whether the last import stored the same.
    pub(super) fn is_unchanged(&self) -> bool {
        self.last == Some(self.fingerprint)
    }

    /// Whether it stands at the path of the source.
    pub(super) fn has_known_path(&self) -> bool {
        self.is_known && self.attempts == 0
    }

    /// Gives it the next slug that no other record of the source has in its folder: its own with its id at
    /// the source, and then with a number.
    pub(super) fn try_next_slug(&mut self, state: &ImportState) -> Result<(), Fault> {
        loop {
            self.attempts += 1;
            let (slug, id) = (&self.source.slug, self.source.source_id);
            let slug = if self.attempts == 1 { format!("{slug}-{id}") } else { format!("{slug}-{id}-{}", self.attempts) };
            if state.source_stories.is_claimed(self.folder.as_ref().map_or(SourceId::NONE, |_| self.source.parent), &slug) {
                continue;
            }
            // A folder has one start page, whose slug is no part of its path.
            let is_startpage = self.source.is_startpage && self.folder.is_none();
            self.place = place_at(self.source, self.folder.as_ref(), slug, is_startpage)?;
            return Ok(());
        }
    }

    /// The path at which the story exists if it has not been moved here. In a dry run, folders above it that
    /// would be moved are still at their old paths.
    pub(super) fn current_path(&self, context: &ApplyContext<'_>) -> Cow<'_, str> {
        let folder = context.state.original_paths.get(&self.place.parent).filter(|_| context.ctx().is_none());
        match folder.map(|folder| slug::full_slug(Some(folder), &self.place.slug, self.place.is_startpage)) {
            Some(Ok(path)) => path.into(),
            _ => self.place.full_slug.as_str().into(),
        }
    }

    /// Its paths in other languages.
    pub(super) fn translated_paths(&self) -> BTreeMap<String, String> {
        paths::translated(self.source, &self.place, self.folder.as_ref())
    }

    /// Reports where it is, as far as that is somewhere else than at the source.
    pub(super) fn report_place(&self, state: &ImportState, outcome: &mut ChunkOutcome) {
        let mut warn = |code, message: String| {
            let subject = Subject { label: &self.place.full_slug, ..self.source.subject() };
            outcome.warn(subject.finding(code, message));
        };
        if let Some(why) = self.misplaced {
            warn("parentMissing", format!("{why}: it stands at the top"));
        }
        let listed_folder = state.source_stories.get(self.source.parent);
        let is_folder_elsewhere = |lang: Option<&str>| {
            let folder = self.folder.as_ref().zip(listed_folder);
            folder.is_some_and(|(folder, listed)| folder.is_elsewhere(listed, lang))
        };
        if let Some(difference) = paths::difference(self.source, &self.place, &self.translated_paths(), is_folder_elsewhere) {
            warn("pathDiffers", difference);
        }
    }
}

/// Places the stories that can be here; the others are reported.
pub(super) fn place_stories<'a>(
    kind: Kind,
    state: &ImportState,
    records: &'a [PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Vec<PlacedStory<'a>> {
    let mut placed = Vec::with_capacity(records.len());
    for record in records {
        match &record.content {
            PreparedContent::Story(Ok(story)) => placed.extend(place_story(state, story, outcome)),
            PreparedContent::Story(Err(finding)) => outcome.fail(finding.clone()),
            other => report_unusable(kind, other, outcome),
        }
    }
    placed
}

fn place_story<'a>(state: &ImportState, source: &'a prepare::Story, outcome: &mut ChunkOutcome) -> Option<PlacedStory<'a>> {
    let Some(mapping) = state.mapping(source.source_id) else {
        let message = "it was made at the source while the import was running: the next import brings it";
        outcome.skip(source.subject().finding("late", message));
        return None;
    };
    let (folder, misplaced) = match find_parent(state, outcome, source.source_id, source.parent) {
        Parent::Folder(folder) => (folder, None),
        Parent::None(why) => (None, Some(why)),
    };
    let place = match place_at(source, folder.as_ref(), source.slug.clone(), source.is_startpage) {
        Ok(place) => place,
        Err(fault) => {
            outcome.reject(source.subject(), &fault);
            return None;
        }
    };
    let has_own_path = source.source_paths.full_slug.as_deref().is_some_and(|path| is_same_path(path, &place.full_slug));
    let plans = Plans::of(&source.schedulings, &state.languages);
    let fingerprint = fingerprint(source, &plans, place.parent);
    let mut placed = PlacedStory {
        source,
        id: mapping.id,
        place,
        attempts: 0,
        is_known: (misplaced.is_none() && !source.has_other_slug) || has_own_path,
        folder,
        plans,
        misplaced,
        fingerprint,
        last: mapping.fingerprint,
    };
    // A path that the source does not know must not stand in the way of one that it does.
    let folder_id = if placed.folder.is_some() { source.parent } else { SourceId::NONE };
    if !placed.is_known
        && state.source_stories.is_claimed(folder_id, &placed.place.slug)
        && let Err(fault) = placed.try_next_slug(state)
    {
        outcome.reject(source.subject(), &fault);
        return None;
    }
    source.warnings.iter().for_each(|warning| outcome.warn(warning.clone()));
    source.broken.iter().for_each(|broken| outcome.report.broken_references.add(broken.clone()));
    outcome.report.urls_in_text += source.urls_in_text;
    Some(placed)
}

/// A place in a folder. The error says that a path would be too long.
fn place_at(source: &prepare::Story, folder: Option<&Folder>, slug: String, is_startpage: bool) -> Result<StoryPlace, Fault> {
    let full_slug = slug::full_slug(folder.map(|folder| folder.full_slug.as_str()), &slug, is_startpage)?;
    let parent = folder.map_or(StoryId::ROOT, |folder| folder.id);
    let place = StoryPlace { parent, slug, full_slug, position: source.position, is_startpage };
    let longest = paths::translated(source, &place, folder).into_values().map(|path| path.len()).max();
    if longest > Some(slug::MAX_FULL_SLUG) { Err(slug::too_long()) } else { Ok(place) }
}

/// The fingerprint of everything that is stored of a story, as values.
fn fingerprint(story: &prepare::Story, plans: &Plans, parent: StoryId) -> Fingerprint {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let time = |at: &Option<Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
    let mut parts = vec![
        story.uuid.to_string(),
        story.group_id.to_string(),
        parent.to_string(),
        format!("{} {} {} {}", story.is_folder, story.is_startpage, story.disable_fe_editor, story.pinned),
        format!("{}", story.is_published_unseen),
        story.slug.clone(),
        story.position.to_string(),
        text(&story.default_root),
        time(&story.created_at),
        time(&story.updated_at),
        time(&story.first_published_at),
        format!("{} {} {:?}", time(&story.schedule.publish_at), time(&story.schedule.expire_at), plans.kept),
    ];
    let mut add_version = |prepare::Version { edition, canonical, .. }: &prepare::Version| {
        parts.extend([edition.name.clone(), canonical.clone(), edition.tags.join("\n"), text(&edition.path)]);
        parts.push(edition.sort_by_date.map(|date| date.to_string()).unwrap_or_default());
        parts.push(edition.meta_data.as_deref().map(json::canonical_text).unwrap_or_default());
    };
    add_version(&story.draft);
    if let Some(published) = &story.published {
        if let Some(version) = &published.differs {
            add_version(version);
        }
        parts.push(format!("published {}", time(&published.at)));
    }
    for translation in &story.translations {
        parts.extend([translation.lang.clone(), text(&translation.slug), text(&translation.name)]);
    }
    digest::of_parts(parts.iter().map(String::as_bytes))
}
