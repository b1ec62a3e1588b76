//! A change of an account by an administrator.

use crate::{
    identity::{Account, Locales, ProfileChange, ProfileRequest},
    shared::Fault,
};

/// The fields of a `PATCH` request. `None` stands for an absent field, which stays as it is.
#[derive(Debug, Default)]
pub struct UserChangeRequest {
    /// The fields that the owner may change as well.
    pub profile: ProfileRequest,
    /// Whether the address counts as verified.
    pub email_verified: Option<bool>,
    /// Whether the person is an administrator.
    pub is_admin: Option<bool>,
}

/// A validated change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserChange {
    /// The names and the locale.
    pub profile: ProfileChange,
    /// Whether the address counts as verified.
    pub email_verified: Option<bool>,
    /// Whether the person is an administrator.
    pub is_admin: Option<bool>,
}

impl UserChangeRequest {
    /// Checks every field, as [`ProfileRequest::validate`] does.
    pub fn validate(self, locales: &Locales) -> Result<UserChange, Fault> {
        let profile = self.profile.validate(locales)?;
        Ok(UserChange { profile, email_verified: self.email_verified, is_admin: self.is_admin })
    }
}

impl UserChange {
    /// The names of the fields that an account would have another value of.
    pub fn differing(&self, account: &Account) -> Vec<&'static str> {
        let UserChange { profile, email_verified, is_admin } = self;
        let differs = [
            ("firstName", profile.first_name.as_ref().is_some_and(|new| *new != account.first_name)),
            ("lastName", profile.last_name.as_ref().is_some_and(|new| *new != account.last_name)),
            ("displayName", profile.display_name.as_ref().is_some_and(|new| *new != account.display_name)),
            ("locale", profile.locale.as_ref().is_some_and(|new| *new != account.locale)),
            ("emailVerified", email_verified.is_some_and(|new| new != account.email_verified)),
            ("isAdmin", is_admin.is_some_and(|new| new != account.is_admin)),
        ];
        differs.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::UserChange;
    use crate::identity::{ProfileChange, account::tests::account};

    #[test]
    fn only_what_differs_is_a_change() {
        let profile = ProfileChange { first_name: Some("Ann".into()), last_name: Some(None), ..ProfileChange::default() };
        let change = UserChange { profile, email_verified: Some(true), is_admin: Some(true) };
        assert_eq!(change.differing(&account()), ["lastName", "isAdmin"]);
        assert_eq!(UserChange::default().differing(&account()), [""; 0]);
    }

    #[test]
    fn a_change_of_rights_is_told_when_it_changes_something() {
        let change = |email_verified, is_admin| UserChange { email_verified, is_admin, ..UserChange::default() };
        let account = account();
        assert!(account.email_verified && !account.is_admin);
        assert_eq!(change(Some(true), Some(false)).differing(&account), [""; 0]);
        assert_eq!(change(Some(false), None).differing(&account), ["emailVerified"]);
        assert_eq!(change(None, Some(true)).differing(&account), ["isAdmin"]);
    }
}
