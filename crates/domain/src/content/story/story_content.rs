//! The content of a story as text and as tree.

use crate::{content::localize::MARK, shared::Fault};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use std::sync::{Arc, OnceLock};

/// A content tree with its `__i18n__` keys: the text that is stored, and what it says. The text is parsed
/// when the tree is first asked for, and then kept, because a write asks for it up to four times: to compare
/// it, to index it, to find its references and to validate it.
#[derive(Debug, Clone)]
pub struct StoryContent {
    text: Box<RawValue>,
    tree: OnceLock<Arc<Value>>,
}

impl StoryContent {
    /// Writes a tree.
    pub fn of(tree: Arc<Value>) -> Result<Self, Fault> {
        let text = to_raw_value(&tree).map_err(|error| Fault::internal(format!("content: {error}")))?;
        Ok(Self { text, tree: OnceLock::from(tree) })
    }

    /// The text as it was written.
    pub fn text(&self) -> &RawValue {
        &self.text
    }

    /// What the text says. It is an error only of a text that this server did not write.
    pub fn tree(&self) -> Result<&Value, Fault> {
        self.parsed().map(AsRef::as_ref)
    }

    /// The same, for a caller that changes it.
    pub fn to_tree(&self) -> Result<Value, Fault> {
        self.tree.get().map_or_else(|| parse(&self.text), |tree| Ok(Value::clone(tree)))
    }

    /// The same, for a caller that keeps it.
    pub fn shared(&self) -> Result<Arc<Value>, Fault> {
        self.parsed().cloned()
    }

    fn parsed(&self) -> Result<&Arc<Value>, Fault> {
        if let Some(tree) = self.tree.get() {
            return Ok(tree);
        }
        let tree = parse(&self.text)?;
        Ok(self.tree.get_or_init(|| Arc::new(tree)))
    }

    /// Whether any of its fields may have a translation.
    pub fn is_translated(&self) -> bool {
        self.text.get().contains(MARK)
    }

    /// Whether it says the same. The order of keys is no part of a value.
    pub fn has_value_of(&self, other: &Self) -> bool {
        self.text.get() == other.text.get() || matches!((self.tree(), other.tree()), (Ok(one), Ok(other)) if one == other)
    }
}

fn parse(text: &RawValue) -> Result<Value, Fault> {
    serde_json::from_str(text.get()).map_err(|error| Fault::internal(format!("content: {error}")))
}

impl From<Box<RawValue>> for StoryContent {
    fn from(text: Box<RawValue>) -> Self {
        Self { text, tree: OnceLock::new() }
    }
}
