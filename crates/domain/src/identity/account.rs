//! An account, and whether it may sign in.

use crate::{
    identity::Email,
    shared::{Fault, Kind, UserId},
};
use jiff::Timestamp;

/// An account as it is stored, without its credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four facts that know nothing of each other")]
pub struct Account {
    /// Its id, the OIDC `sub`.
    pub id: UserId,
    /// Its address in canonical form.
    pub email: Email,
    /// First name.
    pub first_name: String,
    /// Last name, if the person has one.
    pub last_name: Option<String>,
    /// What the person wants to be called, where it is not simply the name.
    pub display_name: Option<String>,
    /// The language it is spoken to in.
    pub locale: String,
    /// Whether it may administer.
    pub is_admin: bool,
    /// Whether the address was proved.
    pub email_verified: bool,
    /// Since when it is suspended.
    pub suspended_at: Option<Timestamp>,
    /// Raising it ends every session.
    pub token_version: i32,
    /// Whether there is a password.
    pub has_password: bool,
    /// Whether there is an authenticator app.
    pub has_totp: bool,
    /// How many passkeys there are.
    pub passkeys: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last signed in.
    pub last_login_at: Option<Timestamp>,
}

impl Account {
    /// What the person is called: the chosen name, or first and last name.
    pub fn display_name(&self) -> String {
        match (&self.display_name, &self.last_name) {
            (Some(chosen), _) => chosen.clone(),
            (None, Some(last)) => format!("{} {last}", self.first_name),
            (None, None) => self.first_name.clone(),
        }
    }

    /// Words that an attacker would try first, see [`crate::identity::PasswordRules::broken_by`].
    pub fn personal_words(&self) -> Vec<&str> {
        let names = [Some(self.first_name.as_str()), self.last_name.as_deref(), self.display_name.as_deref()];
        names.into_iter().flatten().chain([self.email.local_part()]).collect()
    }

    /// Whether it may sign in, once its password was right. Telling earlier would tell anybody that the account exists. As long as no mail is sent
    /// nobody could prove an address, so none has to be proved.
    pub fn may_sign_in(&self, is_mail_on: bool) -> Result<(), Fault> {
        self.not_suspended()?;
        if is_mail_on && !self.email_verified {
            return Err(Fault::new(Kind::Forbidden, "emailNotVerified", "Verify the account's mail address first"));
        }
        Ok(())
    }

    /// 403 `accountSuspended` for who has proved to be its owner.
    pub fn not_suspended(&self) -> Result<(), Fault> {
        if self.suspended_at.is_some() {
            return Err(Fault::new(Kind::Forbidden, "accountSuspended", "This account is suspended; ask an administrator"));
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::Account;
    use crate::{identity::Email, shared::UserId};
    use jiff::Timestamp;

    pub(in crate::identity) fn account() -> Account {
        Account {
            id: UserId(uuid::Uuid::nil()),
            email: Email::parse("ann@example.org").unwrap(),
            first_name: "Ann".into(),
            last_name: Some("Bee".into()),
            display_name: None,
            locale: "en".into(),
            is_admin: false,
            email_verified: true,
            suspended_at: None,
            token_version: 0,
            has_password: true,
            has_totp: false,
            passkeys: 0,
            created_at: Timestamp::UNIX_EPOCH,
            last_login_at: None,
        }
    }

    #[test]
    fn the_display_name_falls_back_to_the_name() {
        assert_eq!(account().display_name(), "Ann Bee");
        assert_eq!(Account { last_name: None, ..account() }.display_name(), "Ann");
        assert_eq!(Account { display_name: Some("Annie".into()), ..account() }.display_name(), "Annie");
    }

    #[test]
    fn a_suspended_account_is_told_so_before_an_unverified_one() {
        assert!(account().may_sign_in(true).is_ok());
        let unverified = Account { email_verified: false, ..account() };
        assert_eq!(unverified.may_sign_in(true).unwrap_err().code, "emailNotVerified");
        assert!(unverified.may_sign_in(false).is_ok(), "without mail nobody can verify anything");
        let suspended = Account { suspended_at: Some(Timestamp::UNIX_EPOCH), ..unverified };
        for is_mail_on in [true, false] {
            assert_eq!(suspended.may_sign_in(is_mail_on).unwrap_err().code, "accountSuspended");
        }
    }
}
