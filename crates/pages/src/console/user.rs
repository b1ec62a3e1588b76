//! `/admin/users/{id}`: everything about a person, and what can be done.

mod access;
mod acts;
mod text;

pub use access::{AppRow, apps_page, sessions_page};
pub use text::PersonText;

use super::{
    Console, ConsoleText, Section, done,
    entries::{EntryRow, table},
    layout, number,
    token_text::TokenText,
    tokens,
    users::badges,
};
use crate::{
    Problems, Text,
    account::{history::SessionRow, time, with_time},
};
use domain::{
    identity::{Account, Passkey},
    shared::ListedToken,
};
use jiff::Timestamp;
use maud::{Markup, html};

/// A person.
#[derive(Debug, Clone)]
pub struct UserView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    pub account: &'a Account,
    /// Whether it is that of the administrator.
    pub is_self: bool,
    pub passkeys: &'a [Passkey],
    /// The sessions that are active: the newest, and how many they are.
    pub sessions: (&'a [SessionRow], i64),
    /// What is granted to applications: the newest, and how many grants they are.
    pub apps: (&'a [AppRow], i64),
    /// The roles that are assigned, by group; `None` where the default ones apply.
    pub roles: Vec<(String, Option<Vec<String>>)>,
    /// The names of the spaces that the person owns.
    pub spaces: Vec<String>,
    /// The tokens that act for the person: the newest, and how many they are.
    pub tokens: (&'a [ListedToken], i64),
    /// The newest entries of the audit trail about the person.
    pub entries: Vec<EntryRow>,
}

/// The page.
pub fn user_page(console: &Console<'_>, view: &UserView<'_>) -> String {
    let account = view.account;
    let name = account.display_name();
    let content = html! {
        p .crumbs { a href="/admin/users" { (console.t(ConsoleText::Users)) } }
        div .panel-head {
            h1 { (name) }
            (badges(console, account))
        }
        (done(view.done.as_deref()))
        div .grid {
            (facts(console, view))
            (factors(console, view))
            (roles(console, view))
            (access::apps(console, account.id, view.apps))
        }
        (acts::panel(console, account, view.is_self))
        (access::sessions(console, account.id, view.sessions))
        (tokens_of(console, view))
        section .panel {
            div .panel-head {
                h2 { (console.t(ConsoleText::LastEntries)) }
                a href=(format!("/admin/audit?person={}", account.id)) { (console.t(ConsoleText::AllEntries)) }
            }
            (table(console, console.t(ConsoleText::NewestEntries), console.t(ConsoleText::NoEntries), &view.entries, false))
        }
    };
    layout(console, Section::Users, &name, &Problems::default(), content)
}

fn facts(console: &Console<'_>, view: &UserView<'_>) -> Markup {
    let account = view.account;
    let fact = |label: &str, value: Markup| html! { dt { (label) } dd { (value) } };
    let at = |value: Timestamp| time(console.language, value);
    html! {
        section .panel {
            div .panel-head {
                h2 { (console.t(ConsoleText::Facts)) }
                a .button .quiet .small href=(format!("/admin/users/{}/edit", account.id)) { (console.t(ConsoleText::Change)) }
            }
            dl .facts {
                (fact(console.t(Text::Email), html! { (account.email.shown()) }))
                (fact(console.t(Text::FirstName), html! { (account.first_name) }))
                @if let Some(name) = &account.last_name { (fact(console.t(Text::LastName), html! { (name) })) }
                (fact(console.t(ConsoleText::Locale), html! { (account.locale) }))
                (fact(console.t(ConsoleText::Id), html! { code { (account.id) } }))
                @if let Some(sub) = &account.legacy_sub { (fact(console.t(ConsoleText::LegacySub), html! { code { (sub) } })) }
                (fact(console.t(ConsoleText::Created), at(account.created_at)))
                @if let Some(since) = account.suspended_at { (fact(console.t(ConsoleText::SuspendedSince), at(since))) }
                (fact(console.t(ConsoleText::LastSignIn), html! { @match account.last_login_at {
                    Some(last) => { (at(last)) }
                    None => { (console.t(ConsoleText::Never)) }
                } }))
                (fact(console.t(ConsoleText::Spaces), html! { @if view.spaces.is_empty() { "0" } @else { (view.spaces.join(", ")) } }))
            }
        }
    }
}

fn factors(console: &Console<'_>, view: &UserView<'_>) -> Markup {
    let state = |label: &str, is_there: bool, text: Text| {
        html! {
            li { (label) span .badge .good[is_there] { (console.t(text)) } }
        }
    };
    let account = view.account;
    let password = if account.has_password { Text::PasswordIsSet } else { Text::PasswordIsNotSet };
    let app = if account.has_totp { Text::AppOn } else { Text::AppOff };
    html! {
        section .panel {
            h2 { (console.t(ConsoleText::SignsInWith)) }
            ul .rows .tight {
                (state(console.t(Text::Password), account.has_password, password))
                (state(console.t(Text::AppTitle), account.has_totp, app))
                @for passkey in view.passkeys {
                    li {
                        div .row-text {
                            span { (console.t(ConsoleText::Passkey)) ": " (passkey.name) }
                            span .muted .small { @match passkey.last_used_at {
                                Some(at) => { (with_time(console, Text::PasskeyUsedOn, at)) }
                                None => { (console.t(Text::PasskeyNeverUsed)) }
                            } }
                        }
                    }
                }
                @if view.passkeys.is_empty() { li { (console.t(ConsoleText::NoPasskeys)) } }
            }
        }
    }
}

fn roles(console: &Console<'_>, view: &UserView<'_>) -> Markup {
    html! {
        section .panel {
            div .panel-head {
                h2 { (console.t(ConsoleText::Roles)) }
                @if !view.roles.is_empty() {
                    a .button .quiet .small href=(format!("/admin/users/{}/roles", view.account.id)) { (console.t(ConsoleText::Change)) }
                }
            }
            @if view.roles.is_empty() { p .muted { (console.t(ConsoleText::NoRoleGroups)) } } @else {
                dl .facts {
                    @for (group, assigned) in &view.roles {
                        dt { (group) }
                        dd { @match assigned {
                            None => { (console.t(ConsoleText::DefaultRoles)) }
                            Some(roles) if roles.is_empty() => { (console.t(ConsoleText::NoRole)) }
                            Some(roles) => { (roles.join(", ")) }
                        } }
                    }
                }
            }
        }
    }
}

fn tokens_of(console: &Console<'_>, view: &UserView<'_>) -> Markup {
    let (listed, count) = view.tokens;
    let caption = console.fill(TokenText::TokensFound, &[("count", &number(console.language, count))]);
    html! {
        section .panel {
            div .panel-head {
                h2 { (console.t(TokenText::TokensOfPerson)) }
                a href=(format!("/admin/tokens?person={}", view.account.id)) { (console.t(TokenText::AllTokens)) }
            }
            (tokens::table(console, &caption, console.t(TokenText::NoTokenHere), listed, false))
        }
    }
}
