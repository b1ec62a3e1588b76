//! What applying a chunk did. It becomes part of the import's state once the chunk is committed.

use crate::content::import::state::{DryRunCreated, Folder, ImportState, id_space};
use domain::{
    content::{
        StoryEvent,
        import::{Finding, Fingerprint, Kind, Outcome, Report, rewrite::RewriteResult},
    },
    shared::Fault,
};
use serde_json::{Map, Value};
use std::collections::HashMap;
use storage::content::imports::{displaced_stories::DisplacedStory, ids::IdMapping};

/// What applying a chunk did, or would do in a dry run.
#[derive(Debug, Clone)]
pub struct ChunkOutcome {
    /// The report of the import, including this chunk.
    pub report: Report,
    /// New and changed mappings from the source's ids.
    pub ids: Vec<(Kind, i64, IdMapping)>,
    /// Webhook events, to be sent if the import has webhooks.
    pub events: Vec<StoryEvent>,
    /// Whether the chunk changes what published reads return.
    pub is_visible: bool,
    /// The outcomes of the records of this chunk, for metrics and the audit log.
    pub outcomes: Vec<(Kind, Outcome)>,
    /// Story folders, by their ids at the source.
    pub(super) folders: Vec<(i64, Folder)>,
    /// The ids at the source of folders that are in the trash here.
    pub(super) trashed_folders: Vec<i64>,
    /// Components with their schemas.
    pub(super) schemas: Vec<(String, Map<String, Value>)>,
    /// Assets: the URL at the source, the id here, the URL here.
    pub(super) asset_urls: Vec<(String, i64, String)>,
    /// Datasource entries: datasource, name, and the id at the source.
    pub(super) entry_names: Vec<((i64, String), i64)>,
    /// The paths that the stories of a dry run would occupy.
    pub(super) occupied: Vec<String>,
    /// Stories that a dry run would displace.
    pub(super) displaced: Vec<DisplacedStory>,
    /// The ids of stories that a dry run would move to their own paths.
    pub(super) arrived: Vec<i64>,
    /// What a dry run would create.
    pub(super) dry_run_created: DryRunCreated,
    last_fake_id: i64,
}

impl ChunkOutcome {
    /// An empty outcome on top of the report so far.
    pub fn new(report: Report, state: &ImportState) -> Self {
        Self {
            report,
            ids: Vec::new(),
            events: Vec::new(),
            is_visible: false,
            outcomes: Vec::new(),
            folders: Vec::new(),
            trashed_folders: Vec::new(),
            schemas: Vec::new(),
            asset_urls: Vec::new(),
            entry_names: Vec::new(),
            occupied: Vec::new(),
            displaced: Vec::new(),
            arrived: Vec::new(),
            dry_run_created: DryRunCreated::default(),
            last_fake_id: state.last_fake_id,
        }
    }

    /// How many records of this chunk were created or changed.
    pub(crate) fn count_changed(&self) -> usize {
        self.outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Created | Outcome::Updated)).count()
    }

    /// The mapping of a record, including those of this chunk.
    pub(super) fn mapping(&self, state: &ImportState, kind: Kind, source_id: i64) -> Option<IdMapping> {
        let is_same = |(other, id, _): &&(Kind, i64, IdMapping)| (id_space(*other), *id) == (id_space(kind), source_id);
        self.ids.iter().rev().find(is_same).map(|(_, _, mapping)| *mapping).or_else(|| state.mapping(kind, source_id))
    }

    /// A story folder by its id at the source, including those of this chunk.
    pub(super) fn folder(&self, state: &ImportState, source_id: i64) -> Option<Folder> {
        let folder = self.folders.iter().rev().find(|(id, _)| *id == source_id).map(|(_, folder)| folder);
        folder.or_else(|| state.folders.get(&source_id)).cloned()
    }

    /// Moves the known folders below one that has moved.
    pub(super) fn move_folders_below(&mut self, state: &ImportState, before: &Folder, after: &Folder) {
        let mut folders: HashMap<i64, &Folder> = state.folders.iter().map(|(id, folder)| (*id, folder)).collect();
        folders.extend(self.folders.iter().map(|(id, folder)| (*id, folder)));
        let moved: Vec<_> = folders.into_iter().filter_map(|(id, folder)| Some((id, folder.moved_with(before, after)?))).collect();
        self.folders.extend(moved);
    }

    /// Whether a folder of the source is in the trash here.
    pub(super) fn is_trashed(&self, state: &ImportState, source_id: i64) -> bool {
        self.trashed_folders.contains(&source_id) || state.trashed_folders.contains(&source_id)
    }

    /// An id for a record that a dry run would create. Fake ids are negative.
    pub(super) fn next_fake_id(&mut self) -> i64 {
        self.last_fake_id -= 1;
        self.last_fake_id
    }

    /// Counts an imported record and keeps its mapping. A record that this import has processed before a crash keeps its earlier outcome in the report.
    pub(super) fn record_outcome(
        &mut self,
        state: &ImportState,
        (kind, source_id): (Kind, i64),
        outcome: Outcome,
        id: i64,
        fingerprint: Fingerprint,
    ) {
        let reported = outcome.after(state.mapping(kind, source_id).and_then(|mapping| mapping.outcome));
        self.ids.push((kind, source_id, IdMapping { id, fingerprint: Some(fingerprint), outcome: Some(reported) }));
        self.report.count(kind, reported);
        self.outcomes.push((kind, outcome));
    }

    /// Reports a record that could not be imported.
    pub(super) fn fail(&mut self, finding: Finding) {
        self.outcomes.push((finding.kind, Outcome::Failed));
        self.report.fail(finding);
    }

    /// Reports a record that the domain's rules reject.
    pub(super) fn reject(&mut self, kind: Kind, source_id: i64, label: &str, fault: &Fault) {
        self.fail(Finding::new("invalid", kind, source_id, label, &*fault.message));
    }

    /// Reports a record that was left out deliberately.
    pub(super) fn skip(&mut self, finding: Finding) {
        self.outcomes.push((finding.kind, Outcome::Skipped));
        self.report.skip(finding);
    }

    /// Reports a warning.
    pub(super) fn warn(&mut self, finding: Finding) {
        self.report.warnings.add(finding);
    }

    /// Reports what was found while a record's references were rewritten.
    pub(super) fn add_rewrite_result(&mut self, result: &RewriteResult, record: (Kind, i64, &str)) {
        self.report.urls_in_text += result.urls_in_text;
        result.warnings(record).into_iter().for_each(|finding| self.report.warnings.add(finding));
        result.broken(record).into_iter().for_each(|finding| self.report.broken_references.add(finding));
    }

    /// Merges the outcome into the state after the commit. Returns the report.
    pub fn merge_into(self, state: &mut ImportState) -> Report {
        state.last_fake_id = self.last_fake_id;
        state.dry_run_created.extend(self.dry_run_created);
        for (kind, source_id, mapping) in self.ids {
            // The earlier outcome counts once: if the source has the same record twice, the second one is reported by itself.
            if mapping.outcome.is_some() && id_space(kind) == Kind::Story {
                state.settled_stories.insert(source_id);
            }
            state.insert_mapping(kind, source_id, IdMapping { outcome: None, ..mapping });
        }
        state.trashed_folders.extend(self.trashed_folders);
        state.displaced.extend(self.displaced);
        state.arrived.extend(self.arrived);
        state.folders.extend(self.folders);
        state.entry_names.extend(self.entry_names);
        state.occupied.extend(self.occupied);
        for (old, id, new) in self.asset_urls {
            state.maps.urls.insert(&old, &new);
            state.asset_urls.insert(id, new);
        }
        for (name, schema) in self.schemas {
            state.maps.schemas.insert(&name, &schema);
        }
        self.report
    }
}

#[cfg(test)]
mod tests {
    use super::ChunkOutcome;
    use crate::content::import::state::{Folder, ImportState};
    use domain::{
        content::import::{Finding, Kind, Outcome, Report, rewrite::RewriteResult},
        shared::{Fault, FieldCode},
    };
    use storage::content::imports::ids::IdMapping;

    fn outcome(state: &ImportState) -> ChunkOutcome {
        ChunkOutcome::new(Report::default(), state)
    }

    #[test]
    fn what_this_chunk_has_done_counts_before_what_was_known() {
        let mut state = ImportState::default();
        state.insert_mapping(Kind::Story, 1, IdMapping::reserved(11));
        state.insert_mapping(Kind::Asset, 1, IdMapping::reserved(12));
        let mut outcome = outcome(&state);
        let id = |outcome: &ChunkOutcome, kind, source| outcome.mapping(&state, kind, source).map(|mapping| mapping.id);
        assert_eq!(
            (id(&outcome, Kind::Story, 1), id(&outcome, Kind::Folder, 1), id(&outcome, Kind::Asset, 1)),
            (Some(11), Some(11), Some(12))
        );
        outcome.ids.push((Kind::Folder, 1, IdMapping::reserved(21)));
        outcome.ids.push((Kind::Folder, 2, IdMapping::reserved(22)));
        assert_eq!(
            (id(&outcome, Kind::Story, 1), id(&outcome, Kind::Story, 2), id(&outcome, Kind::Asset, 1)),
            (Some(21), Some(22), Some(12))
        );
        assert_eq!(id(&outcome, Kind::Preset, 1), None);
    }

    #[test]
    fn a_folder_is_the_one_that_this_chunk_wrote_or_that_was_known() {
        let folder = |id| Folder { id, full_slug: "f".to_owned(), translated: std::collections::BTreeMap::new() };
        let mut state = ImportState::default();
        state.trashed_folders.insert(7);
        state.folders.insert(1, folder(11));
        let mut outcome = outcome(&state);
        assert_eq!((outcome.folder(&state, 1), outcome.folder(&state, 2)), (Some(folder(11)), None));
        outcome.folders.extend([(1, folder(21)), (2, folder(22))]);
        assert_eq!((outcome.folder(&state, 1), outcome.folder(&state, 2)), (Some(folder(21)), Some(folder(22))));
        outcome.trashed_folders.push(8);
        assert_eq!([7, 8, 9].map(|id| outcome.is_trashed(&state, id)), [true, true, false]);
    }

    #[test]
    fn ids_of_a_dry_run_are_negative_and_never_the_same() {
        let mut state = ImportState::default();
        let mut first = outcome(&state);
        assert_eq!((first.next_fake_id(), first.next_fake_id()), (-1, -2));
        first.merge_into(&mut state);
        assert_eq!(outcome(&state).next_fake_id(), -3);
    }

    #[test]
    fn a_record_that_came_before_a_crash_is_reported_as_it_was_then() {
        let mut state = ImportState::default();
        let created = IdMapping { id: 11, fingerprint: None, outcome: Some(Outcome::Created) };
        state.insert_mapping(Kind::Preset, 1, created);
        let mut outcome = outcome(&state);
        outcome.record_outcome(&state, (Kind::Preset, 1), Outcome::Unchanged, 11, [1; 16]);
        outcome.record_outcome(&state, (Kind::Preset, 2), Outcome::Unchanged, 12, [2; 16]);
        outcome.record_outcome(&state, (Kind::Preset, 3), Outcome::Updated, 13, [3; 16]);
        let count = outcome.report.counts[&Kind::Preset];
        assert_eq!((count.created, count.unchanged, count.updated), (1, 1, 1));
        assert_eq!(outcome.count_changed(), 1, "what this chunk did");
        assert_eq!(
            outcome.mapping(&state, Kind::Preset, 3),
            Some(IdMapping { id: 13, fingerprint: Some([3; 16]), outcome: Some(Outcome::Updated) })
        );
    }

    #[test]
    fn failures_and_what_is_left_out_are_outcomes_too() {
        let state = ImportState::default();
        let mut outcome = outcome(&state);
        outcome.reject(Kind::Story, 1, "a", &Fault::invalid("slug", FieldCode::Taken, "has already been taken"));
        outcome.skip(Finding::new("gone", Kind::Asset, 2, "", "it is gone"));
        outcome.warn(Finding::new("odd", Kind::Story, 3, "c", "it is odd"));
        assert_eq!(outcome.outcomes, [(Kind::Story, Outcome::Failed), (Kind::Asset, Outcome::Skipped)]);
        assert_eq!((outcome.count_changed(), outcome.report.failures.total, outcome.report.warnings.total), (0, 1, 2));
        assert_eq!(outcome.report.failures.items[0].code, "invalid");
    }

    #[test]
    fn what_was_rewritten_in_a_record_is_reported() {
        let state = ImportState::default();
        let mut outcome = outcome(&state);
        let result = RewriteResult {
            urls_in_text: 3,
            broken: vec![("body".into(), "x".into())],
            plugins: vec!["map".into()],
            ..RewriteResult::default()
        };
        for _ in 0..2 {
            outcome.add_rewrite_result(&result, (Kind::Story, 1, "a"));
        }
        let report = outcome.report;
        assert_eq!((report.urls_in_text, report.broken_references.total, report.warnings.total), (6, 2, 2));
    }

    #[test]
    fn a_chunk_becomes_part_of_what_the_import_knows_when_it_is_committed() {
        let mut state = ImportState::default();
        let mut outcome = outcome(&state);
        outcome.record_outcome(&state, (Kind::Folder, 1), Outcome::Created, 11, [1; 16]);
        outcome.ids.push((Kind::Story, 2, IdMapping::reserved(12)));
        outcome.record_outcome(&state, (Kind::Asset, 3), Outcome::Created, 13, [3; 16]);
        outcome.asset_urls.push(("https://a.example/f/1/x.png".into(), 13, "/assets/x.png".into()));
        outcome.occupied.push("a/b".into());
        outcome.arrived.push(11);
        outcome.entry_names.push(((5, "red".into()), 6));
        let report = outcome.merge_into(&mut state);
        assert_eq!(report.done(), 2);
        assert_eq!(
            state.mapping(Kind::Story, 1).map(|mapping| (mapping.id, mapping.outcome)),
            Some((11, None)),
            "its outcome counts once"
        );
        assert_eq!(state.settled_stories, [1].into(), "a reserved id settles nothing, and neither does an asset");
        assert_eq!((state.maps.stories.get(&2), state.maps.assets.get(&3)), (Some(&12), Some(&13)));
        assert_eq!(state.asset_urls.get(&13).map(String::as_str), Some("/assets/x.png"));
        assert!(
            state.occupied.contains("a/b") && state.arrived.contains(&11) && state.entry_names.contains_key(&(5, "red".to_owned()))
        );
    }
}
