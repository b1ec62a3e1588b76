//! Findings: what a report says about single records.

use super::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many findings of one list are kept; further ones are only counted.
const MAX_KEPT: usize = 500;
/// The maximum length of labels and messages, in characters.
const MAX_MESSAGE: usize = 300;

/// A message about a record of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Machine-readable, camelCase: `brokenReference`, `slugTaken`, `assetFailed` …
    pub code: String,
    /// The kind of the record.
    pub kind: Kind,
    /// The id of the record at the source.
    pub id: i64,
    /// What a person recognises the record by: a path, a name, a URL.
    pub label: String,
    pub message: String,
}

impl Finding {
    /// A finding; label and message are cut to `MAX_MESSAGE`.
    pub fn new(code: &str, kind: Kind, id: i64, label: &str, message: impl AsRef<str>) -> Self {
        let cut = |text: &str| text.chars().take(MAX_MESSAGE).collect::<String>();
        Self { code: code.to_owned(), kind, id, label: cut(label), message: cut(message.as_ref()) }
    }
}

/// The record that findings are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'a> {
    pub kind: Kind,
    /// Its id at the source; 0 if it is not known.
    pub id: i64,
    /// What a person recognises it by.
    pub label: &'a str,
}

impl Subject<'_> {
    /// A finding about it.
    pub fn finding(self, code: &str, message: impl AsRef<str>) -> Finding {
        Finding::new(code, self.kind, self.id, self.label, message)
    }
}

/// A list of findings: all are counted, the first ones are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Findings {
    /// How many were added.
    pub total: u64,
    /// How many of each code.
    pub by_code: BTreeMap<String, u64>,
    /// The first ones.
    pub items: Vec<Finding>,
}

impl Findings {
    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) {
        self.total += 1;
        *self.by_code.entry(finding.code.clone()).or_default() += 1;
        if self.items.len() < MAX_KEPT {
            self.items.push(finding);
        }
    }

    /// Removes all findings of a code that are no longer true.
    pub fn remove_code(&mut self, code: &str) {
        self.total -= self.by_code.remove(code).unwrap_or(0).min(self.total);
        self.items.retain(|item| item.code != code);
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Findings, Kind};

    #[test]
    fn a_flood_of_findings_is_counted_and_its_beginning_is_kept() {
        let mut findings = Findings::default();
        for id in 0..10_000 {
            findings.add(Finding::new("x", Kind::Story, id, "a", "ü".repeat(1000)));
        }
        assert_eq!((findings.total, findings.by_code["x"], findings.items.len()), (10_000, 10_000, 500));
        assert_eq!(findings.items[7].id, 7);
        assert_eq!(findings.items[0].message.chars().count(), 300);
        findings.add(Finding::new("y", Kind::Story, 1, "a", "b"));
        findings.remove_code("x");
        assert_eq!((findings.total, findings.by_code.len(), findings.items.len()), (1, 1, 0));
    }
}
