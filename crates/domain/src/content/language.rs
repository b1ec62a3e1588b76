//! The languages of a space, beside the default one.

use super::checks::Checks;
use crate::shared::{Fault, FieldCode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The most languages of a space.
pub const MAX_LANGUAGES: usize = 200;

/// A language that content is translated into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    /// `de`, `pt-br`.
    pub code: String,
    /// The name people see.
    pub name: String,
}

/// The code as it is in the names of translated fields (`__i18n__pt_br`). Two languages must differ in it.
pub fn suffix(code: &str) -> String {
    code.to_ascii_lowercase().replace('-', "_")
}

/// 422 on `language` for a code that the space does not have.
pub fn require(code: &str, languages: &[Language]) -> Result<(), Fault> {
    let is_known = languages.iter().any(|language| language.code == code);
    if is_known { Ok(()) } else { Err(Fault::invalid("language", FieldCode::Unknown, "must be a language of the space")) }
}

/// Checks a list of languages; errors are those of the field `languages`.
pub fn check(languages: &[Language], checks: &mut Checks) {
    if languages.len() > MAX_LANGUAGES {
        return checks.refuse("languages", FieldCode::TooLong, format!("is too long (maximum is {MAX_LANGUAGES} languages)"));
    }
    let mut seen = BTreeSet::new();
    for Language { code, name } in languages {
        if !is_code(code) {
            checks.refuse("languages", FieldCode::Invalid, format!("has the invalid code {}", code.escape_default()));
        } else if suffix(code) == "default" {
            checks.refuse("languages", FieldCode::Reserved, "can't hold the default language");
        } else if !seen.insert(suffix(code)) {
            checks.refuse("languages", FieldCode::Taken, format!("has the code {code} twice"));
        }
        checks.required("languages", name, 255);
    }
}

/// Letters and digits, in parts joined by single hyphens or underscores, a letter first; at most 35
/// characters (RFC 5646, 4.4.1).
pub fn is_code(code: &str) -> bool {
    code.len() <= 35
        && code.starts_with(|c: char| c.is_ascii_alphabetic())
        && code.split(['-', '_']).all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::{Language, check};
    use crate::content::checks::Checks;

    fn verdict(codes: &[&str]) -> Result<(), &'static str> {
        let languages: Vec<_> = codes.iter().map(|c| Language { code: (*c).into(), name: "x".into() }).collect();
        let mut checks = Checks::default();
        check(&languages, &mut checks);
        checks.finish().map_err(|fault| fault.details[0].code.name())
    }

    #[test]
    fn codes_are_words_that_fit_into_field_names() {
        assert_eq!(verdict(&["de", "fr-fr", "pt_BR", "zh-Hans", "es-419"]), Ok(()));
        for code in ["", "-de", "de-", "de--at", "de__at", "d e", "ä", "1de", "de/at", "../x", "a\u{0}"] {
            assert_eq!(verdict(&[code]), Err("invalid"), "{code}");
        }
        assert_eq!(verdict(&["Default"]), Err("reserved"));
        assert_eq!(verdict(&["de-at", "de_AT"]), Err("taken"));
    }

    #[test]
    fn languages_are_bounded() {
        let errors = |count: usize| {
            let languages: Vec<super::Language> =
                (0..count).map(|number| super::Language { code: format!("x-a{number}"), name: String::new() }).collect();
            let mut checks = crate::content::checks::Checks::default();
            super::check(&languages, &mut checks);
            checks.finish().err().map(|fault| fault.details[0].code.name())
        };
        assert_eq!(errors(super::MAX_LANGUAGES + 1), Some("tooLong"));
        assert_ne!(errors(super::MAX_LANGUAGES), Some("tooLong"));
    }
}
