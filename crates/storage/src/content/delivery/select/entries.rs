//! Stories that an index of tags or of fields has: the entries of a condition.

use crate::content::where_builder::WhereBuilder;
use domain::content::query::{Condition, IndexedTest, filter::Term};

/// The entries of a condition. A story with such entries is no folder.
pub(in crate::content::delivery) struct Entries {
    /// What follows `from`; the entry is called `entry`.
    from: String,
    /// Whether a story can have several of them.
    are_repeated: bool,
    /// What the entries of a story have to meet together.
    together: String,
}

impl Entries {
    /// The entries of a condition, where there are such.
    pub(super) fn of(builder: &mut WhereBuilder, condition: &Condition) -> Option<Self> {
        match condition {
            Condition::Tags(tags) => Some(Self::of_tags(builder, tags)),
            Condition::Content(term) => Self::of_term(builder, term),
            _ => None,
        }
    }

    /// The entries of stories with one of these tags.
    pub(super) fn of_tags(builder: &mut WhereBuilder, tags: &[String]) -> Self {
        let from = format!(
            "edition_tags entry where entry.space_id = $1 and entry.edition = $2::text::edition_kind and {}",
            builder.among("entry.tag", tags.to_vec())
        );
        Self { from, are_repeated: tags.len() > 1, together: String::new() }
    }

    /// The entries of a test on the content.
    pub(in crate::content::delivery) fn of_term(builder: &mut WhereBuilder, term: &Term) -> Option<Self> {
        let test = IndexedTest::of(term)?;
        let from = format!(
            "edition_fields entry
             where entry.space_id = $1 and entry.edition = $2::text::edition_kind and entry.field = {}
               and {} and entry.is_whole and {}",
            builder.bind(test.field.to_owned()),
            builder.among("entry.value", test.values.to_vec()),
            if test.is_element { "entry.is_element" } else { "not entry.is_element" }
        );
        // A story has all values when its entries have as many different ones as were asked for; no value is asked for twice.
        let together = if test.all && test.values.len() > 1 {
            let count = i64::try_from(test.values.len()).unwrap_or(i64::MAX);
            format!(" having count(distinct entry.value) = {}", builder.bind(count))
        } else {
            String::new()
        };
        Some(Self { from, are_repeated: test.is_element || test.values.len() > 1, together })
    }

    /// The query of these columns of `entry`, each story once.
    pub(in crate::content::delivery) fn select(&self, columns: &str) -> String {
        let Self { from, are_repeated, together } = self;
        let grouped = if *are_repeated { format!(" group by {columns}{together}") } else { String::new() };
        format!("select {columns} from {from}{grouped}")
    }
}
