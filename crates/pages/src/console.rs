//! `/admin…`: the console of administrators. This is the frame of its pages; [`list`] has what lists share,
//! and [`confirmation`] the page that asks before an act with consequences.

pub mod audit;
pub mod audit_text;
pub mod blocks;
pub mod client_setup;
pub mod clients;
pub mod concern;
pub mod concern_text;
pub mod configuration;
pub mod confirmation;
mod duration;
pub mod entries;
pub mod event_text;
pub mod keys;
pub mod list;
pub mod mail;
pub mod mail_text;
mod markdown;
pub mod new_user;
pub mod operations_text;
pub mod overview;
pub mod retry_all;
pub mod role_text;
pub mod roles;
pub mod settings_text;
pub mod sign_out_everybody;
pub mod space_act;
pub mod spaces;
pub mod text;
pub mod token_text;
pub mod tokens;
pub mod user;
pub mod user_act;
pub mod user_edit;
pub mod user_roles;
pub mod users;
pub mod workers;

use crate::{Frame, Problems, Text, field, frame::skip, text::Words};
use domain::shared::Language;
use maud::{Markup, html};
use std::ops::Deref;
use text::ConsoleText;

/// What a page of the console knows of its request.
#[derive(Debug, Clone, Copy)]
pub struct Console<'a> {
    /// What every page knows.
    pub frame: Frame<'a>,
    /// The name of the administrator.
    pub administrator: &'a str,
}

impl<'a> Deref for Console<'a> {
    type Target = Frame<'a>;

    fn deref(&self) -> &Frame<'a> {
        &self.frame
    }
}

/// A part of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// `/admin`
    Overview,
    /// `/admin/users`
    Users,
    /// `/admin/spaces`
    Spaces,
    /// `/admin/tokens`
    Tokens,
    /// `/admin/roles`
    Roles,
    /// `/admin/clients`
    Clients,
    /// `/admin/audit`
    Audit,
    /// `/admin/mail`
    Mail,
    /// `/admin/workers`
    Workers,
    /// `/admin/blocks`
    Blocks,
    /// `/admin/keys`
    Keys,
    /// `/admin/configuration`
    Configuration,
}

/// The parts in the order of the navigation. Each has a page at its path.
pub const SECTIONS: &[(Section, &str, ConsoleText)] = &[
    (Section::Overview, "/admin", ConsoleText::Overview),
    (Section::Users, "/admin/users", ConsoleText::Users),
    (Section::Roles, "/admin/roles", ConsoleText::Roles),
    (Section::Clients, "/admin/clients", ConsoleText::Clients),
    (Section::Spaces, "/admin/spaces", ConsoleText::Spaces),
    (Section::Tokens, "/admin/tokens", ConsoleText::SpaceTokens),
    (Section::Audit, "/admin/audit", ConsoleText::Audit),
    (Section::Mail, "/admin/mail", ConsoleText::Mail),
    (Section::Workers, "/admin/workers", ConsoleText::Workers),
    (Section::Blocks, "/admin/blocks", ConsoleText::Blocks),
    (Section::Keys, "/admin/keys", ConsoleText::Keys),
    (Section::Configuration, "/admin/configuration", ConsoleText::Configuration),
];

/// A page with the navigation beside it.
pub(crate) fn layout(console: &Console<'_>, section: Section, title: &str, problems: &Problems, content: Markup) -> String {
    let body = html! {
        (skip(console))
        header .top {
            (console.mark())
            div .actions {
                a .person href="/account" { (console.administrator) }
                (console.sign_out())
                (console.unfold("sections"))
            }
        }
        div .columns-frame {
            div .columns {
                nav #sections .foldable popover aria-label=(console.t(Text::ToConsole)) {
                    ul .sections {
                        @for (part, path, text) in SECTIONS {
                            li { a href=(path) aria-current=[(*part == section).then_some("page")] { (console.t(*text)) } }
                        }
                    }
                    // On a phone the head has no room for it.
                    p .only-folded { a href="/account" { (console.administrator) } }
                }
                main #main tabindex="-1" {
                    div .page { (content) }
                }
            }
        }
        (console.bottom())
    };
    console.document("account console", title, problems, body)
}

/// What was done just before, as a message at the top of a page.
pub(crate) fn done(told: Option<&str>) -> Markup {
    html! { @if let Some(told) = told { (field::notice("good", told)) } }
}

/// A number with its thousands apart.
pub(crate) fn number(language: Language, value: i64) -> String {
    let separator = match language {
        Language::English => ',',
        Language::German => '.',
    };
    let digits = value.unsigned_abs().to_string();
    let mut grouped = String::new();
    if value < 0 {
        grouped.push('-');
    }
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

/// A sentence about a number: one for none, one for one, and one with `{count}` for more.
pub(crate) fn counted<T: Words>(frame: &Frame<'_>, count: i64, [none, one, more]: [T; 3]) -> String {
    match count {
        0 => frame.t(none).to_owned(),
        1 => frame.t(one).to_owned(),
        _ => more.fill(frame.language, &[("count", &number(frame.language, count))]),
    }
}

#[cfg(test)]
mod tests {
    use super::number;
    use domain::shared::Language;

    #[test]
    fn thousands_are_apart() {
        let english = |value| number(Language::English, value);
        assert_eq!([0, 999, 1000, -12_345, 1_234_567].map(english), ["0", "999", "1,000", "-12,345", "1,234,567"]);
        assert_eq!(number(Language::German, 1000), "1.000");
    }
}
