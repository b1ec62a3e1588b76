//! An account and the conditions of signing in to it.

use crate::{
    identity::Email,
    shared::{Code, Fault, UserId},
};
use jiff::Timestamp;

/// An account without its credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
pub struct Account {
    /// The id, which is also the OIDC subject (`sub`).
    pub id: UserId,
    pub email: Email,
    /// The first name.
    pub first_name: String,
    /// The last name, if there is one.
    pub last_name: Option<String>,
    /// The display name, if it differs from first and last name.
    pub display_name: Option<String>,
    /// The locale of mails to its owner.
    pub locale: String,
    /// Whether it is an administrator.
    pub is_admin: bool,
    /// Whether the mail address is proved.
    pub email_verified: bool,
    /// When it was suspended, if it is.
    pub suspended_at: Option<Timestamp>,
    /// Sessions carry the version that they were made with; raising it ends all of them.
    pub token_version: i32,
    /// Whether it has a password.
    pub has_password: bool,
    /// Whether it has an authenticator app.
    pub has_totp: bool,
    /// The number of its passkeys.
    pub passkeys: u32,
    /// The subject that it had in the system that it was imported from.
    pub legacy_sub: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its profile, address or rights were changed last.
    pub updated_at: Timestamp,
    /// The time of the last sign-in.
    pub last_login_at: Option<Timestamp>,
}

impl Account {
    /// The display name, or first and last name where none is set.
    pub fn display_name(&self) -> String {
        match (&self.display_name, &self.last_name) {
            (Some(chosen), _) => chosen.clone(),
            (None, Some(last)) => format!("{} {last}", self.first_name),
            (None, None) => self.first_name.clone(),
        }
    }

    /// Words that a password must not contain, see [`crate::identity::PasswordRules::violations`].
    pub fn personal_words(&self) -> Vec<&str> {
        let names = [Some(self.first_name.as_str()), self.last_name.as_deref(), self.display_name.as_deref()];
        names.into_iter().flatten().chain([self.email.local_part()]).collect()
    }

    /// Why the account may not sign in, if it may not. It is told only after the password was right, because
    /// the answer shows that the account exists. While mail is off, addresses cannot be proved, so an
    /// unproved one is accepted.
    pub fn sign_in_bar(&self, is_mail_on: bool) -> Option<SignInBar> {
        if self.suspended_at.is_some() {
            return Some(SignInBar::Suspended);
        }
        (is_mail_on && !self.email_verified).then_some(SignInBar::Unverified)
    }

    /// 403 `accountSuspended` for a suspended account. The answer shows that the account exists, so it is for
    /// its proved owner only.
    pub fn check_not_suspended(&self) -> Result<(), Fault> {
        if self.suspended_at.is_some() {
            return Err(Fault::of(Code::AccountSuspended));
        }
        Ok(())
    }
}

/// Why an account may not sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInBar {
    /// 403 `accountSuspended`.
    Suspended,
    /// 403 `emailNotVerified`.
    Unverified,
}

impl SignInBar {
    /// The code that the caller and the audit trail get.
    pub fn code(self) -> Code {
        match self {
            Self::Suspended => Code::AccountSuspended,
            Self::Unverified => Code::EmailNotVerified,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Account, SignInBar};
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
            legacy_sub: None,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
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
    fn suspension_is_reported_before_an_unverified_address() {
        assert_eq!(account().sign_in_bar(true), None);
        let unverified = Account { email_verified: false, ..account() };
        assert_eq!(unverified.sign_in_bar(true), Some(SignInBar::Unverified));
        assert_eq!(unverified.sign_in_bar(false), None, "without mail no address can be verified");
        let suspended = Account { suspended_at: Some(Timestamp::UNIX_EPOCH), ..unverified };
        for is_mail_on in [true, false] {
            assert_eq!(suspended.sign_in_bar(is_mail_on), Some(SignInBar::Suspended));
        }
    }

    #[test]
    fn a_password_must_not_contain_any_name_of_the_person() {
        let account = Account { display_name: Some("Queen".into()), ..account() };
        assert_eq!(account.personal_words(), ["Ann", "Bee", "Queen", "ann"]);
    }
}
