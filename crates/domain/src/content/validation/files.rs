//! The types of files that a field takes, by the extensions of their names.

use crate::content::asset::FileKind;
use serde_json::Value;

/// The types that a field takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::content) struct FileKinds {
    /// None for all.
    allowed: Vec<String>,
}

impl FileKinds {
    pub(super) fn read(filetypes: Option<&Value>) -> Self {
        let listed = filetypes.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Self { allowed: listed.iter().filter_map(Value::as_str).filter(|word| !word.is_empty()).map(str::to_owned).collect() }
    }

    /// Whether a file may be here. One whose type its name does not tell may be anything.
    pub(super) fn allow(&self, filename: &str) -> bool {
        let path = filename.split(['?', '#']).next().unwrap_or_default();
        let kind = FileKind::of(path.rsplit('/').next().unwrap_or_default()).in_schemas();
        self.allowed.is_empty() || kind.is_none_or(|word| self.allowed.iter().any(|allowed| allowed == word))
    }

    /// The types in words.
    pub(super) fn words(&self) -> String {
        self.allowed.join(", ")
    }
}
