//! The report of an import; a dry run reports the same.

use super::{Finding, Findings, Fingerprint, Kind};
use crate::content::asset::{self, Stored};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The outcome of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Created,
    /// It existed and was changed.
    Updated,
    /// It existed and needed no change.
    Unchanged,
    /// It was left out deliberately; a warning says why.
    Skipped,
    /// It could not be imported; a failure says why.
    Failed,
}

impl Outcome {
    const ALL: [Self; 5] = [Self::Created, Self::Updated, Self::Unchanged, Self::Skipped, Self::Failed];

    /// The name in metrics and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }

    /// The outcome of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }

    /// The overall outcome of a record that one import processes a second time after a crash: a record that
    /// the first pass created counts as created, whatever the second pass did with it.
    #[must_use]
    pub fn after(self, before: Option<Self>) -> Self {
        match (before, self) {
            (Some(Self::Created), Self::Updated | Self::Unchanged) => Self::Created,
            (Some(Self::Updated), Self::Unchanged) => Self::Updated,
            _ => self,
        }
    }
}

/// How many records of a kind had each outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Count {
    pub created: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub skipped: u64,
    pub failed: u64,
}

/// A checksum over records that does not depend on their order: the XOR of their fingerprints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checksum(pub [u8; 16]);

impl Checksum {
    /// Adds a record.
    pub fn add(&mut self, fingerprint: Fingerprint) {
        self.0.iter_mut().zip(fingerprint).for_each(|(sum, byte)| *sum ^= byte);
    }
}

impl Serialize for Checksum {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&format_args!("{:032x}", u128::from_be_bytes(self.0)))
    }
}

impl<'de> Deserialize<'de> for Checksum {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        u128::from_str_radix(&text, 16).map(|f| Self(f.to_be_bytes())).map_err(serde::de::Error::custom)
    }
}

/// The XOR of the SHA-256 hashes of files; it does not depend on their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileSum([u8; 32]);

impl Serialize for FileSum {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&asset::hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for FileSum {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let mut sum = [0; 32];
        for (at, byte) in sum.iter_mut().enumerate() {
            let digits = text.get(2 * at..2 * at + 2).and_then(|text| u8::from_str_radix(text, 16).ok());
            *byte = digits.ok_or_else(|| serde::de::Error::custom("no SHA-256"))?;
        }
        Ok(Self(sum))
    }
}

/// The files of assets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Files {
    /// How many records it is about.
    pub count: u64,
    /// Their total size in bytes.
    pub bytes: u64,
    /// The checksum over their contents.
    pub sha256: FileSum,
}

impl Files {
    /// Adds a file.
    pub fn add(&mut self, file: &Stored) {
        self.count += 1;
        self.bytes += file.bytes;
        self.sha256.0.iter_mut().zip(file.sha256).for_each(|(sum, byte)| *sum ^= byte);
    }
}

/// The report of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// How many records the source announced, by kind.
    pub announced: BTreeMap<Kind, u64>,
    /// The outcomes of its records, by kind.
    pub counts: BTreeMap<Kind, Count>,
    /// Checksums over its records, by kind: equal if the same records came, in any order.
    pub checksums: BTreeMap<Kind, Checksum>,
    /// Files that were fetched, or would be in a dry run.
    pub files: Files,
    /// How many asset URLs inside longer texts of drafts and schemas were rewritten.
    pub urls_in_text: u64,
    /// Records that were imported with changes or deliberately left out.
    pub warnings: Findings,
    /// Records that were not imported.
    pub failures: Findings,
    /// References to stories that exist neither at the source nor here.
    pub broken_references: Findings,
}

impl Report {
    /// Counts a record.
    pub fn count(&mut self, kind: Kind, outcome: Outcome) {
        *self.counter(kind, outcome) += 1;
    }

    /// Raises a count to what the rows say: after a crash the report may not include all written records.
    pub fn at_least(&mut self, kind: Kind, outcome: Outcome, count: u64) {
        let counter = self.counter(kind, outcome);
        *counter = count.max(*counter);
    }

    fn counter(&mut self, kind: Kind, outcome: Outcome) -> &mut u64 {
        let count = self.counts.entry(kind).or_default();
        match outcome {
            Outcome::Created => &mut count.created,
            Outcome::Updated => &mut count.updated,
            Outcome::Unchanged => &mut count.unchanged,
            Outcome::Skipped => &mut count.skipped,
            Outcome::Failed => &mut count.failed,
        }
    }

    /// Adds a record's fingerprint to the sum of its kind.
    pub fn sum(&mut self, kind: Kind, fingerprint: Fingerprint) {
        self.checksums.entry(kind).or_default().add(fingerprint);
    }

    /// Reports a record that could not be imported.
    pub fn fail(&mut self, finding: Finding) {
        self.count(finding.kind, Outcome::Failed);
        self.failures.add(finding);
    }

    /// Reports a record that was left out deliberately.
    pub fn skip(&mut self, finding: Finding) {
        self.count(finding.kind, Outcome::Skipped);
        self.warnings.add(finding);
    }

    /// How many records were read so far, whatever their outcome.
    pub fn done(&self) -> u64 {
        self.counts.values().map(|count| count.created + count.updated + count.unchanged + count.skipped + count.failed).sum()
    }

    /// How many records the import will have read at its end, as far as the source announced them; of a kind
    /// without an announcement, those read so far. `None` if the source announced nothing.
    pub fn expected(&self) -> Option<u64> {
        let beyond = |(kind, said): (&Kind, &u64)| said.saturating_sub(self.done_of(*kind));
        (!self.announced.is_empty()).then(|| self.done() + self.announced.iter().map(beyond).sum::<u64>())
    }

    /// How many records of a kind were read so far.
    pub fn done_of(&self, kind: Kind) -> u64 {
        self.counts.get(&kind).map_or(0, |count| count.created + count.updated + count.unchanged + count.skipped + count.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Kind, Outcome, Report, Stored};
    use crate::{content::asset::ObjectKey, shared::SpaceId};

    #[test]
    fn a_report_survives_being_stored() {
        let mut report = Report::default();
        report.announced.insert(Kind::Story, 3);
        report.count(Kind::Story, Outcome::Created);
        report.count(Kind::Asset, Outcome::Unchanged);
        report.fail(Finding::new("refused", Kind::Story, 7, "a/b", "could not be stored"));
        report.sum(Kind::Story, [3; 16]);
        for byte in [0xf0, 0x0f] {
            let key = ObjectKey { space: SpaceId(1), id: uuid::Uuid::nil() };
            report.files.add(&Stored { key, bytes: 5, sha256: [byte; 32], content_type: "image/png", size: None });
        }
        let stored = serde_json::to_value(&report).unwrap();
        assert_eq!(stored["counts"]["story"]["failed"], 1);
        assert_eq!(stored["checksums"]["story"], "03".repeat(16));
        assert_eq!(stored["files"], serde_json::json!({"count": 2, "bytes": 10, "sha256": "ff".repeat(32)}));
        assert_eq!(serde_json::from_value::<Report>(stored).unwrap(), report);
        assert_eq!((report.done(), report.done_of(Kind::Story)), (3, 2));
    }

    #[test]
    fn what_came_is_never_more_than_what_is_expected() {
        let mut report = Report::default();
        assert_eq!(report.expected(), None);
        report.announced.insert(Kind::Story, 2);
        report.count(Kind::Component, Outcome::Created);
        assert_eq!((report.done(), report.expected()), (1, Some(3)));
        for _ in 0..3 {
            report.count(Kind::Story, Outcome::Created);
        }
        assert_eq!((report.done(), report.expected()), (4, Some(4)));
    }

    #[test]
    fn a_record_that_comes_twice_to_one_import_is_what_it_was_the_first_time() {
        use Outcome::{Created, Failed, Unchanged, Updated};
        for (before, now, told) in [
            (None, Unchanged, Unchanged),
            (Some(Created), Unchanged, Created),
            (Some(Created), Updated, Created),
            (Some(Updated), Unchanged, Updated),
            (Some(Unchanged), Updated, Updated),
            (Some(Created), Failed, Failed),
        ] {
            assert_eq!(now.after(before), told, "{before:?} {now:?}");
        }
        let mut report = Report::default();
        report.count(Kind::Story, Created);
        report.at_least(Kind::Story, Created, 3);
        report.at_least(Kind::Story, Created, 2);
        assert_eq!(report.done(), 3);
    }

    #[test]
    fn a_checksum_knows_no_order_and_misses_no_record() {
        let sum = |prints: &[[u8; 16]]| {
            let mut report = Report::default();
            for print in prints {
                report.sum(Kind::Story, *print);
            }
            report.checksums
        };
        assert_eq!(sum(&[[1; 16], [2; 16]]), sum(&[[2; 16], [1; 16]]));
        assert_ne!(sum(&[[1; 16], [2; 16]]), sum(&[[1; 16]]));
    }

    #[test]
    fn an_outcome_is_known_by_its_name() {
        for (outcome, name) in [
            (Outcome::Created, "created"),
            (Outcome::Updated, "updated"),
            (Outcome::Unchanged, "unchanged"),
            (Outcome::Skipped, "skipped"),
            (Outcome::Failed, "failed"),
        ] {
            assert_eq!((outcome.name(), Outcome::of(name)), (name, Some(outcome)));
        }
        assert_eq!(Outcome::of("lost"), None);
    }

    #[test]
    fn every_outcome_counts_as_read() {
        let mut report = Report::default();
        for (outcome, times) in [(Outcome::Created, 1), (Outcome::Updated, 2), (Outcome::Unchanged, 4), (Outcome::Failed, 16)] {
            for _ in 0..times {
                report.count(Kind::Story, outcome);
            }
        }
        for _ in 0..8 {
            report.skip(Finding::new("left", Kind::Story, 7, "a/b", "was left out"));
        }
        assert_eq!((report.done(), report.done_of(Kind::Story), report.done_of(Kind::Asset)), (31, 31, 0));
        assert_eq!(report.counts[&Kind::Story].skipped, 8);
        assert_ne!(report.warnings, Report::default().warnings);
    }

    #[test]
    fn a_record_that_is_added_twice_leaves_no_trace_in_a_checksum() {
        let mut report = Report::default();
        let key = ObjectKey { space: SpaceId(1), id: uuid::Uuid::nil() };
        for _ in 0..2 {
            report.sum(Kind::Story, [0x5a; 16]);
            report.files.add(&Stored { key, bytes: 5, sha256: [0x5a; 32], content_type: "image/png", size: None });
        }
        assert_eq!((report.checksums[&Kind::Story].0, report.files.sha256), ([0; 16], super::FileSum::default()));
    }
}
