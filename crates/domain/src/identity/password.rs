//! The rules for new passwords. They are never applied to a stored password.
//!
//! A new password is hashed in Unicode normalisation form C, so the rules look at that form: how a keyboard
//! writes an `é` changes nothing.

use crate::shared::{Code, Detail, Fault, FieldCode, normal_form::normalised};
use secrecy::{ExposeSecret, SecretString};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// The longest password, in code points of its normalised form.
pub const MAX_LENGTH: usize = 256;
/// The longest password, in bytes as it is sent. It bounds the work of normalising and hashing.
pub const MAX_BYTES: usize = 1024;
/// The shortest context word that a password must not contain. Shorter ones occur in too many good passwords.
const MIN_CONTEXT_WORD: usize = 4;
/// The most common passwords of eight characters and more, in lower case, sorted, one a line.
/// `common_passwords.LICENSE` names the source.
const COMMON: &str = include_str!("common_passwords.txt");
static COMMON_LINES: LazyLock<Vec<&str>> = LazyLock::new(|| COMMON.lines().collect());

/// The requirements of a new password, as `GET /api/ready` shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent switches of the configuration")]
pub struct PasswordRules {
    /// `APP_PASSWORD_MIN_LENGTH`, in code points.
    pub min_length: usize,
    /// `APP_PASSWORD_REQUIRE_UPPERCASE`.
    pub uppercase: bool,
    /// `APP_PASSWORD_REQUIRE_LOWERCASE`.
    pub lowercase: bool,
    /// `APP_PASSWORD_REQUIRE_DIGIT`.
    pub digit: bool,
    /// `APP_PASSWORD_REQUIRE_SYMBOL`.
    pub symbol: bool,
    /// `APP_NAME`. A password must not contain it, because an attacker would try it first.
    pub service: String,
}

impl Default for PasswordRules {
    fn default() -> Self {
        Self { min_length: 8, uppercase: false, lowercase: false, digit: false, symbol: false, service: "Lectern".to_owned() }
    }
}

impl PasswordRules {
    /// Every rule that the password violates. `context` holds words that an attacker would try first: the
    /// person's names and the local part of the address.
    pub fn violations(&self, password: &SecretString, context: &[&str]) -> Vec<Detail> {
        let text = normalised(password);
        let text = text.expose_secret();
        let length = text.chars().count();
        let lower = text.to_lowercase();
        let has = |is_member: fn(char) -> bool| text.chars().any(is_member);
        let is_symbol = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let is_personal = context
            .iter()
            .chain([&self.service.as_str()])
            .map(|word| word.nfc().collect::<String>().to_lowercase())
            .any(|word| word.chars().count() >= MIN_CONTEXT_WORD && lower.contains(&word));
        let (min, max) = (self.min_length, MAX_LENGTH);
        let violation = |code, message: &str| Detail::new("password", code, message);
        [
            (length < min).then(|| violation(FieldCode::TooShort, &format!("must have at least {min} characters")).bounded(min)),
            is_too_long(password)
                .then(|| violation(FieldCode::TooLong, &format!("must have at most {max} characters")).bounded(max)),
            (self.uppercase && !has(char::is_uppercase))
                .then(|| violation(FieldCode::UppercaseRequired, "must have an upper case letter")),
            (self.lowercase && !has(char::is_lowercase))
                .then(|| violation(FieldCode::LowercaseRequired, "must have a lower case letter")),
            (self.digit && !has(|value| value.is_ascii_digit())).then(|| violation(FieldCode::DigitRequired, "must have a digit")),
            (self.symbol && !has(is_symbol)).then(|| violation(FieldCode::SymbolRequired, "must have a symbol")),
            is_common(password).then(|| violation(FieldCode::Common, "is one of the most common passwords")),
            is_personal.then(|| violation(FieldCode::Personal, "must not contain your name, address or the name of this service")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Checks a new password that was sent as `field`: 400 `validation` when it is missing, 400 `weakPassword`
/// when it violates a rule. For `context` see [`PasswordRules::violations`].
pub fn check_new(rules: &PasswordRules, field: &str, sent: Option<SecretString>, context: &[&str]) -> Result<SecretString, Fault> {
    let password = sent.ok_or_else(|| Fault::fields(Code::Validation, vec![Detail::required(field)]))?;
    let renamed = |detail: Detail| Detail { field: field.to_owned(), ..detail };
    let violations: Vec<Detail> = rules.violations(&password, context).into_iter().map(renamed).collect();
    if violations.is_empty() { Ok(password) } else { Err(Fault::fields(Code::WeakPassword, violations)) }
}

/// Whether the password is one of the most common ones.
pub fn is_common(password: &SecretString) -> bool {
    COMMON_LINES.binary_search(&normalised(password).expose_secret().to_lowercase().as_str()).is_ok()
}

/// Whether the password is longer than any that is accepted. Such a password is wrong without hashing it.
pub fn is_too_long(password: &SecretString) -> bool {
    let text = password.expose_secret();
    text.len() > MAX_BYTES || text.nfc().count() > MAX_LENGTH
}

#[cfg(test)]
mod tests {
    use super::{COMMON, PasswordRules};

    fn codes(rules: &PasswordRules, password: &str, context: &[&str]) -> Vec<&'static str> {
        rules.violations(&password.into(), context).into_iter().map(|violation| violation.code.name()).collect()
    }

    #[test]
    fn length_is_counted_in_code_points_and_bounded_in_bytes() {
        let rules = &PasswordRules::default();
        assert_eq!(codes(rules, "sevench", &[]), ["tooShort"]);
        assert_eq!(codes(rules, "ééééééé8", &[]), [""; 0]);
        assert_eq!(codes(rules, &"ab1".repeat(85), &[]), [""; 0]);
        assert_eq!(codes(rules, &"a".repeat(257), &[]), ["tooLong"]);
        assert_eq!(codes(rules, &"😀".repeat(256), &[]), [""; 0]);
        assert_eq!(codes(rules, &"😀".repeat(257), &[]), ["tooLong"]);
    }

    #[test]
    fn the_rules_look_at_the_normalised_form() {
        let rules = &PasswordRules { uppercase: true, ..PasswordRules::default() };
        let apart = "E\u{301}".repeat(7);
        assert_eq!(codes(rules, &apart, &[]), ["tooShort"]);
        assert_eq!(codes(rules, &format!("{apart}8"), &[]), [""; 0]);
        assert_eq!(codes(rules, &"E\u{301}".repeat(256), &[]), [""; 0], "512 code points as sent, 256 normalised");
        assert_eq!(codes(rules, &"E\u{301}".repeat(257), &[]), ["tooLong"]);
        // A syllable of Hangul is three code points of three bytes each, and normalised it is one.
        let syllables = |count: usize| "\u{1112}\u{1161}\u{11ab}".repeat(count);
        assert_eq!([113, 114].map(|count| super::is_too_long(&syllables(count).into())), [false, true], "1024 bytes as sent");
        let name = ["Ame\u{301}lie"];
        assert_eq!(codes(&PasswordRules::default(), "xxAMÉLIExx", &name), ["personal"]);
    }

    #[test]
    fn character_classes_are_required_only_when_configured() {
        let rules = &PasswordRules { uppercase: true, lowercase: true, digit: true, symbol: true, ..PasswordRules::default() };
        assert_eq!(codes(rules, "Grüße-17 Wal", &[]), [""; 0]);
        assert_eq!(codes(rules, "        ", &[]), ["uppercaseRequired", "lowercaseRequired", "digitRequired", "symbolRequired"]);
        assert_eq!(codes(&PasswordRules::default(), "gqzvbnxw", &[]), [""; 0]);
    }

    #[test]
    fn common_and_personal_passwords_are_refused() {
        let rules = &PasswordRules::default();
        for password in ["password", "PassWord1", "12345678", "iloveyou", "qwertyuiop", "zzzzzzzz", "00000000"] {
            assert!(codes(rules, password, &[]).contains(&"common"), "{password}");
        }
        assert_eq!(codes(rules, "xxHANNAHxx", &["Hannah"]), ["personal"]);
        assert_eq!(codes(rules, "annual report", &["Ann"]), [""; 0]);
        assert_eq!(codes(rules, "my-lectern-1", &[]), ["personal"]);
        let named = &PasswordRules { service: "Example Cloud".into(), ..PasswordRules::default() };
        assert_eq!(codes(named, "the EXAMPLE cloud", &[]), ["personal"]);
        assert_eq!(codes(named, "my-lectern-1", &[]), [""; 0], "only its own name is refused");
    }

    #[test]
    fn a_refused_password_names_its_field_and_is_not_repeated() {
        let check =
            |sent: Option<&str>| super::check_new(&PasswordRules::default(), "newPassword", sent.map(Into::into), &["Hannah"]);
        assert!(check(Some("a quiet harbour")).is_ok());
        assert_eq!(check(None).unwrap_err().code.name(), "validation");
        let fault = check(Some("hannah1")).unwrap_err();
        let codes: Vec<_> = fault.details.iter().map(|detail| (detail.field.as_str(), detail.code.name())).collect();
        assert_eq!((fault.code.name(), codes), ("weakPassword", vec![("newPassword", "tooShort"), ("newPassword", "personal")]));
        assert!(!format!("{fault:?}").contains("hannah1"));
    }

    #[test]
    fn the_list_is_sorted_for_binary_search() {
        assert!(COMMON.lines().count() >= 8_000);
        for line in COMMON.lines() {
            assert!(line.chars().count() >= 8 && line == line.trim().to_lowercase(), "{line:?}");
        }
        let mut lines: Vec<&str> = COMMON.lines().collect();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines, COMMON.lines().collect::<Vec<_>>(), "sorted, none twice");
    }

    #[test]
    fn a_character_that_no_rule_names_is_no_symbol_when_it_is_a_blank() {
        let rules = PasswordRules { symbol: true, min_length: 1, ..PasswordRules::default() };
        let is_right =
            |text: &str| !rules.violations(&text.into(), &[]).iter().any(|detail| detail.code.name() == "symbolRequired");
        assert_eq!(["ab", "a b", "äß9", "a-b", "a💡"].map(is_right), [false, false, false, true, true]);
    }
}
