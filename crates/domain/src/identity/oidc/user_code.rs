//! User codes: what a device shows, and a person types on a page (RFC 8628, section 6.1).

use secrecy::{ExposeSecret, SecretString};

/// The letters of a code: consonants, so that no code is a word, without those that are taken for others.
pub const ALPHABET: [char; 20] =
    ['B', 'C', 'D', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N', 'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Z'];
/// How many letters a code has: 34 bits.
pub const LENGTH: usize = 8;
/// The longest text that is parsed, in bytes: more than any code has with separators between all its letters.
const MAX_LENGTH: usize = 64;

/// A user code.
#[derive(Debug, Clone)]
pub struct UserCode(SecretString);

impl UserCode {
    /// The code of these places in the alphabet, each of which counts from its beginning again after the last
    /// letter.
    pub fn of_places(places: [u8; LENGTH]) -> Self {
        let letters = places.into_iter().filter_map(|place| ALPHABET.get(usize::from(place) % ALPHABET.len()));
        Self(letters.collect::<String>().into())
    }

    /// Parses a typed text: case, spaces, dashes and other punctuation do not matter. `None` for a text that
    /// cannot be a code.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let letters: String = text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_uppercase()).collect();
        let is_code = letters.len() == LENGTH && letters.chars().all(|letter| ALPHABET.contains(&letter));
        is_code.then(|| Self(letters.into()))
    }

    /// The letters alone, which the stored hash is made of.
    pub fn letters(&self) -> &SecretString {
        &self.0
    }

    /// The code as devices and pages show it: in two halves with a dash between them.
    pub fn shown(&self) -> String {
        let letters = self.0.expose_secret();
        letters.split_at_checked(LENGTH / 2).map_or_else(String::new, |(first, second)| format!("{first}-{second}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{ALPHABET, UserCode};
    use proptest::prelude::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        for text in ["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "WDJB\u{2013}MJHT", "w-d-j-b.m j_h t", "WDJBMJHT\n"] {
            assert_eq!(UserCode::parse(text).map(|code| code.shown()).as_deref(), Some("WDJB-MJHT"), "{text}");
        }
    }

    #[test]
    fn everything_else_is_no_code() {
        let long = "-".repeat(60) + "WDJBMJHT";
        for text in ["", "WDJB-MJH", "WDJB-MJHTT", "WDJB-MJHA", "WDJB-MJH0", "WDJB-MJH\u{c4}", "\u{ff37}DJBMJHT", &long] {
            assert!(UserCode::parse(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_as_the_same_code(places: [u8; 8]) {
            let code = UserCode::of_places(places);
            let read = UserCode::parse(&code.shown()).unwrap();
            prop_assert_eq!(code.shown(), read.shown());
        }

        #[test]
        fn whatever_is_read_has_letters_of_the_alphabet_only(text in "\\PC{0,70}|[B-Zb-z -]{8,9}") {
            if let Some(code) = UserCode::parse(&text) {
                let shown = code.shown();
                prop_assert_eq!((shown.len(), shown.as_bytes()[4]), (9, b'-'));
                prop_assert!(shown.chars().filter(|c| *c != '-').all(|c| ALPHABET.contains(&c)));
            }
        }
    }
}
