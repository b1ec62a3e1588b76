//! The result of rewriting content, and the findings that follow from it.

use crate::content::import::{Finding, Subject};

/// The result of rewriting one content tree or schema.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RewriteResult {
    pub changed: bool,
    /// References to stories that do not exist, one message each.
    pub broken: Vec<String>,
    /// Plugin fields in which URLs were rewritten.
    pub plugins: Vec<String>,
    /// Plugin fields that contain UUIDs or ids of stories or assets.
    pub plugin_references: Vec<String>,
    /// How many URLs inside longer texts were rewritten.
    pub urls_in_text: u64,
}

impl RewriteResult {
    /// A finding for each broken reference, without duplicates.
    pub fn broken(&self, subject: Subject<'_>) -> Vec<Finding> {
        once(self.broken.iter().map(|message| subject.finding("brokenReference", message)))
    }

    /// Findings about plugin fields, whose format is unknown: URLs rewritten in them, references left alone;
    /// without duplicates.
    pub fn warnings(&self, subject: Subject<'_>) -> Vec<Finding> {
        let exchanged = self.plugins.iter().map(|field| {
            let message = format!("{field} is a plugin's: URLs of assets in it were exchanged, nothing else is understood");
            subject.finding("pluginRewritten", message)
        });
        let named = self.plugin_references.iter().map(|field| {
            let message =
                format!("{field} is a plugin's, and names stories or assets: UUIDs are right here too, numbers are the source's");
            subject.finding("pluginReferences", message)
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
