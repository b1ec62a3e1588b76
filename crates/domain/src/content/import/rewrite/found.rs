//! What is found while rewriting, and what a report says of it.

use crate::content::import::{Finding, Kind};

/// What was found while rewriting.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Whether anything was changed.
    pub changed: bool,
    /// References that lead nowhere: the field, and what it names.
    pub broken: Vec<(String, String)>,
    /// Plugin fields in which URLs were rewritten.
    pub plugins: Vec<String>,
    /// Plugin fields that name stories or assets by UUID or number.
    pub plugin_names: Vec<String>,
    /// URLs that were exchanged in the middle of a text.
    pub urls_in_text: u64,
}

impl Found {
    /// References that lead nowhere, each once.
    pub fn broken(&self, (kind, id, label): (Kind, i64, &str)) -> Vec<Finding> {
        let finding = |(field, target): &(String, String)| {
            Finding::new("brokenReference", kind, id, label, format!("{field} names {target}"))
        };
        once(self.broken.iter().map(finding))
    }

    /// What was done in fields that nobody here understands, or not done: each once.
    pub fn warnings(&self, (kind, id, label): (Kind, i64, &str)) -> Vec<Finding> {
        let exchanged = self.plugins.iter().map(|field| {
            let message = format!("{field} is a plugin's: URLs of assets in it were exchanged, nothing else is understood");
            Finding::new("pluginRewritten", kind, id, label, message)
        });
        let named = self.plugin_names.iter().map(|field| {
            let message =
                format!("{field} is a plugin's, and names stories or assets: UUIDs are right here too, numbers are the source's");
            Finding::new("pluginReferences", kind, id, label, message)
        });
        once(exchanged.chain(named))
    }
}

fn once(findings: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        if !kept.contains(&finding) {
            kept.push(finding);
        }
    }
    kept
}
