//! The subject (`sub`) that an account had in another system.

use crate::shared::{Detail, FieldCode, UserId};

/// The longest subject (OpenID Connect Core 1.0, section 2), in characters.
pub const MAX_LENGTH: usize = 255;

/// A subject of another system, exactly as it was written there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LegacySub(String);

impl LegacySub {
    /// Reads the field `legacySub`.
    pub fn parse(text: &str) -> Result<Self, Detail> {
        let wrong = |code, message: String| Err(Detail::new("legacySub", code, message));
        if text.is_empty() {
            return wrong(FieldCode::Blank, "is empty; leave it out instead".to_owned());
        }
        if text.chars().nth(MAX_LENGTH).is_some() {
            return wrong(FieldCode::TooLong, format!("is longer than {MAX_LENGTH} characters"));
        }
        if text.chars().any(char::is_control) {
            return wrong(FieldCode::InvalidCharacters, "holds control characters".to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id that an account with this subject gets, so that clients see the subject that they know. Only
    /// for a UUID in the one form in which this server writes ids: any other writing (upper case, braces,
    /// `urn:uuid:`) would be changed on the way to the client. The two UUIDs that identify nothing (RFC 9562,
    /// sections 5.9 and 5.10) are no ids.
    pub fn as_id(&self) -> Option<UserId> {
        preserved_id(&self.0)
    }
}

/// As [`LegacySub::as_id`], for a text that was read before.
pub fn preserved_id(text: &str) -> Option<UserId> {
    let id: UserId = text.parse().ok()?;
    let is_canonical = id.to_string() == text;
    (is_canonical && !id.0.is_nil() && !id.0.is_max()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::LegacySub;
    use proptest::prelude::*;

    fn id(text: &str) -> Option<String> {
        LegacySub::parse(text).unwrap().as_id().map(|id| id.to_string())
    }

    #[test]
    fn only_a_uuid_as_this_server_writes_it_is_kept_as_the_id() {
        let canonical = "7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11";
        assert_eq!(id(canonical).as_deref(), Some(canonical));
        assert_eq!(
            id("01234567-89ab-cdef-0123-456789abcdef").as_deref(),
            Some("01234567-89ab-cdef-0123-456789abcdef"),
            "any version"
        );
        for other in [
            "7F0D3F0C-6F0A-4A56-9A0E-2B4F3B2F7A11",
            "{7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11}",
            "urn:uuid:7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11",
            "7f0d3f0c6f0a4a569a0e2b4f3b2f7a11",
            " 7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11",
            "7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a1",
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "auth0|7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11",
            "f:7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11:ann",
            "42",
        ] {
            assert_eq!(id(other), None, "{other}");
        }
    }

    #[test]
    fn a_subject_is_bounded_and_has_no_control_characters() {
        for (text, code) in [
            (String::new(), "blank"),
            ("x".repeat(256), "tooLong"),
            ("x".repeat(1 << 20), "tooLong"),
            ("a\0b".to_owned(), "invalidCharacters"),
            ("a\r\nb".to_owned(), "invalidCharacters"),
        ] {
            assert_eq!(LegacySub::parse(&text).unwrap_err().code.name(), code);
        }
        assert!(LegacySub::parse(&"ä".repeat(255)).is_ok());
    }

    proptest! {
        #[test]
        fn an_id_is_always_written_as_the_subject_was(text in "[0-9a-fA-F]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\\PC{1,60}") {
            if let Some(id) = LegacySub::parse(&text).ok().and_then(|sub| sub.as_id()) {
                prop_assert_eq!(id.to_string(), text);
            }
        }
    }
}
