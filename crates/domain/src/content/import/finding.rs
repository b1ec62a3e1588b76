//! What a report has to say about single records.

use super::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most findings of a sort that are kept; beyond, they are only counted.
const MAX_KEPT: usize = 500;
/// The longest message, in characters.
const MAX_MESSAGE: usize = 300;

/// Something that a person should know about a record of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Machine-readable, camelCase: `brokenReference`, `slugTaken`, `assetFailed` …
    pub code: String,
    /// What it is about.
    pub kind: Kind,
    /// Its number at the source.
    pub id: i64,
    /// What a person knows it by: a path, a name, a URL.
    pub label: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl Finding {
    /// A finding; label and message are cut to what a report can hold.
    pub fn new(code: &str, kind: Kind, id: i64, label: &str, message: impl AsRef<str>) -> Self {
        let cut = |text: &str| text.chars().take(MAX_MESSAGE).collect::<String>();
        Self { code: code.to_owned(), kind, id, label: cut(label), message: cut(message.as_ref()) }
    }
}

/// Findings of one sort: all counted, the first of them kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Findings {
    /// How many there are.
    pub total: u64,
    /// How many of each code.
    pub by_code: BTreeMap<String, u64>,
    /// The first of them.
    pub items: Vec<Finding>,
}

impl Findings {
    /// Adds one.
    pub fn add(&mut self, finding: Finding) {
        self.total += 1;
        *self.by_code.entry(finding.code.clone()).or_default() += 1;
        if self.items.len() < MAX_KEPT {
            self.items.push(finding);
        }
    }

    /// Takes back all of a code: they told how things stood, and that is over.
    pub fn forget(&mut self, code: &str) {
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
        findings.forget("x");
        assert_eq!((findings.total, findings.by_code.len(), findings.items.len()), (1, 1, 0));
    }
}
