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
