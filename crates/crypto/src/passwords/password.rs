//! The forms of a password: as it was typed, and normalised. An `é` may arrive as one code point or as two,
//! and another system hashed what it received.

use domain::shared::normal_form::normalised;
use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

/// A password in the forms of which a stored hash may have been made.
pub(super) struct Password {
    /// In Unicode normalisation form C. A new hash is made of this one.
    composed: SecretString,
    /// The other forms, each once: as it was typed, and in Unicode normalisation form D. There are none for
    /// ASCII.
    others: Vec<SecretString>,
}

impl Password {
    pub(super) fn of(typed: SecretString) -> Self {
        let composed = normalised(&typed);
        let apart: SecretString = typed.expose_secret().nfd().collect::<String>().into();
        let mut others: Vec<SecretString> = Vec::with_capacity(2);
        for form in [typed, apart] {
            let is_known = [&composed].into_iter().chain(&others).any(|known| known.expose_secret() == form.expose_secret());
            if !is_known {
                others.push(form);
            }
        }
        Self { composed, others }
    }

    /// The bytes of which a new hash is made.
    pub(super) fn composed(&self) -> &[u8] {
        self.composed.expose_secret().as_bytes()
    }

    /// The bytes of which a stored hash may have been made, and whether they are those of which a new hash is
    /// made. How many there are depends on the password alone. The usual one comes first.
    pub(super) fn forms(&self) -> impl Iterator<Item = (&[u8], bool)> {
        let others = self.others.iter().map(|form| (form.expose_secret().as_bytes(), false));
        [(self.composed(), true)].into_iter().chain(others)
    }
}

#[cfg(test)]
mod tests {
    use super::Password;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use unicode_normalization::UnicodeNormalization;

    fn forms(typed: &str) -> Vec<(String, bool)> {
        let password = Password::of(typed.into());
        password.forms().map(|(bytes, is_composed)| (String::from_utf8(bytes.to_vec()).unwrap(), is_composed)).collect()
    }

    #[test]
    fn each_form_is_tried_once() {
        let (composed, apart) = ("caf\u{e9}", "cafe\u{301}");
        assert_eq!(forms("cafe"), [("cafe".to_owned(), true)]);
        for typed in [composed, apart] {
            assert_eq!(forms(typed), [(composed.to_owned(), true), (apart.to_owned(), false)]);
        }
        // The first letter is written in one way, and the second in the other.
        let mixed = "\u{e9}e\u{301}";
        let expected =
            [("\u{e9}\u{e9}", true), (mixed, false), ("e\u{301}e\u{301}", false)].map(|(form, is)| (form.to_owned(), is));
        assert_eq!(forms(mixed), expected);
    }

    proptest! {
        #[test]
        fn the_forms_are_those_that_the_password_has(typed in "\\PC{0,20}|[e\u{301}\u{e9}\u{ac00}\u{1100}\u{1161}a]{0,8}") {
            let found = forms(&typed);
            let expected: BTreeSet<String> = [typed.clone(), typed.nfc().collect(), typed.nfd().collect()].into();
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.iter().filter(|(_, is_composed)| *is_composed).count(), 1);
            prop_assert_eq!(&found[0], &(typed.nfc().collect::<String>(), true));
            prop_assert_eq!(found.into_iter().map(|(form, _)| form).collect::<BTreeSet<_>>(), expected);
        }
    }
}
