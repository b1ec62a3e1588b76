//! Texts with places for values: `Hello {{name}}`.

use std::fmt::Write;

/// A text whose placeholders are known to be filled. Nothing is executed, nothing is nested: a value is put in as it is, or escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Value(String),
}

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// As they are.
    Plain,
    /// So that no value can be markup, in text or in a quoted attribute.
    Html,
}

impl Pattern {
    /// Reads a text that may name these values. The error is a sentence.
    pub(super) fn parse(text: &str, known: &[&str]) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}").ok_or("has a {{ without a }}")?;
            let name = name.trim();
            if !known.contains(&name) {
                return Err(format!("names {{{{{name}}}}}, and what can be named is {}", known.join(", ")));
            }
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Value(name.to_owned()));
            rest = after;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }

    /// A text without any place.
    pub(super) fn verbatim(text: String) -> Self {
        Self(vec![Piece::Text(text)])
    }

    /// Whether a value has a place in it.
    pub(super) fn names(&self, value: &str) -> bool {
        self.0.iter().any(|item| matches!(item, Piece::Value(name) if name == value))
    }

    /// The text with its values.
    pub(super) fn fill(&self, values: &[(&str, String)], writing: Writing) -> String {
        let mut filled = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Value(name) => {
                    let value = values.iter().find(|(value, _)| value == name).map_or("", |(_, value)| value);
                    put(&mut filled, value, writing);
                }
            }
        }
        filled
    }
}

/// A value is one line wherever it stands, so none can begin a header, or a line that seems to be ours.
fn put(out: &mut String, value: &str, writing: Writing) {
    for it in value.chars() {
        match it {
            _ if it.is_control() || matches!(it, '\u{2028}' | '\u{2029}') => out.push(' '),
            '&' | '<' | '>' | '"' | '\'' if writing == Writing::Html => {
                // Writing to a string does not fail.
                let _ = write!(out, "&#{};", u32::from(it));
            }
            _ => out.push(it),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Writing};
    use proptest::prelude::*;

    fn fill(text: &str, name: &str, writing: Writing) -> String {
        Pattern::parse(text, &["name", "link"]).unwrap().fill(&[("name", name.to_owned())], writing)
    }

    #[test]
    fn values_take_their_places_and_nothing_else_changes() {
        assert_eq!(fill("{{name}}, { } }} {{ name }}{{link}}!", "Ann", Writing::Plain), "Ann, { } }} Ann!");
        assert_eq!(fill("", "Ann", Writing::Plain), "");
        assert_eq!(fill("{{name}}", "{{link}}", Writing::Plain), "{{link}}", "a value is no pattern");
    }

    #[test]
    fn what_cannot_be_filled_is_refused() {
        assert!(Pattern::parse("{{nmae}}", &["name"]).unwrap_err().contains("{{nmae}}"));
        assert!(Pattern::parse("{{name", &["name"]).is_err());
        assert!(Pattern::parse("{{}}", &["name"]).is_err());
    }

    #[test]
    fn no_value_is_markup_and_none_has_lines() {
        let bad = "<b a='1' c=\"2\">&\r\nBcc: x\u{2028}\u{85}";
        assert_eq!(fill("{{name}}", bad, Writing::Html), "&#60;b a=&#39;1&#39; c=&#34;2&#34;&#62;&#38;  Bcc: x  ");
        assert_eq!(fill("{{name}}", bad, Writing::Plain), "<b a='1' c=\"2\">&  Bcc: x  ");
    }

    proptest! {
        #[test]
        fn whatever_a_value_is(value in "\\PC{0,20}|[<>&'\"\r\n\0{}a]{0,20}") {
            let html = fill("<p title=\"{{name}}\">{{name}}</p>", &value, Writing::Html);
            prop_assert_eq!(html.matches(['<', '>', '"']).count(), 6);
            prop_assert!(!fill("{{name}}", &value, Writing::Plain).contains(char::is_control));
        }
    }
}
