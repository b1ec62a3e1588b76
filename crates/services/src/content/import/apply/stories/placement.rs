//! Determines the folder and path of each story.

use crate::content::import::{
    apply::{
        ApplyMode, ChunkOutcome,
        record::{PreparedContent, PreparedRecord, report_unusable},
    },
    state::ImportState,
};
use crypto::digest;
use domain::{
    content::{
        import::{Finding, Fingerprint, Kind, prepare},
        slug,
        story::Place,
    },
    shared::{StoryId, json},
};
use jiff::Timestamp;
use std::borrow::Cow;

/// A prepared story with its id and its place in this space.
pub(super) struct PlacedStory<'a> {
    pub(super) source: &'a prepare::Story,
    pub(super) id: i64,
    pub(super) place: Place,
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
    let folder = outcome.folder(state, source.parent);
    if folder.is_none() && source.parent != 0 {
        outcome.fail(finding("folderMissing", "the folder it stands in was not imported"));
        return None;
    }
    let folder_path = folder.as_ref().map(|folder| folder.full_slug.as_str());
    let full_slug = match slug::full_slug(folder_path, &source.slug, source.is_startpage) {
        Ok(full_slug) => full_slug,
        Err(fault) => {
            outcome.reject(kind, source.source_id, &source.slug, &fault);
            return None;
        }
    };
    let Some(mapping) = state.mapping(kind, source.source_id) else {
        outcome.skip(finding("late", "it was made at the source while the import was running: the next import brings it"));
        return None;
    };
    source.warnings.iter().for_each(|warning| outcome.warn(warning.clone()));
    source.broken.iter().for_each(|broken| outcome.report.broken_references.add(broken.clone()));
    outcome.report.urls_in_text += source.urls_in_text;
    let place = Place {
        parent: StoryId(folder.map_or(0, |folder| folder.id)),
        slug: source.slug.clone(),
        full_slug,
        position: source.position,
        is_startpage: source.is_startpage,
    };
    let fingerprint = fingerprint(source, place.parent);
    Some(PlacedStory { source, id: mapping.id, place, fingerprint, is_unchanged: mapping.fingerprint == Some(fingerprint) })
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
