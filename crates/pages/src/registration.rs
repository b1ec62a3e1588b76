//! `/register`: making an account.

use crate::{
    Frame, Problems, Text,
    field::{self, Field, heading, hidden, notice},
};
use domain::identity::{PasswordRules, ReturnTo};
use maud::html;

/// The page that makes an account.
#[derive(Debug, Clone)]
pub struct RegistrationView<'a> {
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The first name that was typed.
    pub first_name: &'a str,
    /// The last name that was typed.
    pub last_name: &'a str,
    /// The address that was typed.
    pub email: &'a str,
    /// The rules for the password.
    pub rules: &'a PasswordRules,
    /// Whether it is the first account of the server, and will be an administrator.
    pub is_first: bool,
    /// Where a later sign-in leads.
    pub return_to: Option<&'a ReturnTo>,
}

/// The page.
pub fn registration_page(frame: &Frame<'_>, view: &RegistrationView<'_>) -> String {
    let problems = &view.problems;
    let content = html! {
        (heading(frame.t(Text::CreateAccount), None))
        @if view.is_first { (notice("", frame.t(Text::FirstAccountNote))) }
        (field::problems(frame, problems))
        form #register method="post" action="/register" {
            (frame.csrf())
            @if let Some(return_to) = view.return_to { (hidden("return_to", return_to.as_str())) }
            (Field::text("firstName", Text::FirstName, "given-name", view.first_name).first(problems).render(frame, problems))
            (Field::text("lastName", Text::LastName, "family-name", view.last_name).optional().render(frame, problems))
            (Field::email("email", view.email).render(frame, problems))
            (field::new_password(frame, problems, "password", Text::Password, view.rules))
            button .button { (frame.t(Text::CreateAccount)) }
        }
        p .foot { (frame.t(Text::HaveAccount)) " " (field::leading(frame, "register", "login", Text::SignIn)) }
    };
    frame.single(frame.t(Text::CreateAccount), problems, content)
}
