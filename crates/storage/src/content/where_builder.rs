//! Conditions joined by `and`, with bound values. The text of a condition is always a constant; nothing that
//! a caller sends becomes SQL.

use domain::content::story::Story;
use tokio_postgres::types::ToSql;

/// A growing `where` clause and its values.
pub(crate) struct WhereBuilder {
    text: String,
    values: Vec<Box<dyn ToSql + Sync + Send>>,
}

impl WhereBuilder {
    /// A clause without conditions.
    pub(crate) fn new() -> Self {
        Self { text: "true".to_owned(), values: Vec::new() }
    }

    /// Binds a value and returns its placeholder, `$n`.
    pub(crate) fn bind(&mut self, value: impl ToSql + Sync + Send + 'static) -> String {
        self.values.push(Box::new(value));
        format!("${}", self.values.len())
    }

    /// Adds a condition; `{}` in it stands for the value.
    pub(crate) fn and(&mut self, condition: &'static str, value: impl ToSql + Sync + Send + 'static) {
        let placeholder = self.bind(value);
        self.text.push_str(" and ");
        self.text.push_str(&condition.replace("{}", &placeholder));
    }

    /// Adds a condition whose values were bound before.
    pub(crate) fn and_text(&mut self, condition: &str) {
        self.text.push_str(" and ");
        self.text.push_str(condition);
    }

    /// The condition that a column begins with the prefix, in which wildcards are plain characters.
    pub(crate) fn begins(&mut self, column: &str, prefix: &str) -> String {
        let (from, before) = (self.bind(prefix.to_owned()), self.bind(prefix_end(prefix)));
        format!("({column} ~>=~ {from} and {column} ~<~ {before})")
    }

    /// The condition that a column has one of the values. A single value is compared by `=`, so that an index
    /// keeps the order of its further columns.
    pub(crate) fn among(&mut self, column: &str, values: Vec<String>) -> String {
        match <[String; 1]>::try_from(values) {
            Ok([value]) => format!("{column} = {}", self.bind(value)),
            Err(values) => format!("{column} = any({})", self.bind(values)),
        }
    }

    /// The text of the clause.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The values, in the order of their placeholders.
    pub(crate) fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.values.iter().map(|value| value.as_ref() as &(dyn ToSql + Sync)).collect()
    }
}

/// The end of the range of texts that begin with the prefix: `~>=~` the prefix and `~<~` this. Unlike a
/// `like`, a bound range uses an index in a generic plan as well.
fn prefix_end(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}

/// The paths below a folder as a range: `~>=~ from and ~<~ before`. Both are null for a story that is no
/// folder: nothing is below it.
pub(crate) struct Subtree {
    pub(crate) from: Option<String>,
    pub(crate) before: Option<String>,
}

impl Subtree {
    /// The paths below a folder at this path.
    pub(crate) fn folder(full_slug: &str) -> Self {
        let prefix = format!("{full_slug}/");
        Self { before: Some(prefix_end(&prefix)), from: Some(prefix) }
    }

    /// The paths below a story: none, unless it is a folder.
    pub(crate) fn story(story: &Story) -> Self {
        if story.is_folder { Self::folder(&story.place.full_slug) } else { Self { from: None, before: None } }
    }
}

/// A `like` pattern of a text in which `*` stands for anything.
pub(crate) fn wildcard_pattern(text: &str) -> String {
    escape(text).replace('*', "%")
}

/// A `like` pattern that matches texts containing the text.
pub(crate) fn contains_pattern(text: &str) -> String {
    format!("%{}%", escape(text))
}

/// A `like` pattern that matches texts beginning with the text.
pub(crate) fn begins_pattern(text: &str) -> String {
    format!("{}%", escape(text))
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    use super::{WhereBuilder, wildcard_pattern};

    #[test]
    fn values_are_bound_in_order() {
        let mut builder = WhereBuilder::new();
        builder.and("a = {}", 1_i64);
        builder.and("c = any({})", vec!["x".to_owned()]);
        assert_eq!(builder.text(), "true and a = $1 and c = any($2)");
        assert_eq!(builder.values().len(), 2);
    }

    #[test]
    fn one_value_is_compared_as_it_is() {
        let mut builder = WhereBuilder::new();
        assert_eq!(builder.among("tag", vec!["a".to_owned()]), "tag = $1");
        assert_eq!(builder.among("tag", vec!["a".to_owned(), "b".to_owned()]), "tag = any($2)");
        assert_eq!(builder.among("tag", Vec::new()), "tag = any($3)");
    }

    #[test]
    fn only_a_star_is_a_wildcard() {
        assert_eq!(wildcard_pattern("a_b%*"), "a\\_b\\%%");
    }
}
