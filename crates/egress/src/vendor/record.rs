//! A record of a source, as text.

use super::{
    Error,
    memory::{Held, ImportMemory},
    splitter,
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

/// What a record takes besides its text, in bytes: its place in a list, and the allocation.
const OVERHEAD: usize = 96;

/// A record as it was received, so that unknown members survive. It is counted in the memory of its import as
/// long as it exists.
#[derive(Debug)]
pub struct Record {
    text: Box<RawValue>,
    weight: usize,
    _held: Held,
}

impl Record {
    /// A record from its text; [`Error::Unreadable`] if that is no JSON.
    pub(super) fn read(text: &[u8], weight: usize, memory: &ImportMemory) -> Result<Self, Error> {
        let held = memory.hold(text.len() + OVERHEAD)?;
        let text: &RawValue = serde_json::from_slice(text).map_err(|_| Error::Unreadable)?;
        Ok(Self { text: text.to_owned(), weight, _held: held })
    }

    /// A record of a value.
    pub fn of_value(value: &Value, memory: &ImportMemory) -> Result<Self, Error> {
        let text = value.to_string();
        Self::read(text.as_bytes(), splitter::weight(text.as_bytes())?, memory)
    }

    /// Its text.
    pub fn text(&self) -> &str {
        self.text.get()
    }

    /// What it takes as a tree, in bytes: an estimate that is rather too high.
    pub fn weight(&self) -> usize {
        self.weight
    }

    /// Its members, as far as a type has them; none if it is no such object.
    pub fn members<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        serde_json::from_str(self.text()).ok()
    }

    /// The record as a tree, counted in `held`.
    pub fn tree(&self, held: &mut Held) -> Result<Value, Error> {
        held.grow(self.weight)?;
        serde_json::from_str(self.text()).map_err(|_| Error::Unreadable)
    }
}

/// A whole number, where a member is one.
pub fn number(member: Option<&RawValue>) -> Option<i64> {
    member?.get().parse().ok()
}

/// A text, where a member is one.
pub fn text(member: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(member?.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::{ImportMemory, Record};
    use crate::vendor::Error;
    use serde_json::json;

    #[test]
    fn a_record_is_counted_as_long_as_it_is_held_and_a_tree_as_well() {
        let memory = ImportMemory::new(2_000);
        let value = json!({ "id": 7, "list": [1, 2] });
        let record = Record::of_value(&value, &memory).unwrap();
        let text = memory.used();
        assert!(text > record.text().len() && record.weight() > text);
        let mut held = memory.nothing();
        assert_eq!(record.tree(&mut held), Ok(value));
        assert_eq!(memory.used(), text + record.weight());
        assert_eq!(record.tree(&mut memory.nothing()), Err(Error::OverMemory));
        drop((record, held));
        assert_eq!(memory.used(), 0);
        assert_eq!(Record::read(b"[1}", 5, &memory).err(), Some(Error::Unreadable));
        assert_eq!(Record::of_value(&json!("x".repeat(2_000)), &memory).err(), Some(Error::OverMemory));
    }
}
