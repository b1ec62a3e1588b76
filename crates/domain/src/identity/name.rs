//! Names of people. Every script is allowed; characters that are invisible, or change how the text around
//! them is shown, are not.

use crate::shared::{Detail, FieldCode};

/// The longest name, in code points.
pub const MAX_LENGTH: usize = 100;

/// Why a text is not accepted as a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidName {
    /// It is empty after trimming.
    Blank,
    /// It is longer than [`MAX_LENGTH`].
    TooLong,
    /// It holds a character that is invisible or changes how its neighbours are shown.
    Invisible,
}

impl InvalidName {
    /// The error of the field that held the name.
    pub fn detail(self, field: &str) -> Detail {
        match self {
            Self::Blank => Detail::required(field),
            Self::TooLong => {
                Detail::new(field, FieldCode::TooLong, format!("is longer than {MAX_LENGTH} characters")).bounded(MAX_LENGTH)
            }
            Self::Invisible => Detail::new(field, FieldCode::InvalidCharacters, "holds control or invisible characters"),
        }
    }
}

/// Checks a name and removes surrounding white space.
pub fn parse(text: &str) -> Result<String, InvalidName> {
    let text = text.trim();
    if text.is_empty() {
        return Err(InvalidName::Blank);
    }
    if text.chars().count() > MAX_LENGTH {
        return Err(InvalidName::TooLong);
    }
    if text.chars().any(is_invisible) {
        return Err(InvalidName::Invisible);
    }
    Ok(text.to_owned())
}

/// Control characters, direction marks and overrides, zero-width characters, line and paragraph separators,
/// blank letters, tags.
fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{ffff}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::{InvalidName, MAX_LENGTH, parse};

    #[test]
    fn names_of_many_scripts_are_accepted() {
        for name in ["Ann", "Anne-Marie", "O’Neil", "Søren", "李", "نازنین", "Владимир Ильич", "X Æ A-12"] {
            assert_eq!(parse(&format!("  {name} ")).as_deref(), Ok(name));
        }
        assert_eq!(parse(&"é".repeat(MAX_LENGTH)).unwrap().chars().count(), MAX_LENGTH);
    }

    #[test]
    fn deceptive_characters_are_refused() {
        for name in ["a\u{202e}b", "a\u{200b}b", "a\nb", "a\u{7}b", "a\u{2066}b", "\u{3164}", "a\u{feff}b", "a\u{e0041}b", "a\0"] {
            assert_eq!(parse(name), Err(InvalidName::Invisible), "{name:?}");
        }
        assert_eq!(parse(" \u{a0}\u{3000} "), Err(InvalidName::Blank));
        assert_eq!(parse(&"a".repeat(10_240)), Err(InvalidName::TooLong));
    }
}
