//! What came of a page: it becomes part of what is known once the page is committed.

use crate::content::importer::memory::{Folder, Made, Memory, plain};
use domain::{
    content::{
        StoryEvent,
        import::{Finding, Kind, Outcome, Report, rewrite::Found},
    },
    shared::Fault,
};
use serde_json::{Map, Value};
use storage::content::imports::{asides::Aside, ids::Known};

/// What came of it.
#[derive(Debug, Clone)]
pub(in crate::content::importer) struct Taken {
    /// The report, this page included.
    pub(in crate::content::importer) report: Report,
    /// What records are here now.
    pub(in crate::content::importer) ids: Vec<(Kind, i64, Known)>,
    /// Folders, by the source's numbers.
    pub(super) folders: Vec<(i64, Folder)>,
    /// Components with their fields.
    pub(super) schemas: Vec<(String, Map<String, Value>)>,
    /// Assets: the URL at the source, the number here, the URL here.
    pub(super) urls: Vec<(String, i64, String)>,
    /// In a dry run, names and places that would be taken.
    pub(super) names: Vec<String>,
    /// In a dry run, stories that would make room for others.
    pub(super) asides: Vec<Aside>,
    /// In a dry run, stories that would come to their own places, by our numbers.
    pub(super) arrived: Vec<i64>,
    /// In a dry run, what would be made.
    pub(super) made: Made,
    made_up: i64,
    /// What webhooks are told, if they are.
    pub(in crate::content::importer) events: Vec<StoryEvent>,
    /// Whether a published read can see a difference.
    pub(in crate::content::importer) public: bool,
    /// Records of this page by what became of them, for metrics and the audit log.
    pub(in crate::content::importer) outcomes: Vec<(Kind, Outcome)>,
}

impl Taken {
    /// Nothing yet.
    pub(in crate::content::importer) fn new(report: Report, memory: &Memory) -> Self {
        Self {
            report,
            ids: Vec::new(),
            folders: Vec::new(),
            schemas: Vec::new(),
            urls: Vec::new(),
            names: Vec::new(),
            asides: Vec::new(),
            arrived: Vec::new(),
            made: Made::default(),
            made_up: memory.made_up,
            events: Vec::new(),
            public: false,
            outcomes: Vec::new(),
        }
    }

    /// Whether anything was written.
    pub(in crate::content::importer) fn changed(&self) -> u64 {
        self.outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Created | Outcome::Updated)).count() as u64
    }

    /// What a record is here, this page included.
    pub(super) fn known(&self, memory: &Memory, kind: Kind, source: i64) -> Option<Known> {
        let here = self.ids.iter().rev().find(|id| (plain(id.0), id.1) == (plain(kind), source));
        here.map(|h| h.2).or_else(|| memory.known(kind, source))
    }

    /// A folder, this page included.
    pub(super) fn folder(&self, memory: &Memory, source: i64) -> Option<Folder> {
        let here = self.folders.iter().rev().find(|folder| folder.0 == source).map(|folder| folder.1.clone());
        here.or_else(|| memory.folders.get(&source).cloned())
    }

    /// A number for something that would be made.
    pub(super) fn make_up(&mut self) -> i64 {
        self.made_up -= 1;
        self.made_up
    }

    /// A record was taken over. One that this import came to before it was cut off is told of once: as what it was then.
    pub(super) fn took(&mut self, memory: &Memory, kind: Kind, source: i64, outcome: Outcome, id: i64, fingerprint: [u8; 16]) {
        let told = outcome.after(memory.known(kind, source).and_then(|k| k.done));
        self.ids.push((kind, source, Known { id, fingerprint: Some(fingerprint), done: Some(told) }));
        self.report.count(kind, told);
        self.outcomes.push((kind, outcome));
    }

    /// A record could not be taken over.
    pub(super) fn fail(&mut self, finding: Finding) {
        self.outcomes.push((finding.kind, Outcome::Failed));
        self.report.fail(finding);
    }

    /// A rule refused a record.
    pub(super) fn refuse(&mut self, kind: Kind, id: i64, label: &str, fault: &Fault) {
        self.fail(Finding::new("invalid", kind, id, label, &*fault.message));
    }

    /// A record was left out on purpose.
    pub(super) fn skip(&mut self, finding: Finding) {
        self.outcomes.push((finding.kind, Outcome::Skipped));
        self.report.skip(finding);
    }

    /// What a person should know.
    pub(super) fn warn(&mut self, finding: Finding) {
        self.report.warnings.add(finding);
    }

    /// What was found while a record was rewritten.
    pub(super) fn found(&mut self, found: &Found, record: (Kind, i64, &str)) {
        self.report.urls_in_text += found.urls_in_text;
        found.warnings(record).into_iter().for_each(|warning| self.report.warnings.add(warning));
        found.broken(record).into_iter().for_each(|b| self.report.broken_references.add(b));
    }

    /// Makes it part of what is known.
    pub(in crate::content::importer) fn enter(self, memory: &mut Memory) -> Report {
        memory.made_up = self.made_up;
        memory.made.enter(self.made);
        for (kind, source, known) in self.ids {
            // What is done is told: should the source have it twice, the second one is another matter.
            memory.learn(kind, source, Known { done: None, ..known });
        }
        memory.asides.extend(self.asides);
        memory.arrived.extend(self.arrived);
        memory.folders.extend(self.folders);
        memory.taken.extend(self.names);
        for (old, id, new) in self.urls {
            memory.maps.urls.insert(&old, &new);
            memory.files.insert(id, new);
        }
        for (name, schema) in self.schemas {
            memory.maps.schemas.insert(&name, &schema);
        }
        self.report
    }
}
