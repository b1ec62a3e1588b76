//! Texts with placeholders: `Hello {{name}}`.

use std::fmt::Write;

/// A text whose placeholders were checked against the names that can be filled in. There are no expressions
/// and no nesting: a value is inserted as it is, or escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextTemplate(Vec<Segment>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Text(String),
    Placeholder(String),
}

/// How inserted values are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escaping {
    /// Values are inserted as they are.
    None,
    /// Values are inserted as numeric character references, safe in HTML text and in quoted attributes.
    Html,
}

impl TextTemplate {
    /// Parses a text whose placeholders may have the names in `known`. The error is a predicate about the
    /// text.
    pub(super) fn parse(text: &str, known: &[&str]) -> Result<Self, String> {
        let mut segments = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}").ok_or("has a {{ without a }}")?;
            let name = name.trim();
            if !known.contains(&name) {
                return Err(format!("names {{{{{name}}}}}, and what can be named is {}", known.join(", ")));
            }
            segments.push(Segment::Text(before.to_owned()));
            segments.push(Segment::Placeholder(name.to_owned()));
            rest = after;
        }
        segments.push(Segment::Text(rest.to_owned()));
        Ok(Self(segments))
    }

    /// A template without placeholders, whatever braces the text holds.
    pub(super) fn verbatim(text: String) -> Self {
        Self(vec![Segment::Text(text)])
    }

    /// Whether the template has a placeholder of this name.
    pub(super) fn has_placeholder(&self, name: &str) -> bool {
        self.0.iter().any(|segment| matches!(segment, Segment::Placeholder(placeholder) if placeholder == name))
    }

    /// Replaces each placeholder with its value; one without a value becomes empty.
    pub(super) fn fill(&self, values: &[(&str, String)], escaping: Escaping) -> String {
        let mut filled = String::new();
        for segment in &self.0 {
            match segment {
                Segment::Text(text) => filled.push_str(text),
                Segment::Placeholder(name) => {
                    let value = values.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value);
                    push_value(&mut filled, value, escaping);
                }
            }
        }
        filled
    }
}

/// Appends a value on one line: control characters and line separators become spaces, so that a value can
/// start neither a mail header nor a line of its own.
fn push_value(out: &mut String, value: &str, escaping: Escaping) {
    for char in value.chars() {
        match char {
            _ if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') => out.push(' '),
            '&' | '<' | '>' | '"' | '\'' if escaping == Escaping::Html => {
                // Writing to a string does not fail.
                let _ = write!(out, "&#{};", u32::from(char));
            }
            _ => out.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Escaping, TextTemplate};
    use proptest::prelude::*;

    fn fill(text: &str, name: &str, escaping: Escaping) -> String {
        TextTemplate::parse(text, &["name", "link"]).unwrap().fill(&[("name", name.to_owned())], escaping)
    }

    #[test]
    fn only_placeholders_are_replaced() {
        assert_eq!(fill("{{name}}, { } }} {{ name }}{{link}}!", "Ann", Escaping::None), "Ann, { } }} Ann!");
        assert_eq!(fill("", "Ann", Escaping::None), "");
        assert_eq!(fill("{{name}}", "{{link}}", Escaping::None), "{{link}}", "a value is not parsed");
    }

    #[test]
    fn unknown_and_unclosed_placeholders_are_refused() {
        assert!(TextTemplate::parse("{{nmae}}", &["name"]).unwrap_err().contains("{{nmae}}"));
        assert!(TextTemplate::parse("{{name", &["name"]).is_err());
        assert!(TextTemplate::parse("{{}}", &["name"]).is_err());
    }

    #[test]
    fn no_value_is_markup_and_none_has_lines() {
        let hostile = "<b a='1' c=\"2\">&\r\nBcc: x\u{2028}\u{85}";
        assert_eq!(fill("{{name}}", hostile, Escaping::Html), "&#60;b a=&#39;1&#39; c=&#34;2&#34;&#62;&#38;  Bcc: x  ");
        assert_eq!(fill("{{name}}", hostile, Escaping::None), "<b a='1' c=\"2\">&  Bcc: x  ");
    }

    proptest! {
        #[test]
        fn any_value_is_inserted_safely(value in "\\PC{0,20}|[<>&'\"\r\n\0{}a]{0,20}") {
            let html = fill("<p title=\"{{name}}\">{{name}}</p>", &value, Escaping::Html);
            prop_assert_eq!(html.matches(['<', '>', '"']).count(), 6);
            prop_assert!(!fill("{{name}}", &value, Escaping::None).contains(char::is_control));
        }
    }
}
