//! Messages for people, in their language: errors, and what a request has done. The English message of an error stands where the error is
//! raised, and translations are found by its code. Only the identity service translates; the content service answers in English.

mod german;
mod success;

pub(crate) use success::Message;

use domain::shared::{Detail, Fault, Language};
use std::borrow::Cow;

/// The messages in a language.
pub(crate) trait Translations {
    /// The message of an error.
    fn error_message(self, fault: &Fault) -> Cow<'_, str>;
    /// The message about an invalid field.
    fn field_message(self, detail: &Detail) -> Cow<'_, str>;
    /// The text of a message that reports success.
    fn text(self, message: Message) -> &'static str;
}

impl Translations for Language {
    fn error_message(self, fault: &Fault) -> Cow<'_, str> {
        match (self, fault.code) {
            (Self::English, _) => fault.message.as_ref().into(),
            (Self::German, "weakPassword") => {
                let violations: Vec<_> = fault.details.iter().map(|detail| self.field_message(detail)).collect();
                format!("Dieses Passwort geht nicht: es {}.", violations.join(", ")).into()
            }
            (Self::German, code) => german::error_message(code).unwrap_or_else(|| german::kind_message(fault.kind)).into(),
        }
    }

    fn field_message(self, detail: &Detail) -> Cow<'_, str> {
        let german = || match (detail.code, &detail.bound) {
            ("tooShort", Some(min)) => Some(format!("muss mindestens {min} Zeichen haben").into()),
            ("tooLong", Some(max)) => Some(format!("darf höchstens {max} Zeichen haben").into()),
            ("unknownField", Some(nearest)) => Some(format!("gibt es hier nicht; am nächsten kommt {nearest}").into()),
            ("unsupported", Some(choices)) => Some(format!("muss eines von {choices} sein").into()),
            (code, _) => german::field_message(code).map(Cow::from),
        };
        let translated = if self == Self::German { german() } else { None };
        translated.unwrap_or_else(|| detail.message.as_str().into())
    }

    fn text(self, message: Message) -> &'static str {
        match self {
            Self::English => message.english(),
            Self::German => message.german(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Translations, german};
    use domain::shared::{Detail, Fault, Language};
    use std::{collections::BTreeSet, path::Path, time::Duration};

    #[test]
    fn errors_are_translated_or_else_in_english() {
        let fault = Fault::too_many(Duration::from_secs(1));
        assert_eq!(Language::of("de-AT").error_message(&fault), "Zu viele Versuche; versuchen Sie es später noch einmal.");
        for other in ["en", "fr", "den", ""] {
            assert_eq!(Language::of(other).error_message(&fault), fault.message, "{other}");
        }
        let attempts_left = Detail::new("code", "attemptsLeft", "4");
        assert_eq!(Language::German.field_message(&attempts_left), "4");
    }

    #[test]
    fn bounds_are_part_of_translated_messages() {
        let short = || Detail::new("password", "tooShort", "must have at least 12 characters").bounded(12);
        assert_eq!(Language::German.field_message(&short()), "muss mindestens 12 Zeichen haben");
        assert_eq!(Language::German.field_message(&Detail::new("name", "tooLong", "is too long")), "ist zu lang");
        let fault = Fault::fields("weakPassword", vec![short(), Detail::new("password", "common", "is common")]);
        let message = "Dieses Passwort geht nicht: es muss mindestens 12 Zeichen haben, gehört zu den häufigsten Passwörtern.";
        assert_eq!(Language::German.error_message(&fault), message);
    }

    /// Codes that only programs meet, or that the general message of their kind is enough for.
    const WITHOUT_TRANSLATION: [&str; 13] = [
        "badEncoding",
        "badForm",
        "badHost",
        "bodyBroken",
        "bodyTimeout",
        "forbidden",
        "internal",
        "methodNotAllowed",
        "repeatedParameter",
        "tooLarge",
        "unknownParameter",
        "unsupportedEncoding",
        "validation",
    ];

    #[test]
    fn every_error_code_of_the_identity_service_is_translated() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut codes = BTreeSet::new();
        for folder in [
            "src/identity",
            "src/web",
            "../crates/domain/src/identity",
            "../crates/services/src/identity",
            "../crates/storage/src/identity",
        ] {
            collect_error_codes(&here.join(folder), &mut codes);
        }
        assert!(codes.len() > 40, "{codes:?}");
        // The codes of OAuth have an underscore. Their descriptions are for developers of clients, and English (RFC 6749, section 5.2).
        for code in codes.into_iter().filter(|code| !code.contains('_')) {
            assert!(german::error_message(&code).is_some() || WITHOUT_TRANSLATION.contains(&code.as_str()), "{code}");
        }
        for code in ["blank", "invalid", "tooShort", "tooLong", "common", "personal", "digitRequired", "wrongType", "unchanged"] {
            assert!(german::field_message(code).is_some(), "{code}");
        }
    }

    /// Finds the codes of the faults that the source files of a folder construct.
    fn collect_error_codes(folder: &Path, codes: &mut BTreeSet<String>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect_error_codes(&path, codes);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for call in text.split("Fault::").skip(1).chain(text.split("errors.").skip(1)) {
                    let with_code_first = ["bad_request(", "conflict(", "fields(", "into_fault("];
                    let arguments = with_code_first.iter().find_map(|name| call.strip_prefix(name));
                    let arguments = arguments.or_else(|| Some(call.strip_prefix("new(")?.split_once(',')?.1));
                    let Some(literal) = arguments.and_then(|rest| rest.trim_start().strip_prefix('"')) else { continue };
                    codes.insert(literal.split('"').next().unwrap().to_owned());
                }
            }
        }
    }
}
