//! Scopes (RFC 6749, section 3.3).

use super::error::invalid_scope;
use crate::shared::Fault;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The scope that makes a request one of OpenID Connect.
pub const OPENID: &str = "openid";
/// Names of the person.
pub const PROFILE: &str = "profile";
/// The mail address.
pub const EMAIL: &str = "email";
/// The person's roles at the client.
pub const ROLES: &str = "roles";
/// A refresh token.
pub const OFFLINE_ACCESS: &str = "offline_access";

/// Every scope that the server gives a meaning.
pub const SUPPORTED: [&str; 5] = [OPENID, PROFILE, EMAIL, ROLES, OFFLINE_ACCESS];

/// A set of scope names, in the order in which they were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scope(Vec<String>);

impl Scope {
    /// Reads a scope parameter. `invalid_scope` for a character that no scope may have.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let is_legal = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        let names = text.split(' ').filter(|name| !name.is_empty());
        let mut scope = Self::default();
        for name in names {
            if !name.bytes().all(is_legal) {
                return Err(invalid_scope("The scope has a character that is not allowed"));
            }
            scope.add(name);
        }
        Ok(scope)
    }

    /// The names that were stored.
    pub fn of<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }

    /// Adds a name, unless it is there.
    pub fn add(&mut self, name: &str) {
        if !self.has(name) {
            self.0.push(name.to_owned());
        }
    }

    /// Whether it has a name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|known| known == name)
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Whether it has no name.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each of its names is in another scope.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().all(|name| other.has(name))
    }

    /// The names that pass a test.
    #[must_use]
    pub fn filtered(&self, keeps: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|name| keeps(name)).cloned().collect())
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::Scope;
    use proptest::prelude::*;

    #[test]
    fn names_are_kept_once_and_in_order() {
        let scope = Scope::parse(" email openid  email profile").unwrap();
        assert_eq!(scope.to_string(), "email openid profile");
        assert!(scope.has("openid") && !scope.has("open"));
    }

    #[test]
    fn a_character_that_no_scope_may_have_is_refused() {
        for text in ["a\"b", "a\\b", "a\tb", "ä", "a\u{7f}"] {
            assert_eq!(Scope::parse(text).unwrap_err().code.name(), "invalid_scope", "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_alike(text in "[!#-\\[\\]-~ ]{0,60}") {
            let scope = Scope::parse(&text).unwrap();
            prop_assert_eq!(Scope::parse(&scope.to_string()).unwrap(), scope);
        }
    }

    #[test]
    fn a_scope_is_empty_without_names() {
        let scope = |text: &str| Scope::parse(text).unwrap();
        assert_eq!(scope("openid email").names(), ["openid", "email"]);
        assert!(!scope("openid").is_empty());
        assert!(scope("openid").filtered(|_| false).is_empty());
    }
}
