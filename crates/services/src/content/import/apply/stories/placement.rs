//! Determines the folder and path of each story.
//!
//! Mostly these are those of the source. A story whose folder cannot be here goes to the root, and a slug that cannot be kept is replaced; such a story
//! gets its id at the source behind its slug if another story has its path.

mod paths;

use crate::content::import::{
    apply::{
        ApplyMode, ChunkOutcome,
        record::{PreparedContent, PreparedRecord, report_unusable},
    },
    state::{Folder, ImportState, is_same_path},
};
use crypto::digest;
use domain::{
    content::{
        import::{Finding, Fingerprint, Kind, prepare},
        slug,
        story::Place,
    },
    shared::{Fault, StoryId, json},
};
use jiff::Timestamp;
use std::{borrow::Cow, collections::BTreeMap};

/// A prepared story with its id and its place in this space.
pub(super) struct PlacedStory<'a> {
    pub(super) source: &'a prepare::Story,
    pub(super) id: i64,
    pub(super) place: Place,
    /// Where it goes if its path is occupied. Only stories that cannot have their path of the source have another one.
    pub(super) alternative: Option<Place>,
    /// Its folder.
    folder: Option<Folder>,
    /// Why it is not in the folder of the source.
    misplaced: Option<&'static str>,
    pub(super) fingerprint: Fingerprint,
    /// Whether the last import stored the same.
    pub(super) is_unchanged: bool,
}

impl PlacedStory<'_> {
    /// The path at which the story exists if it has not been moved here. In a dry run, folders above it that would be moved are still at their old
    /// paths.
    pub(super) fn current_path(&self, mode: &ApplyMode<'_>, state: &ImportState) -> Cow<'_, str> {
        let folder = state.original_paths.get(&self.place.parent.0).filter(|_| mode.ctx().is_none());
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
    pub(super) fn report_place(&self, kind: Kind, outcome: &mut ChunkOutcome) {
        let mut warn = |code, message: String| {
            outcome.warn(Finding::new(code, kind, self.source.source_id, &self.place.full_slug, message));
        };
        if let Some(why) = self.misplaced {
            warn("parentMissing", format!("{why}: it stands at the top"));
        }
        if let Some(difference) = paths::difference(self.source, &self.place.full_slug, &self.translated_paths()) {
            warn("pathDiffers", difference);
        }
    }
}

/// Places the stories whose folders exist; the others are reported.
pub(super) fn place_stories<'a>(
    kind: Kind,
    state: &ImportState,
    records: &[&'a PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Vec<PlacedStory<'a>> {
    let mut placed = Vec::with_capacity(records.len());
    for record in records {
        match &record.content {
            PreparedContent::Story(Ok(story)) => placed.extend(place_story(kind, state, story, outcome)),
            PreparedContent::Story(Err(finding)) => outcome.fail(finding.clone()),
            other => report_unusable(kind, other, outcome),
        }
    }
    placed
}

fn place_story<'a>(
    kind: Kind,
    state: &ImportState,
    source: &'a prepare::Story,
    outcome: &mut ChunkOutcome,
) -> Option<PlacedStory<'a>> {
    let finding = |code: &str, message: &str| Finding::new(code, kind, source.source_id, &source.slug, message);
    let Some(mapping) = state.mapping(kind, source.source_id) else {
        outcome.skip(finding("late", "it was made at the source while the import was running: the next import brings it"));
        return None;
    };
    let (folder, misplaced) = match find_parent(state, source, outcome) {
        Parent::Folder(folder) => (folder, None),
        Parent::None(why) => (None, Some(why)),
        Parent::NotImported => {
            outcome.fail(finding("folderMissing", "the folder it stands in was not imported"));
            return None;
        }
    };
    let place_at = |slug: String| -> Result<Place, Fault> {
        let above = folder.as_ref().map(|folder| folder.full_slug.as_str());
        let full_slug = slug::full_slug(above, &slug, source.is_startpage)?;
        let parent = StoryId(folder.as_ref().map_or(0, |folder| folder.id));
        let place = Place { parent, slug, full_slug, position: source.position, is_startpage: source.is_startpage };
        let longest = paths::translated(source, &place, folder.as_ref()).into_values().map(|path| path.len()).max();
        if longest > Some(slug::MAX_FULL_SLUG) { Err(slug::too_long()) } else { Ok(place) }
    };
    let mut place = match place_at(source.slug.clone()) {
        Ok(place) => place,
        Err(fault) => {
            outcome.reject(kind, source.source_id, &source.slug, &fault);
            return None;
        }
    };
    // A path that the source does not know must not stand in the way of one that it does.
    let has_own_path = source.source_paths.full_slug.as_deref().is_some_and(|path| is_same_path(path, &place.full_slug));
    let is_elsewhere = (misplaced.is_some() || source.has_other_slug) && !has_own_path;
    let mut alternative = is_elsewhere.then(|| place_at(format!("{}-{}", source.slug, source.source_id)).ok()).flatten();
    if state.source_stories.has_path(&place.full_slug)
        && let Some(free) = alternative.take()
    {
        place = free;
    }
    source.warnings.iter().for_each(|warning| outcome.warn(warning.clone()));
    source.broken.iter().for_each(|broken| outcome.report.broken_references.add(broken.clone()));
    outcome.report.urls_in_text += source.urls_in_text;
    let fingerprint = fingerprint(source, place.parent);
    let is_unchanged = mapping.fingerprint == Some(fingerprint);
    Some(PlacedStory { source, id: mapping.id, place, alternative, folder, misplaced, fingerprint, is_unchanged })
}

/// The folder of a story.
enum Parent {
    /// This folder, or the root.
    Folder(Option<Folder>),
    /// The root, because the story has no folder that could be here.
    None(&'static str),
    /// None: the folder belongs here, and the report says why it is not.
    NotImported,
}

fn find_parent(state: &ImportState, source: &prepare::Story, outcome: &ChunkOutcome) -> Parent {
    if source.parent == 0 {
        return Parent::Folder(None);
    }
    if let Some(folder) = outcome.folder(state, source.parent) {
        return Parent::Folder(Some(folder));
    }
    match state.source_stories.get(source.parent) {
        _ if outcome.is_trashed(state, source.parent) => Parent::None("its folder was deleted here"),
        Some(listed) if listed.is_folder => Parent::NotImported,
        Some(_) => Parent::None("what it stands in at the source is a story"),
        None => Parent::None("the source does not have its folder"),
    }
}

/// The fingerprint of everything that is stored of a story, as values.
fn fingerprint(story: &prepare::Story, parent: StoryId) -> Fingerprint {
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
        format!("{} {} {:?}", time(&story.schedule.publish_at), time(&story.schedule.expire_at), story.schedulings),
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
