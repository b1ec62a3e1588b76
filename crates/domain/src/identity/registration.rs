//! Registering an account.

use crate::{
    identity::{Email, FieldErrors, Locales, PasswordRules},
    shared::{Code, Detail, Fault, email},
};
use secrecy::SecretString;

/// The fields of a registration as they were sent.
#[derive(Debug, Default)]
pub struct RegistrationRequest {
    /// The mail address; required.
    pub email: Option<String>,
    pub password: Option<SecretString>,
    /// The first name; required.
    pub first_name: Option<String>,
    /// The last name; optional.
    pub last_name: Option<String>,
    /// The display name; optional.
    pub display_name: Option<String>,
    /// The locale; the default one when it is absent.
    pub locale: Option<String>,
}

/// A validated registration.
#[derive(Debug)]
pub struct NewAccount {
    pub email: Email,
    /// The password; it fulfils the rules.
    pub password: SecretString,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: Option<String>,
    pub display_name: Option<String>,
    pub locale: String,
}

impl RegistrationRequest {
    /// Checks every field. The error is 400 `weakPassword` when only the password is invalid, and 400
    /// `validation` otherwise; both name every invalid field.
    pub fn validate(self, rules: &PasswordRules, locales: &Locales) -> Result<NewAccount, Fault> {
        let mut errors = FieldErrors::default();
        let email = errors.collect(email::parse_field("email", self.email.as_deref()));
        let first_name = errors.name("firstName", self.first_name.as_deref());
        let last_name = errors.optional_name("lastName", self.last_name.as_deref());
        let display_name = errors.optional_name("displayName", self.display_name.as_deref());
        let locale = errors.locale(self.locale.as_deref(), locales);

        let others_are_valid = errors.is_empty();
        let names = [&self.first_name, &self.last_name, &self.display_name].into_iter().flatten().map(String::as_str);
        let context: Vec<&str> = email.as_ref().map(Email::local_part).into_iter().chain(names).map(str::trim).collect();
        match &self.password {
            None => errors.extend([Detail::required("password")]),
            Some(password) => {
                let violations = rules.violations(password, &context);
                if others_are_valid && !violations.is_empty() {
                    return Err(Fault::fields(Code::WeakPassword, violations));
                }
                errors.extend(violations);
            }
        }

        match (email, self.password, first_name, locale) {
            (Some(email), Some(password), Some(first_name), Some(locale)) if errors.is_empty() => {
                Ok(NewAccount { email, password, first_name, last_name, display_name, locale: locale.to_owned() })
            }
            _ => Err(errors.into_fault(Code::Validation)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RegistrationRequest;
    use crate::{
        identity::{Locales, PasswordRules},
        shared::Fault,
    };

    fn request() -> RegistrationRequest {
        RegistrationRequest {
            email: Some(" Ann@Example.org ".into()),
            password: Some("a quiet harbour".into()),
            first_name: Some(" Ann ".into()),
            last_name: Some(String::new()),
            display_name: None,
            locale: None,
        }
    }

    fn validate(request: RegistrationRequest) -> Result<super::NewAccount, Fault> {
        request.validate(&PasswordRules::default(), &Locales::default())
    }

    #[test]
    fn an_accepted_request_is_canonical() {
        let account = validate(request()).unwrap();
        assert_eq!(account.email.as_str(), "ann@example.org");
        assert_eq!((account.first_name.as_str(), account.last_name, account.locale.as_str()), ("Ann", None, "en"));
    }

    #[test]
    fn every_invalid_field_is_named() {
        let fault = validate(RegistrationRequest { locale: Some("xx".into()), ..RegistrationRequest::default() }).unwrap_err();
        let fields: Vec<&str> = fault.details.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!((fault.code.name(), fields), ("validation", vec!["email", "firstName", "locale", "password"]));
    }

    #[test]
    fn a_password_that_holds_the_display_name_is_weak() {
        let with_name = |display_name: &str| validate(RegistrationRequest { display_name: Some(display_name.into()), ..request() });
        assert_eq!(with_name(" Harbour ").unwrap_err().code.name(), "weakPassword");
        assert!(with_name("Annie").is_ok());
    }

    #[test]
    fn a_weak_password_alone_has_its_own_code_and_is_not_quoted() {
        let fault = validate(RegistrationRequest { password: Some("password".into()), ..request() }).unwrap_err();
        assert_eq!((fault.code.name(), fault.details.len()), ("weakPassword", 1));
        let fault = validate(RegistrationRequest { password: Some("hunter2".into()), ..request() }).unwrap_err();
        assert!(!format!("{fault:?}").contains("hunter2"));
        let fault = validate(RegistrationRequest { password: Some("password".into()), email: None, ..request() }).unwrap_err();
        assert_eq!((fault.code.name(), fault.details.len()), ("validation", 2));
    }
}
