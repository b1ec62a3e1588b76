//! `/account`: name, language and address.

use super::{DoneNotice, Section, done, first_steps::FirstSteps, layout};
use crate::{
    Frame, Problems, Text,
    field::{self, Field},
};
use domain::shared::{Language, email::shown};
use maud::html;

/// The profile.
#[derive(Debug, Clone)]
pub struct ProfileView<'a> {
    /// What was done just before.
    pub done: Option<DoneNotice>,
    /// What the server still needs, for an administrator.
    pub first_steps: Option<FirstSteps<'a>>,
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The address of the account.
    pub email: &'a str,
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
}

/// The page.
pub fn profile_page(frame: &Frame<'_>, view: &ProfileView<'_>) -> String {
    let problems = &view.problems;
    let display_name = Field {
        hint: Some(frame.t(Text::DisplayNameHint)),
        ..Field::text("displayName", Text::DisplayName, "nickname", view.display_name).optional()
    };
    let name = |locale: &str| Language::exactly(locale).filter(|language| language.tag() == locale).map(Language::name);
    let content = html! {
        h1 { (frame.t(Text::Profile)) }
        (done(frame, view.done))
        (field::problems(frame, problems))
        @if let Some(steps) = view.first_steps { (steps.render(frame)) }
        section .panel {
            form method="post" action="/account" {
                (frame.csrf())
                (Field::text("firstName", Text::FirstName, "given-name", view.first_name).render(frame, problems))
                (Field::text("lastName", Text::LastName, "family-name", view.last_name).optional().render(frame, problems))
                (display_name.render(frame, problems))
                div .field {
                    label for="locale" { (frame.t(Text::PreferredLanguage)) }
                    select #locale name="locale" {
                        @for locale in view.locales {
                            option value=(locale) selected[locale == view.locale] lang=(locale) { (name(locale).unwrap_or(locale)) }
                        }
                    }
                }
                div .actions { button .button { (frame.t(Text::Save)) } }
            }
        }
        section .panel {
            div .panel-head {
                div .row-text {
                    h2 { (frame.t(Text::Email)) }
                    p .muted { (shown(view.email)) }
                }
                a .button .quiet .small href="/account/email" { (frame.t(Text::ChangeAddress)) }
            }
        }
    };
    layout(frame, Section::Profile, frame.t(Text::Profile), problems, content)
}
