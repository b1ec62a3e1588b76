//! What a person writes to get an account, and what becomes of it.

use crate::{
    identity::{
        Email, Locales, PasswordRules,
        form::{self, Form},
    },
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
        let mut form = Form::default();
        let email = form.passed(form::email("email", self.email.as_deref()));
        let first_name = form.name("firstName", self.first_name.as_deref());
        let last_name = form.optional_name("lastName", self.last_name.as_deref());
        let display_name = form.optional_name("displayName", self.display_name.as_deref());
        let locale = form.locale(self.locale.as_deref(), locales);

        let rest_is_right = form.is_right();
        let names = [&self.first_name, &self.last_name, &self.display_name].into_iter().flatten().map(String::as_str);
        let context: Vec<&str> = email.as_ref().map(Email::local_part).into_iter().chain(names).map(str::trim).collect();
        match &self.password {
            None => form.refuse([Detail::required("password")]),
            Some(password) => {
                let broken = rules.broken_by(password, &context);
                if rest_is_right && !broken.is_empty() {
                    return Err(Fault::fields("weakPassword", broken));
                }
                form.refuse(broken);
            }
        }

        match (email, self.password, first_name, locale) {
            (Some(email), Some(password), Some(first_name), Some(locale)) if form.is_right() => {
                Ok(NewAccount { email, password, first_name, last_name, display_name, locale: locale.to_owned() })
            }
            _ => Err(form.refused("validation")),
        }
    }
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
        let fields: Vec<&str> = fault.details.iter().map(|detail| detail.field.as_str()).collect();
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
