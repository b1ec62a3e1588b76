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
        match (&self.display_name, &self.last_name) {
            (Some(name), _) => name.clone(),
            (None, Some(last)) => format!("{} {last}", self.first_name),
            (None, None) => self.first_name.clone(),
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
