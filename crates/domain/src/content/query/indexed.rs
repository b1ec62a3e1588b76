//! What the index of the fields of root blocks answers. The statement and the estimate of its cost both ask
//! here.

use super::{ListOrder, SortBy, SortKey, Test, filter::Term};

/// The longest value that the index holds as a whole, in characters.
const MAX_VALUE: usize = 200;

/// A test that the index answers: equality with a field of the root block, or with elements of a list there.
#[derive(Debug, Clone, Copy)]
pub struct IndexedTest<'a> {
    pub field: &'a str,
    pub values: &'a [String],
    /// Whether the elements of the field are compared, not the field itself.
    pub is_element: bool,
    /// Whether all of the values must be there, not only one of them.
    pub all: bool,
}

impl<'a> IndexedTest<'a> {
    /// The test of a term, if it is one. It is none with an empty value, which matches what is not there, or
    /// with one that is too long for the index.
    pub fn of(term: &'a Term) -> Option<Self> {
        let field = term.field.root_key()?;
        let (values, is_element, all) = match &term.test {
            Test::In(values) => (values, false, false),
            Test::AnyInArray(values) => (values, true, false),
            Test::AllInArray(values) => (values, true, true),
            _ => return None,
        };
        let is_served = |value: &String| !value.is_empty() && value.chars().count() <= MAX_VALUE;
        values.iter().all(is_served).then_some(Self { field, values, is_element, all })
    }
}

/// An order whose first key is a field of the root block, which the index has in order.
#[derive(Debug, Clone, Copy)]
pub struct IndexedOrder<'a> {
    pub field: &'a str,
    /// The first key.
    pub key: &'a SortKey,
    /// The keys after it.
    pub rest: &'a [SortKey],
}

impl<'a> IndexedOrder<'a> {
    /// The order, if it is one. The index cannot give the stories without the field first.
    pub fn of(order: &'a ListOrder) -> Option<Self> {
        let ListOrder::Keys(keys) = order else { return None };
        let (key, rest) = keys.split_first()?;
        match &key.by {
            SortBy::Content(path, _) if !key.nulls_first => Some(Self { field: path.root_key()?, key, rest }),
            _ => None,
        }
    }
}
