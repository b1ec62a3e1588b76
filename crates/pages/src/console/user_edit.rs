//! `/admin/users/{id}/edit`: names, language, and whether the address counts as verified.

use super::{Console, ConsoleText, Section, layout};
use crate::{
    Problems, Text,
    field::{self, Field},
};
use domain::shared::{Language, UserId};
use maud::{Markup, html};

/// What is in the form.
#[derive(Debug, Clone)]
pub struct UserEditView<'a> {
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The account.
    pub id: UserId,
    /// The name of the person.
    pub name: &'a str,
    /// The first name.
    pub first_name: &'a str,
    /// The last name.
    pub last_name: &'a str,
    /// The name that was chosen to be shown.
    pub display_name: &'a str,
    /// The locale of the account.
    pub locale: &'a str,
    /// The locales that can be chosen.
    pub locales: &'a [String],
    /// Whether the address counts as verified.
    pub email_verified: bool,
}

/// The page.
pub fn page(console: &Console<'_>, view: &UserEditView<'_>) -> String {
    let problems = &view.problems;
    let title = console.fill(ConsoleText::ChangePerson, &[("name", view.name)]);
    let back = format!("/admin/users/{}", view.id);
    let content = html! {
        h1 { (title) }
        (field::problems(console, problems))
        section .panel .narrow {
            form method="post" action=(format!("{back}/edit")) {
                (console.csrf())
                (Field::text("firstName", Text::FirstName, "off", view.first_name).render(console, problems))
                (Field::text("lastName", Text::LastName, "off", view.last_name).optional().render(console, problems))
                (Field::text("displayName", Text::DisplayName, "off", view.display_name).optional().render(console, problems))
                (locale(console, view.locale, view.locales))
                (field::check("emailVerified", console.t(ConsoleText::CountsAsVerified), view.email_verified, false))
                div .actions { button .button { (console.t(Text::Save)) } a href=(back) { (console.t(Text::Cancel)) } }
            }
        }
    };
    layout(console, Section::Users, &title, problems, content)
}

/// The choice of a locale.
pub(super) fn locale(console: &Console<'_>, chosen: &str, locales: &[String]) -> Markup {
    let name = |locale: &str| Language::exactly(locale).filter(|language| language.tag() == locale).map(Language::name);
    html! {
        div .field {
            label for="locale" { (console.t(Text::PreferredLanguage)) }
            select #locale name="locale" {
                @for locale in locales {
                    option value=(locale) selected[locale == chosen] lang=(locale) { (name(locale).unwrap_or(locale)) }
                }
            }
        }
    }
}
