//! What a person writes to get an account, and what becomes of it.

use crate::{
    identity::{Email, Locales, PasswordRules, name},
    shared::{Detail, Fault},
};
use secrecy::SecretString;

/// What was sent.
#[derive(Debug, Default)]
pub struct Application {
    /// Required.
    pub email: Option<String>,
    /// Required.
    pub password: Option<SecretString>,
    /// Required.
    pub first_name: Option<String>,
    /// May be left out.
    pub last_name: Option<String>,
    /// May be left out.
    pub display_name: Option<String>,
    /// May be left out.
    pub locale: Option<String>,
}

/// An account that may be made.
#[derive(Debug)]
pub struct NewAccount {
    /// Canonical.
    pub email: Email,
    /// Fulfils the rules.
    pub password: SecretString,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: Option<String>,
    /// What the person wants to be called.
    pub display_name: Option<String>,
    /// A supported one.
    pub locale: String,
}

impl Application {
    /// Checks every field. 400 `weakPassword` when only the password is at fault, else 400 `validation`; both name all that is wrong.
    pub fn accept(self, rules: &PasswordRules, locales: &Locales) -> Result<NewAccount, Fault> {
        let mut wrong = Vec::new();
        let email = self.email.as_deref().filter(|it| !it.trim().is_empty());
        let address = email.and_then(Email::parse);
        match (email, &address) {
            (None, _) => wrong.push(detail("email", "blank", "is required")),
            (Some(_), None) => wrong.push(detail("email", "invalid", "is not a mail address that can be used here")),
            (Some(_), Some(_)) => {}
        }
        let first_name = required_name("firstName", self.first_name.as_deref(), &mut wrong);
        let last_name = optional_name("lastName", self.last_name.as_deref(), &mut wrong);
        let display_name = optional_name("displayName", self.display_name.as_deref(), &mut wrong);
        let locale = locales.choose(self.locale.as_deref());
        if locale.is_none() {
            let message = format!("must be one of {}", locales.supported().join(", "));
            wrong.push(Detail { field: "locale".to_owned(), code: "unsupported", message });
        }

        let rest_is_right = wrong.is_empty();
        let names = [&self.first_name, &self.last_name, &self.display_name].into_iter().flatten().map(String::as_str);
        let context: Vec<&str> = address.as_ref().map(Email::local_part).into_iter().chain(names).map(str::trim).collect();
        match &self.password {
            None => wrong.push(detail("password", "blank", "is required")),
            Some(password) => {
                let broken = rules.broken_by(password, &context);
                if rest_is_right && !broken.is_empty() {
                    return Err(Fault::bad_request("weakPassword", sentence(&broken)).about(broken));
                }
                wrong.extend(broken);
            }
        }

        match (address, self.password, first_name, locale) {
            (Some(email), Some(password), Some(first_name), Some(locale)) if wrong.is_empty() => {
                Ok(NewAccount { email, password, first_name, last_name, display_name, locale: locale.to_owned() })
            }
            _ => Err(Fault::bad_request("validation", sentence(&wrong)).about(wrong)),
        }
    }
}

fn required_name(field: &'static str, text: Option<&str>, wrong: &mut Vec<Detail>) -> Option<String> {
    match name::parse(text.unwrap_or_default()) {
        Ok(name) => Some(name),
        Err(refused) => {
            wrong.push(Detail { field: field.to_owned(), code: refused.code(), message: refused.message() });
            None
        }
    }
}

/// An empty one is none.
fn optional_name(field: &'static str, text: Option<&str>, wrong: &mut Vec<Detail>) -> Option<String> {
    let text = text.filter(|it| !it.trim().is_empty())?;
    required_name(field, Some(text), wrong)
}

fn detail(field: &str, code: &'static str, message: &str) -> Detail {
    Detail { field: field.to_owned(), code, message: message.to_owned() }
}

fn sentence(details: &[Detail]) -> String {
    details.iter().map(|it| format!("{} {}", it.field, it.message)).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::Application;
    use crate::{
        identity::{Locales, PasswordRules},
        shared::Fault,
    };

    fn application() -> Application {
        Application {
            email: Some(" Ann@Example.org ".into()),
            password: Some("a quiet harbour".into()),
            first_name: Some(" Ann ".into()),
            last_name: Some(String::new()),
            display_name: None,
            locale: None,
        }
    }

    fn accept(application: Application) -> Result<super::NewAccount, Fault> {
        application.accept(&PasswordRules::default(), &Locales::default())
    }

    #[test]
    fn what_is_accepted_is_canonical() {
        let account = accept(application()).unwrap();
        assert_eq!(account.email.as_str(), "ann@example.org");
        assert_eq!((account.first_name.as_str(), account.last_name, account.locale.as_str()), ("Ann", None, "en"));
    }

    #[test]
    fn every_wrong_field_is_named() {
        let fault = accept(Application { locale: Some("xx".into()), ..Application::default() }).unwrap_err();
        let fields: Vec<&str> = fault.details.iter().map(|it| it.field.as_str()).collect();
        assert_eq!((fault.code, fields), ("validation", vec!["email", "firstName", "locale", "password"]));
    }

    #[test]
    fn a_password_that_holds_what_the_person_is_called_is_weak() {
        let named = |display_name: &str| accept(Application { display_name: Some(display_name.into()), ..application() });
        assert_eq!(named(" Harbour ").unwrap_err().code, "weakPassword");
        assert!(named("Annie").is_ok());
    }

    #[test]
    fn a_weak_password_alone_has_a_code_of_its_own_and_is_not_repeated() {
        let fault = accept(Application { password: Some("password".into()), ..application() }).unwrap_err();
        assert_eq!((fault.code, fault.details.len()), ("weakPassword", 1));
        let fault = accept(Application { password: Some("hunter2".into()), ..application() }).unwrap_err();
        assert!(!format!("{fault:?}").contains("hunter2"));
        let fault = accept(Application { password: Some("password".into()), email: None, ..application() }).unwrap_err();
        assert_eq!((fault.code, fault.details.len()), ("validation", 2));
    }
}
