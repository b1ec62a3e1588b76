//! An account that an administrator creates.

use crate::{
    identity::{Email, FieldErrors, Locales, PasswordRules, password},
    shared::{Code, Detail, Fault, FieldCode, email},
};
use secrecy::SecretString;

/// The fields as they were sent.
#[derive(Debug, Default)]
pub struct NewUserRequest {
    /// The mail address; required.
    pub email: Option<String>,
    /// The first name; required.
    pub first_name: Option<String>,
    /// The last name; optional.
    pub last_name: Option<String>,
    /// The locale; the default one when it is absent.
    pub locale: Option<String>,
    /// Whether the person becomes an administrator.
    pub is_admin: Option<bool>,
    /// `set` or `invite`; required.
    pub password_mode: Option<String>,
    /// The password; required with `set`, and refused with `invite`.
    pub password: Option<SecretString>,
}

/// How the person signs in for the first time.
#[derive(Debug)]
pub enum FirstSignIn {
    /// With this password, which fulfils the rules. The address counts as verified.
    Password(SecretString),
    /// With an invitation, by which the person sets a password and proves the address.
    Invite,
}

/// A validated account.
#[derive(Debug)]
pub struct NewUser {
    pub email: Email,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: Option<String>,
    pub locale: String,
    /// Whether the person becomes an administrator.
    pub is_admin: bool,
    /// How the person signs in for the first time.
    pub first_sign_in: FirstSignIn,
}

impl NewUserRequest {
    /// Checks every field. The error is 400 `unsupportedLocale` or `weakPassword` when only that is invalid,
    /// and 400 `validation` otherwise.
    pub fn validate(self, rules: &PasswordRules, locales: &Locales) -> Result<NewUser, Fault> {
        let mut errors = FieldErrors::default();
        let email = errors.collect(email::parse_field("email", self.email.as_deref()));
        let first_name = errors.name("firstName", self.first_name.as_deref());
        let last_name = errors.optional_name("lastName", self.last_name.as_deref());
        let mode = errors.collect(mode(self.password_mode.as_deref(), self.password));
        let (Some(email), Some(first_name), Some(mode), true) = (email, first_name, mode, errors.is_empty()) else {
            errors.locale(self.locale.as_deref(), locales);
            return Err(errors.into_fault(Code::Validation));
        };
        let Some(locale) = errors.locale(self.locale.as_deref(), locales) else {
            return Err(errors.into_fault(Code::UnsupportedLocale));
        };
        let first_sign_in = match mode {
            FirstSignIn::Invite => FirstSignIn::Invite,
            FirstSignIn::Password(new) => {
                let words: Vec<&str> = [Some(first_name.as_str()), last_name.as_deref()].into_iter().flatten().collect();
                let words = [words, vec![email.local_part()]].concat();
                FirstSignIn::Password(password::check_new(rules, "password", Some(new), &words)?)
            }
        };
        let is_admin = self.is_admin.unwrap_or_default();
        Ok(NewUser { email, first_name, last_name, locale: locale.to_owned(), is_admin, first_sign_in })
    }
}

fn mode(mode: Option<&str>, password: Option<SecretString>) -> Result<FirstSignIn, Detail> {
    match (mode, password) {
        (Some("set"), Some(password)) => Ok(FirstSignIn::Password(password)),
        (Some("set"), None) => Err(Detail::required("password")),
        (Some("invite"), None) => Ok(FirstSignIn::Invite),
        (Some("invite"), Some(_)) => Err(Detail::new("password", FieldCode::Present, "is chosen by who accepts the invitation")),
        (None, _) => Err(Detail::required("passwordMode")),
        (Some(_), _) => {
            Err(Detail::new("passwordMode", FieldCode::Unsupported, "must be one of set, invite").bounded("set, invite"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FirstSignIn, NewUserRequest};
    use crate::identity::{Locales, PasswordRules};

    fn request() -> NewUserRequest {
        NewUserRequest {
            email: Some(" Ann@Example.org".into()),
            first_name: Some("Hannah".into()),
            password_mode: Some("set".into()),
            password: Some("a quiet harbour".into()),
            ..NewUserRequest::default()
        }
    }

    fn refusal(request: NewUserRequest) -> (&'static str, String) {
        let fault = request.validate(&PasswordRules::default(), &Locales::default()).unwrap_err();
        (fault.code.name(), fault.details.iter().map(|detail| detail.field.clone()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn an_accepted_request_is_canonical() {
        let user = request().validate(&PasswordRules::default(), &Locales::default()).unwrap();
        assert_eq!((user.email.as_str(), user.locale.as_str(), user.is_admin), ("ann@example.org", "en", false));
        let invited = NewUserRequest { password_mode: Some("invite".into()), password: None, is_admin: Some(true), ..request() };
        let invited = invited.validate(&PasswordRules::default(), &Locales::default()).unwrap();
        assert!(matches!(invited.first_sign_in, FirstSignIn::Invite) && invited.is_admin);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(refusal(NewUserRequest { password: None, ..request() }), ("validation", "password".into()));
        assert_eq!(
            refusal(NewUserRequest { password_mode: Some("invite".into()), ..request() }),
            ("validation", "password".into())
        );
        for mode in [None, Some("Set".to_owned()), Some(String::new())] {
            assert_eq!(refusal(NewUserRequest { password_mode: mode, ..request() }), ("validation", "passwordMode".into()));
        }
        let empty = NewUserRequest { locale: Some("xx".into()), ..NewUserRequest::default() };
        assert_eq!(refusal(empty), ("validation", "email firstName passwordMode locale".into()));
        assert_eq!(refusal(NewUserRequest { locale: Some("xx".into()), ..request() }), ("unsupportedLocale", "locale".into()));
        for weak in ["short", "hannah's harbour"] {
            assert_eq!(refusal(NewUserRequest { password: Some(weak.into()), ..request() }), ("weakPassword", "password".into()));
        }
    }
}
