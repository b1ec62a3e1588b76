//! Comma-separated values (RFC 4180).

/// A cell. A text that a program of tables would run as a formula gets an apostrophe, because callers choose
/// their `User-Agent`.
pub fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { verbatim_cell(&format!("'{text}")) } else { verbatim_cell(text) }
}

/// A cell whose text is exactly this, for files that programs read back.
pub fn verbatim_cell(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{cell, verbatim_cell};
    use proptest::prelude::*;

    #[test]
    fn a_cell_is_quoted_and_runs_as_no_formula() {
        for (text, written) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=cmd()", "'=cmd()"),
            ("@a,b", "\"'@a,b\""),
            ("a\nb", "\"a\nb\""),
        ] {
            assert_eq!(cell(text), written);
        }
    }

    #[test]
    fn a_file_for_programs_has_texts_as_they_are() {
        for (text, written) in [("=a", "=a"), ("-1", "-1"), ("a,\"b\"", "\"a,\"\"b\"\"\"")] {
            assert_eq!(verbatim_cell(text), written);
        }
    }

    proptest! {
        #[test]
        fn a_cell_stays_one_cell(text in "\\PC{0,40}|[,\"\\r\\n=+@-]{0,10}") {
            let written = cell(&text);
            let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            match inner {
                Some(inner) => prop_assert!(!inner.replace("\"\"", "").contains('"')),
                None => prop_assert!(!written.contains([',', '"', '\r', '\n'])),
            }
        }
    }
}
