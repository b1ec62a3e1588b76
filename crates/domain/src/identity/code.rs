//! Second factors as people type them.

use secrecy::SecretString;

/// The letters of a backup code: Crockford's base32, in which no letter looks like another one.
pub const ALPHABET: &str = "0123456789abcdefghjkmnpqrstvwxyz";
/// How many letters a backup code has.
pub const BACKUP_LENGTH: usize = 10;
/// How many digits a code has that is mailed or shown by an app.
const DIGITS: usize = 6;
/// The longest text that is parsed, in bytes: more than any code has with spaces between all its letters.
const MAX_LENGTH: usize = 64;

/// A code as a person typed it, by the kind that its form allows.
#[derive(Debug, Clone)]
pub enum TypedCode {
    Digits(SecretString),
    /// A backup code in canonical form: small letters without a hyphen.
    Backup(SecretString),
}

impl TypedCode {
    /// Parses a typed text. Spaces and hyphens are ignored; in a backup code case is ignored as well, and a
    /// letter that looks like a digit counts as that digit. `None` for a text that cannot be a code.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let plain: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        if plain.len() == DIGITS && plain.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self::Digits(plain.into()));
        }
        let canonical: String = plain.chars().map(canonical).collect();
        let is_backup = canonical.len() == BACKUP_LENGTH && canonical.chars().all(|c| ALPHABET.contains(c));
        is_backup.then(|| Self::Backup(canonical.into()))
    }
}

fn canonical(letter: char) -> char {
    match letter.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::TypedCode;
    use proptest::prelude::*;
    use secrecy::ExposeSecret;

    fn read(text: &str) -> Option<(bool, String)> {
        TypedCode::parse(text).map(|p| match p {
            TypedCode::Digits(code) => (false, code.expose_secret().to_owned()),
            TypedCode::Backup(code) => (true, code.expose_secret().to_owned()),
        })
    }

    #[test]
    fn six_digits_may_be_spaced() {
        for text in ["123456", "123 456", " 123456 ", "123-456", "1 2 3 4 5 6"] {
            assert_eq!(read(text), Some((false, "123456".to_owned())), "{text}");
        }
    }

    #[test]
    fn backup_codes_are_read_with_tolerance() {
        for text in ["01abc-defgh", "01ABC-DEFGH", "OlAbC dEfGh", "o1abcdefgh", " 0iabc-defgh "] {
            assert_eq!(read(text), Some((true, "01abcdefgh".to_owned())), "{text}");
        }
    }

    #[test]
    fn everything_else_is_no_code() {
        let long = " ".repeat(60) + "123456";
        for text in [
            "",
            "12345",
            "1234567",
            "12345a",
            "+12345",
            "12345\u{a0}6",
            "١٢٣٤٥٦",
            "１２３４５６",
            "uuuuu-uuuuu",
            "0123456789a",
            &long,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_plain(text in "\\PC{0,70}|[0-9a-zA-Z -]{0,70}") {
            if let Some((is_backup, code)) = read(&text) {
                prop_assert_eq!(code.len(), if is_backup { 10 } else { 6 });
                prop_assert!(code.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()));
                prop_assert_eq!(read(&code), Some((is_backup, code)));
            }
        }
    }
}
