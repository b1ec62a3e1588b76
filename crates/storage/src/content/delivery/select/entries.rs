//! Stories that an index of tags or of fields has: the entries of a condition.

use crate::content::where_builder::WhereBuilder;
use domain::content::query::{Condition, IndexedTest, Plan, filter::Term};

/// What the entries are of. Migration 0058 has the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Field = 0,
    /// An element of a list in a field.
    Element = 1,
    Tag = 2,
}

/// The entries of a condition. A story with such entries is no folder.
pub(in crate::content::delivery) struct Entries {
    /// What follows `from`; the entry is called `entry`.
    from: String,
    /// Whether a story can have several of them.
    are_repeated: bool,
    /// What the entries of a story have to meet together.
    together: String,
    /// What they are of.
    pub(super) kind: Kind,
    /// The field, as SQL.
    pub(super) field: String,
    /// The values that were asked for.
    pub(super) values: Vec<String>,
    /// Whether a story has to have all of the values, not only one of them.
    pub(super) all: bool,
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

    /// The entries of each condition of a plan, when an index answers them all.
    pub(super) fn of_all(builder: &mut WhereBuilder, plan: &Plan) -> Option<Vec<Self>> {
        // Before anything is bound for nothing.
        let has_entries = |condition: &Condition| match condition {
            Condition::Tags(_) => true,
            Condition::Content(term) => IndexedTest::of(term).is_some(),
            _ => false,
        };
        if plan.conditions.is_empty() || !plan.conditions.iter().all(has_entries) {
            return None;
        }
        plan.conditions.iter().map(|condition| Self::of(builder, condition)).collect()
    }

    /// The entries of stories with one of these tags.
    pub(super) fn of_tags(builder: &mut WhereBuilder, tags: &[String]) -> Self {
        let from = format!(
            "edition_tags entry where entry.space_id = $1 and entry.edition = $2::text::edition_kind and {}",
            builder.among("entry.tag", tags.to_vec())
        );
        Self {
            from,
            are_repeated: tags.len() > 1,
            together: String::new(),
            kind: Kind::Tag,
            field: "''".to_owned(),
            values: tags.to_vec(),
            all: false,
        }
    }

    /// The entries of a test on the content.
    pub(in crate::content::delivery) fn of_term(builder: &mut WhereBuilder, term: &Term) -> Option<Self> {
        let test = IndexedTest::of(term)?;
        let field = builder.bind(test.field.to_owned());
        let from = format!(
            "edition_fields entry
             where entry.space_id = $1 and entry.edition = $2::text::edition_kind and entry.field = {field}
               and {} and entry.is_whole and {}",
            builder.among("entry.value", test.values.to_vec()),
            if test.is_element { "entry.is_element" } else { "not entry.is_element" }
        );
        // A story has all values when its entries have as many different ones as were asked for; no value is
        // asked for twice.
        let together = if test.all && test.values.len() > 1 {
            let count = i64::try_from(test.values.len()).unwrap_or(i64::MAX);
            format!(" having count(distinct entry.value) = {}", builder.bind(count))
        } else {
            String::new()
        };
        Some(Self {
            from,
            are_repeated: test.is_element || test.values.len() > 1,
            together,
            kind: if test.is_element { Kind::Element } else { Kind::Field },
            field,
            values: test.values.to_vec(),
            all: test.all,
        })
    }

    /// Whether a story has one of them, and they are in the order of the positions of their stories.
    pub(super) fn are_in_order(&self) -> bool {
        !self.are_repeated
    }

    /// The query of these columns of `entry`, each story once.
    pub(in crate::content::delivery) fn select(&self, columns: &str) -> String {
        let Self { from, are_repeated, together, .. } = self;
        let grouped = if *are_repeated { format!(" group by {columns}{together}") } else { String::new() };
        format!("select {columns} from {from}{grouped}")
    }

    /// The query of the number of stories.
    pub(super) fn count(&self) -> String {
        if self.are_repeated {
            format!("select count(*) from ({}) counted", self.select("entry.story_id"))
        } else {
            format!("select count(*) from {}", self.from)
        }
    }

    /// The condition that `edition` has them. Its position is that of its entries, so that they are looked up
    /// in the index that finds them. With `offset 0` it cannot become a join, nor a table of all of them.
    pub(super) fn of_edition(&self) -> String {
        let Self { from, together, .. } = self;
        let grouped = if together.is_empty() { String::new() } else { format!(" group by entry.story_id{together}") };
        format!(
            "exists (select from {from} and entry.position = edition.position and entry.story_id = edition.story_id{grouped} offset 0)"
        )
    }
}

/// The query of these columns of the stories that have entries of each kind asked for, each story once; `all`
/// is not empty.
pub(super) fn select_in_all(all: &[Entries], columns: &[&str]) -> String {
    let of = |table: &str| columns.iter().map(|column| format!("{table}.{column}")).collect::<Vec<_>>().join(", ");
    match all {
        [] => format!("select {} from edition_fields entry where false", of("entry")),
        [one] => one.select(&of("entry")),
        [first, others @ ..] => {
            let others: Vec<String> = others.iter().map(|it| is_in("first.story_id", &it.select("entry.story_id"))).collect();
            format!("select {} from ({}) first where {}", of("first"), first.select(&of("entry")), others.join(" and "))
        }
    }
}

/// The condition that a query has a key. With `is true` it cannot become a join: PostgreSQL runs the query
/// once and looks the keys up in what it hashed.
pub(super) fn is_in(story_id: &str, query: &str) -> String {
    format!("({story_id} in ({query})) is true")
}
