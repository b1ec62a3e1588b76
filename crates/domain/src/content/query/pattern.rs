//! Patterns of `like`, `not_like` and of full slugs.

use crate::shared::{Fault, FieldCode};

/// How long a pattern may be, in characters.
const MAX_LENGTH: usize = 200;
/// How many `*` it may have. Several in a row are one.
const MAX_WILDCARDS: usize = 8;

/// A text in which `*` matches anything.
///
/// PostgreSQL compares one text with one pattern without looking whether it should stop, in a time that grows
/// with both lengths. So both are bounded: that is a few milliseconds at most, and a limit of time can end
/// the statement before the next story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// How many characters of a text are compared; those behind them count as if they were not there.
    pub const COMPARED: usize = 10_000;

    /// Checks a pattern, and makes one `*` of several in a row. 422 that names the parameter for one that is
    /// too long or has too many `*`.
    pub fn parse(parameter: &str, text: &str) -> Result<Self, Fault> {
        let mut pattern = String::new();
        for character in text.chars() {
            if character != '*' || !pattern.ends_with('*') {
                pattern.push(character);
            }
        }
        let pattern = Self(pattern);
        if pattern.0.chars().count() > MAX_LENGTH {
            return Err(Fault::invalid(
                parameter,
                FieldCode::TooLong,
                format!("has a pattern of more than {MAX_LENGTH} characters"),
            ));
        }
        if pattern.wildcards() > MAX_WILDCARDS {
            return Err(Fault::invalid(parameter, FieldCode::TooMany, format!("has a pattern with more than {MAX_WILDCARDS} *")));
        }
        Ok(pattern)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How many `*` it has.
    pub fn wildcards(&self) -> usize {
        self.0.matches('*').count()
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn several_wildcards_in_a_row_are_one() {
        assert_eq!(Pattern::parse("p", "**a***b*").unwrap().as_str(), "*a*b*");
        assert_eq!(Pattern::parse("p", &"*".repeat(30_000)).unwrap().wildcards(), 1);
    }

    #[test]
    fn long_patterns_and_many_wildcards_are_refused() {
        for good in ["", &"ü".repeat(200), "*a*b*c*d*e*f*g*"] {
            assert!(Pattern::parse("p", good).is_ok(), "{good}");
        }
        for (bad, code) in [("ü".repeat(201), "tooLong"), ("*a*b*c*d*e*f*g*h*".to_owned(), "tooMany")] {
            let fault = Pattern::parse("p", &bad).unwrap_err();
            assert_eq!((fault.details[0].field.as_str(), fault.details[0].code.name()), ("p", code));
        }
    }
}
