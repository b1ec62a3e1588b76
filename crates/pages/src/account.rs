//! `/account/…`: the pages of a person who is signed in.

pub mod activity_text;
pub mod app;
pub mod apps;
pub mod data;
pub mod email;
pub mod events;
pub mod first_steps;
pub mod history;
pub mod passkey;
pub mod password;
pub mod profile;
pub mod proof;
pub mod prove;
pub mod security;

use crate::{Frame, Person, Problems, Text, frame::skip};
use domain::{
    identity::{
        device::{self, Browser},
        email::shown,
    },
    shared::Language,
};
use jiff::Timestamp;
use maud::{Markup, html};

/// What was done just before, told at the top of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoneNotice(pub Text);

/// A part of the account pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Profile,
    Security,
    Sessions,
    Activity,
    Apps,
    Data,
}

const SECTIONS: [(Section, &str, Text); 6] = [
    (Section::Profile, "/account", Text::Profile),
    (Section::Security, "/account/security", Text::Security),
    (Section::Sessions, "/account/sessions", Text::Sessions),
    (Section::Activity, "/account/activity", Text::Activity),
    (Section::Apps, "/account/apps", Text::Apps),
    (Section::Data, "/account/data", Text::Data),
];

/// A page with the list of sections beside it.
pub(crate) fn layout(frame: &Frame<'_>, section: Section, title: &str, problems: &Problems, content: Markup) -> String {
    let body = html! {
        (skip(frame))
        header .top {
            (frame.mark())
            div .actions {
                @if frame.is_administrator { a .only-unfolded href="/admin" { (frame.t(Text::ToConsole)) } }
                @if let Some(person) = frame.person { (who(person)) }
                (frame.sign_out())
                (frame.unfold("sections"))
            }
        }
        div .columns-frame {
            div .columns {
                nav #sections .foldable popover aria-label=(frame.t(Text::Account)) {
                    ul .sections {
                        @for (part, path, text) in SECTIONS {
                            li { a href=(path) aria-current=[(part == section).then_some("page")] { (frame.t(text)) } }
                        }
                    }
                    // On a phone the head has no room for it.
                    @if frame.is_administrator { p .only-folded { a href="/admin" { (frame.t(Text::ToConsole)) } } }
                }
                main #main tabindex="-1" {
                    div .page { (content) }
                }
            }
        }
        (frame.bottom())
    };
    frame.document("account", title, problems, body)
}

/// The name of the person and, unless that is the name, the address.
pub(crate) fn who(person: Person<'_>) -> Markup {
    let email = shown(person.email);
    html! {
        div .who {
            @if person.name != person.email { strong { (person.name) } }
            span .muted { (email) }
        }
    }
}

/// What was done just before.
pub(crate) fn done(frame: &Frame<'_>, done: Option<DoneNotice>) -> Markup {
    html! { @if let Some(DoneNotice(text)) = done { (crate::field::notice("good", frame.t(text))) } }
}

/// A time. The script of the page shows it in the time zone of the reader.
pub(crate) fn time(language: Language, at: Timestamp) -> Markup {
    let format = match language {
        Language::English => "%-d %b %Y, %H:%M UTC",
        Language::German => "%d.%m.%Y, %H:%M UTC",
    };
    html! { time datetime=(at.strftime("%Y-%m-%dT%H:%M:%SZ")) { (at.strftime(format)) } }
}

/// A sentence with a time in its place `{time}`.
pub(crate) fn with_time(frame: &Frame<'_>, text: Text, at: Timestamp) -> Markup {
    let (before, after) = frame.t(text).split_once("{time}").unwrap_or_default();
    html! { (before) (time(frame.language, at)) (after) }
}

/// The browser and the system of a `User-Agent`, in words; one that is not known is a program.
pub(crate) fn browser(frame: &Frame<'_>, user_agent: Option<&str>) -> String {
    let Browser { family, system } = device::browser(user_agent);
    let family = family.unwrap_or_else(|| frame.t(Text::UnknownBrowser));
    match system {
        Some(system) => frame.fill(Text::BrowserOn, &[("browser", family), ("system", system)]),
        None => family.to_owned(),
    }
}
