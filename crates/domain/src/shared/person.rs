//! What one service shows of a person's account to the callers of another.

use super::UserId;
use jiff::Timestamp;

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub email: String,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: Option<String>,
    /// The name that the person goes by.
    pub display_name: Option<String>,
    /// The language, as in `de`.
    pub locale: String,
    /// Whether the address is verified.
    pub email_verified: bool,
    /// The time of registration.
    pub created_at: Timestamp,
}

impl Person {
    /// The name that others see.
    pub fn friendly_name(&self) -> String {
        friendly_name(self.display_name.as_deref(), &self.first_name, self.last_name.as_deref())
    }
}

/// The name that others see of a person with these names.
pub fn friendly_name(display_name: Option<&str>, first_name: &str, last_name: Option<&str>) -> String {
    match (display_name, last_name) {
        (Some(name), _) => name.to_owned(),
        (None, Some(last)) => format!("{first_name} {last}"),
        (None, None) => first_name.to_owned(),
    }
}

/// The author of a record, as others see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Author {
    /// A person by the name of today.
    Person { id: UserId, name: String },
    /// A token or a part of the system, by the name that it had.
    Other(String),
    /// A person whose account is gone: nobody is named.
    Gone,
}

impl Author {
    /// The name; `None` for a person whose account is gone.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Person { name, .. } | Self::Other(name) => Some(name),
            Self::Gone => None,
        }
    }

    /// The number of the person, see [`UserId::number`].
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Person { id, .. } => Some(id.number()),
            Self::Other(_) | Self::Gone => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Person;
    use crate::shared::UserId;
    use jiff::Timestamp;

    #[test]
    fn a_person_goes_by_the_chosen_name_or_by_first_and_last_name() {
        let person = |display: Option<&str>, last: Option<&str>| Person {
            id: UserId(uuid::Uuid::nil()),
            email: "ann@example.org".into(),
            first_name: "Ann".into(),
            last_name: last.map(str::to_owned),
            display_name: display.map(str::to_owned),
            locale: "en".into(),
            email_verified: true,
            created_at: Timestamp::UNIX_EPOCH,
        };
        assert_eq!(person(Some("Annie"), Some("Bee")).friendly_name(), "Annie");
        assert_eq!(person(None, Some("Bee")).friendly_name(), "Ann Bee");
        assert_eq!(person(None, None).friendly_name(), "Ann");
    }
}
