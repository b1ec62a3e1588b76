//! `/admin/users/new`: a new account, by an invitation or with a password. The field of the password shows
//! while that is chosen, by the style sheet alone; what is sent with an invitation has no effect.

use super::{Console, ConsoleText, Section, layout, token_text::TokenText, user_edit::locale};
use crate::{
    Problems, Text,
    field::{self, Field},
};
use domain::{
    identity::{PasswordRules, email::shown},
    shared::UserId,
};
use maud::html;

/// What is in the form.
#[derive(Debug, Clone)]
pub struct NewUserView<'a> {
    /// What is wrong with what was sent.
    pub problems: Problems,
    pub email: &'a str,
    /// The first name.
    pub first_name: &'a str,
    /// The last name.
    pub last_name: &'a str,
    pub locale: &'a str,
    /// The locales that can be chosen.
    pub locales: &'a [String],
    /// Whether a password is set, instead of an invitation.
    pub sets_password: bool,
    /// Whether an invitation is mailed.
    pub is_mail_on: bool,
    /// What a password has to follow.
    pub rules: &'a PasswordRules,
}

/// The page.
pub fn new_user_page(console: &Console<'_>, view: &NewUserView<'_>) -> String {
    let problems = &view.problems;
    let title = console.t(ConsoleText::NewPerson);
    let invite = if view.is_mail_on { ConsoleText::InviteByMail } else { ConsoleText::InviteByLink };
    let way = |value: &str, label: ConsoleText, is_chosen: bool| {
        html! {
            label .check { input type="radio" name="passwordMode" value=(value) checked[is_chosen]; span { (console.t(label)) } }
        }
    };
    let email = Field { autocomplete: "off", ..Field::email("email", view.email).first(problems) };
    let password = field::optional_new_password(console, problems, "password", Text::Password, view.rules);
    let content = html! {
        h1 { (title) }
        (field::problems(console, problems))
        section .panel .narrow {
            form method="post" action="/admin/users/new" {
                (console.csrf())
                (email.render(console, problems))
                (Field::text("firstName", Text::FirstName, "off", view.first_name).render(console, problems))
                (Field::text("lastName", Text::LastName, "off", view.last_name).optional().render(console, problems))
                (locale(console, view.locale, view.locales))
                fieldset .stack {
                    legend .label { (console.t(ConsoleText::FirstSignIn)) }
                    (way("invite", invite, !view.sets_password))
                    (way("set", ConsoleText::WithPassword, view.sets_password))
                    div .stack data-with="set" { (password) }
                }
                div .actions {
                    button .button { (console.t(ConsoleText::CreatePerson)) }
                    a href="/admin/users" { (console.t(Text::Cancel)) }
                }
            }
        }
    };
    layout(console, Section::Users, title, problems, content)
}

/// The page that shows the link of an invitation, this one time.
pub fn invited_page(console: &Console<'_>, id: UserId, email: &str, link: &str, is_mail_on: bool) -> String {
    let title = console.fill(ConsoleText::InvitedTitle, &[("email", &shown(email))]);
    let lead = if is_mail_on { ConsoleText::InvitedMailed } else { ConsoleText::InvitedLink };
    link_page(console, id, &title, console.t(lead), link)
}

/// The page that shows a link that was made for a person, this one time.
pub fn made_link_page(console: &Console<'_>, id: UserId, email: &str, link: &str) -> String {
    let title = console.fill(TokenText::LinkTitle, &[("email", email)]);
    link_page(console, id, &title, console.t(TokenText::LinkLead), link)
}

fn link_page(console: &Console<'_>, id: UserId, title: &str, lead: &str, link: &str) -> String {
    let content = html! {
        h1 { (title) }
        p .lead { (lead) }
        section .panel .narrow {
            p .secret #link { (link) }
            div .actions {
                button .button .quiet .small type="button" hidden data-copy="link" data-done=(console.t(Text::Copied)) { (console.t(Text::Copy)) }
            }
        }
        p { a href=(format!("/admin/users/{id}")) { (console.t(ConsoleText::ToPerson)) } }
    };
    layout(console, Section::Users, title, &Problems::default(), content)
}
