//! What applying a chunk did. It becomes part of the import's state once the chunk is committed.

use crate::content::import::state::{DryRunCreated, Folder, ImportState};
use domain::{
    content::{
        Language, StoryEvent,
        import::{
            Finding, Fingerprint, IdMapping, IdMappings, Imported, Kind, Outcome, Report, SourceId, Subject,
            record::{DatasourceEntry, Story},
            rewrite::RewriteResult,
        },
    },
    shared::{AssetId, Fault, NumericId, StoryId},
};
use serde_json::{Map, Value};
use std::collections::HashMap;
use storage::content::imports::{displaced_stories::DisplacedStory, entries::NameInDatasource};

/// What became of a record that is here now.
pub(super) struct Applied<Id> {
    pub(super) outcome: Outcome,
    pub(super) id: Id,
    pub(super) fingerprint: Fingerprint,
}

/// An asset whose URL is exchanged in content.
#[derive(Debug, Clone)]
pub(super) struct AssetUrl {
    pub(super) id: AssetId,
    pub(super) at_source: String,
    pub(super) here: String,
}

/// What applying a chunk did, or would do in a dry run.
#[derive(Debug, Clone)]
pub struct ChunkOutcome {
    /// The report of the import, including this chunk.
    pub report: Report,
    /// New and changed mappings from the source's ids.
    pub ids: IdMappings,
    /// Webhook events, to be sent if the import has webhooks.
    pub events: Vec<StoryEvent>,
    /// Whether the chunk changes what published reads return.
    pub is_visible: bool,
    /// The outcomes of the records of this chunk, for metrics and the audit log.
    pub outcomes: Vec<(Kind, Outcome)>,
    /// The languages of the space, when this chunk has brought its settings.
    pub(in crate::content::import) languages: Option<Vec<Language>>,
    pub(super) folders: HashMap<SourceId<Story>, Folder>,
    /// Folders that are in the trash here.
    pub(super) trashed_folders: Vec<SourceId<Story>>,
    /// The schemas of components, by name.
    pub(super) schemas: HashMap<String, Map<String, Value>>,
    pub(super) asset_urls: Vec<AssetUrl>,
    pub(super) entry_names: HashMap<NameInDatasource, SourceId<DatasourceEntry>>,
    /// The paths that the stories of a dry run would occupy.
    pub(super) occupied: Vec<String>,
    /// Stories that a dry run would displace.
    pub(super) displaced: Vec<DisplacedStory>,
    /// Stories that a dry run would move to their own paths.
    pub(super) arrived: Vec<StoryId>,
    /// What a dry run would create.
    pub(super) dry_run_created: DryRunCreated,
    last_fake_id: i64,
}

impl ChunkOutcome {
    /// An empty outcome on top of the report so far.
    pub fn new(report: Report, state: &ImportState) -> Self {
        Self {
            report,
            ids: IdMappings::default(),
            events: Vec::new(),
            is_visible: false,
            outcomes: Vec::new(),
            languages: None,
            folders: HashMap::new(),
            trashed_folders: Vec::new(),
            schemas: HashMap::new(),
            asset_urls: Vec::new(),
            entry_names: HashMap::new(),
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
    pub(super) fn mapping<R: Imported>(&self, state: &ImportState, id: SourceId<R>) -> Option<IdMapping<R::Id>> {
        self.ids.get(id).or_else(|| state.mapping(id))
    }

    /// A story folder, including those of this chunk.
    pub(super) fn folder(&self, state: &ImportState, id: SourceId<Story>) -> Option<Folder> {
        self.folders.get(&id).or_else(|| state.folders.get(&id)).cloned()
    }

    /// Moves the known folders below one that has moved.
    pub(super) fn move_folders_below(&mut self, state: &ImportState, before: &Folder, after: &Folder) {
        let unchanged = state.folders.iter().filter(|(id, _)| !self.folders.contains_key(id));
        let folders = unchanged.chain(&self.folders);
        let moved: Vec<_> = folders.filter_map(|(id, folder)| Some((*id, folder.moved_with(before, after)?))).collect();
        self.folders.extend(moved);
    }

    /// Whether a folder of the source is in the trash here.
    pub(super) fn is_trashed(&self, state: &ImportState, id: SourceId<Story>) -> bool {
        self.trashed_folders.contains(&id) || state.trashed_folders.contains(&id)
    }

    /// An id for a record that a dry run would create. Fake ids are negative.
    pub(super) fn next_fake_id<Id: NumericId>(&mut self) -> Id {
        self.last_fake_id -= 1;
        Id::of(self.last_fake_id)
    }

    /// Counts an imported record and keeps its mapping. A record that this import has processed before a
    /// crash keeps its earlier outcome in the report.
    pub(super) fn record_outcome<R: Imported>(
        &mut self,
        state: &ImportState,
        (kind, source_id): (Kind, SourceId<R>),
        Applied { outcome, id, fingerprint }: Applied<R::Id>,
    ) {
        let reported = outcome.after(state.mapping(source_id).and_then(|mapping| mapping.outcome));
        self.ids.insert(source_id, IdMapping { id, fingerprint: Some(fingerprint), outcome: Some(reported) });
        self.report.count(kind, reported);
        self.outcomes.push((kind, outcome));
    }

    /// Reports a record that could not be imported.
    pub(super) fn fail(&mut self, finding: Finding) {
        self.outcomes.push((finding.kind, Outcome::Failed));
        self.report.fail(finding);
    }

    /// Reports a record that the domain's rules reject.
    pub(super) fn reject(&mut self, record: Subject<'_>, fault: &Fault) {
        self.fail(record.finding("invalid", &*fault.message));
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
    pub(super) fn add_rewrite_result(&mut self, result: &RewriteResult, record: Subject<'_>) {
        self.report.urls_in_text += result.urls_in_text;
        result.warnings(record).into_iter().for_each(|finding| self.report.warnings.add(finding));
        result.broken(record).into_iter().for_each(|finding| self.report.broken_references.add(finding));
    }

    /// Merges the outcome into the state after the commit. Returns the report.
    pub fn merge_into(self, state: &mut ImportState) -> Report {
        state.last_fake_id = self.last_fake_id;
        state.dry_run_created.extend(self.dry_run_created);
        if let Some(languages) = self.languages {
            state.languages = languages;
        }
        let settled = self.ids.of().filter(|(_, mapping)| mapping.outcome.is_some());
        state.settled_stories.extend(settled.map(|(source_id, _)| source_id));
        state.maps.ids.extend(self.ids);
        state.trashed_folders.extend(self.trashed_folders);
        state.displaced.extend(self.displaced);
        state.arrived.extend(self.arrived);
        state.folders.extend(self.folders);
        state.entry_names.extend(self.entry_names);
        state.occupied.extend(self.occupied);
        for AssetUrl { id, at_source, here } in self.asset_urls {
            state.maps.urls.insert(&at_source, &here);
            state.asset_urls.insert(id, here);
        }
        for (name, schema) in self.schemas {
            state.maps.schemas.insert(&name, &schema);
        }
        self.report
    }
}

#[cfg(test)]
mod tests {
    use super::{Applied, AssetUrl, ChunkOutcome, IdMapping, Imported, SourceId, Subject};
    use crate::content::import::state::{Folder, ImportState};
    use domain::{
        content::import::{
            Finding, Kind, Outcome, Report,
            record::{Asset, Preset, Story},
            rewrite::RewriteResult,
        },
        shared::{AssetId, DatasourceId, Fault, FieldCode, NumericId, PresetId, StoryId},
    };
    use storage::content::imports::entries::NameInDatasource;

    const STORY: fn(i64) -> SourceId<Story> = SourceId::of;
    const ASSET: fn(i64) -> SourceId<Asset> = SourceId::of;
    const PRESET: fn(i64) -> SourceId<Preset> = SourceId::of;

    fn applied<Id>(outcome: Outcome, id: Id, fingerprint: u8) -> Applied<Id> {
        Applied { outcome, id, fingerprint: [fingerprint; 16] }
    }

    fn outcome(state: &ImportState) -> ChunkOutcome {
        ChunkOutcome::new(Report::default(), state)
    }

    #[test]
    fn what_this_chunk_has_done_counts_before_what_was_known() {
        fn id<R: Imported>(outcome: &ChunkOutcome, state: &ImportState, id: SourceId<R>) -> Option<i64> {
            outcome.mapping(state, id).map(|mapping| mapping.id.number())
        }
        let mut state = ImportState::default();
        state.maps.ids.insert(STORY(1), IdMapping::reserved(StoryId(11)));
        state.maps.ids.insert(ASSET(1), IdMapping::reserved(AssetId(12)));
        let mut outcome = outcome(&state);
        assert_eq!((id(&outcome, &state, STORY(1)), id(&outcome, &state, ASSET(1))), (Some(11), Some(12)));
        outcome.ids.insert(STORY(1), IdMapping::reserved(StoryId(21)));
        outcome.ids.insert(STORY(2), IdMapping::reserved(StoryId(22)));
        assert_eq!([1, 2].map(|story| id(&outcome, &state, STORY(story))), [Some(21), Some(22)]);
        assert_eq!((id(&outcome, &state, ASSET(1)), id(&outcome, &state, PRESET(1))), (Some(12), None));
    }

    #[test]
    fn a_folder_is_the_one_that_this_chunk_wrote_or_that_was_known() {
        let folder = |id| Folder { id: StoryId(id), full_slug: "f".to_owned(), translated: std::collections::BTreeMap::new() };
        let mut state = ImportState::default();
        state.trashed_folders.insert(STORY(7));
        state.folders.insert(STORY(1), folder(11));
        let mut outcome = outcome(&state);
        assert_eq!((outcome.folder(&state, STORY(1)), outcome.folder(&state, STORY(2))), (Some(folder(11)), None));
        outcome.folders.extend([(STORY(1), folder(21)), (STORY(2), folder(22))]);
        assert_eq!((outcome.folder(&state, STORY(1)), outcome.folder(&state, STORY(2))), (Some(folder(21)), Some(folder(22))));
        outcome.trashed_folders.push(STORY(8));
        assert_eq!([7, 8, 9].map(|id| outcome.is_trashed(&state, STORY(id))), [true, true, false]);
    }

    #[test]
    fn ids_of_a_dry_run_are_negative_and_never_the_same() {
        let mut state = ImportState::default();
        let mut first = outcome(&state);
        assert_eq!((first.next_fake_id(), first.next_fake_id()), (StoryId(-1), AssetId(-2)));
        first.merge_into(&mut state);
        assert_eq!(outcome(&state).next_fake_id::<PresetId>(), PresetId(-3));
    }

    #[test]
    fn a_record_that_came_before_a_crash_is_reported_as_it_was_then() {
        let mut state = ImportState::default();
        let created = IdMapping { outcome: Some(Outcome::Created), ..IdMapping::reserved(PresetId(11)) };
        state.maps.ids.insert(PRESET(1), created);
        let mut outcome = outcome(&state);
        outcome.record_outcome(&state, (Kind::Preset, PRESET(1)), applied(Outcome::Unchanged, PresetId(11), 1));
        outcome.record_outcome(&state, (Kind::Preset, PRESET(2)), applied(Outcome::Unchanged, PresetId(12), 2));
        outcome.record_outcome(&state, (Kind::Preset, PRESET(3)), applied(Outcome::Updated, PresetId(13), 3));
        let count = outcome.report.counts[&Kind::Preset];
        assert_eq!((count.created, count.unchanged, count.updated), (1, 1, 1));
        assert_eq!(outcome.count_changed(), 1, "what this chunk did");
        assert_eq!(
            outcome.mapping(&state, PRESET(3)),
            Some(IdMapping { id: PresetId(13), fingerprint: Some([3; 16]), outcome: Some(Outcome::Updated) })
        );
    }

    #[test]
    fn failures_and_what_is_left_out_are_outcomes_too() {
        let state = ImportState::default();
        let mut outcome = outcome(&state);
        let subject = Subject { kind: Kind::Story, id: 1, label: "a" };
        outcome.reject(subject, &Fault::invalid("slug", FieldCode::Taken, "has already been taken"));
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
            broken: vec!["body names x".into()],
            plugins: vec!["map".into()],
            ..RewriteResult::default()
        };
        for _ in 0..2 {
            outcome.add_rewrite_result(&result, Subject { kind: Kind::Story, id: 1, label: "a" });
        }
        let report = outcome.report;
        assert_eq!((report.urls_in_text, report.broken_references.total, report.warnings.total), (6, 2, 2));
    }

    #[test]
    fn a_chunk_becomes_part_of_what_the_import_knows_when_it_is_committed() {
        let mut state = ImportState::default();
        let mut outcome = outcome(&state);
        outcome.record_outcome(&state, (Kind::Folder, STORY(1)), applied(Outcome::Created, StoryId(11), 1));
        outcome.ids.insert(STORY(2), IdMapping::reserved(StoryId(12)));
        outcome.record_outcome(&state, (Kind::Asset, ASSET(3)), applied(Outcome::Created, AssetId(13), 3));
        let (at_source, here) = ("https://a.example/f/1/x.png".into(), "/assets/x.png".into());
        outcome.asset_urls.push(AssetUrl { id: AssetId(13), at_source, here });
        outcome.occupied.push("a/b".into());
        outcome.arrived.push(StoryId(11));
        let red = NameInDatasource { datasource: DatasourceId(5), name: "red".into() };
        outcome.entry_names.insert(red.clone(), SourceId::of(6));
        let report = outcome.merge_into(&mut state);
        assert_eq!(report.done(), 2);
        assert_eq!(
            state.mapping(STORY(1)),
            Some(IdMapping { fingerprint: Some([1; 16]), ..IdMapping::reserved(StoryId(11)) }),
            "its outcome counts once"
        );
        assert_eq!(state.settled_stories, [STORY(1)].into(), "a reserved id settles nothing, and neither does an asset");
        assert_eq!((state.mapping(STORY(2)).unwrap().id, state.mapping(ASSET(3)).unwrap().id), (StoryId(12), AssetId(13)));
        assert_eq!(state.asset_urls.get(&AssetId(13)).map(String::as_str), Some("/assets/x.png"));
        assert!(state.occupied.contains("a/b") && state.arrived.contains(&StoryId(11)) && state.entry_names.contains_key(&red));
    }
}
