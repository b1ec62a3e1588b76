//! `/admin/users/{id}/edit`: names and language.

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
    pub id: UserId,
    /// The name of the person.
    pub name: &'a str,
    /// What is in the fields.
    pub values: Values<'a>,
    /// What was in the fields when the form was loaded, in hidden ones: what is the same as there is not
    /// changed, for others may have changed it meanwhile.
    pub loaded: Values<'a>,
    /// The locales that can be chosen.
    pub locales: &'a [String],
}

/// The fields of the form.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// The first name.
    pub first_name: &'a str,
    /// The last name.
    pub last_name: &'a str,
    /// The name that was chosen to be shown.
    pub display_name: &'a str,
    /// The locale of the account.
    pub locale: &'a str,
}

/// The page.
pub fn user_edit_page(console: &Console<'_>, view: &UserEditView<'_>) -> String {
    let UserEditView { problems, values, .. } = view;
    let title = console.fill(ConsoleText::ChangePerson, &[("name", view.name)]);
    let back = format!("/admin/users/{}", view.id);
    let content = html! {
        h1 { (title) }
        (field::problems(console, problems))
        section .panel .narrow {
            form method="post" action=(format!("{back}/edit")) {
                (console.csrf())
                (hidden(&view.loaded))
                (Field::text("firstName", Text::FirstName, "off", values.first_name).render(console, problems))
                (Field::text("lastName", Text::LastName, "off", values.last_name).optional().render(console, problems))
                (Field::text("displayName", Text::DisplayName, "off", values.display_name).optional().render(console, problems))
                (locale(console, values.locale, view.locales))
                div .actions { button .button { (console.t(Text::Save)) } a href=(back) { (console.t(Text::Cancel)) } }
            }
        }
    };
    layout(console, Section::Users, &title, problems, content)
}

/// The name of the hidden field with what was in a field when the form was loaded.
pub fn as_loaded(name: &str) -> String {
    format!("loaded:{name}")
}

fn hidden(loaded: &Values<'_>) -> Markup {
    let fields = [
        ("firstName", loaded.first_name),
        ("lastName", loaded.last_name),
        ("displayName", loaded.display_name),
        ("locale", loaded.locale),
    ];
    html! { @for (name, value) in fields { input type="hidden" name=(as_loaded(name)) value=(value); } }
}

/// The choice of a locale. One that is set and cannot be chosen any more stays in it.
pub(super) fn locale(console: &Console<'_>, chosen: &str, locales: &[String]) -> Markup {
    let name = |locale: &str| Language::exactly(locale).filter(|language| language.tag() == locale).map(Language::name);
    html! {
        div .field {
            label for="locale" { (console.t(Text::PreferredLanguage)) }
            select #locale name="locale" {
                @let others = (!chosen.is_empty() && locales.iter().all(|locale| locale != chosen)).then_some(chosen);
                @for locale in locales.iter().map(String::as_str).chain(others) {
                    option value=(locale) selected[locale == chosen] lang=(locale) { (name(locale).unwrap_or(locale)) }
                }
            }
        }
    }
}
