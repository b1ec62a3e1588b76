//! Where a person is signed in, and which applications hold access: the newest of both on the page of the
//! person, and all of them as lists with pages, `/admin/users/{id}/sessions` and `/admin/users/{id}/apps`.

use super::PersonText;
use crate::{
    Problems, Text,
    account::{browser, history::SessionRow, time},
    console::{
        Console, ConsoleText, Section, counted, layout,
        list::{Paging, Table, page_links, why_empty},
        number,
    },
};
use domain::{identity::Account, shared::UserId};
use jiff::Timestamp;
use maud::{Markup, html};

/// What an application may do for a person.
#[derive(Debug, Clone)]
pub struct AppRow {
    /// The name of the application.
    pub name: String,
    /// The scope of the grant.
    pub scope: String,
    pub since: Timestamp,
}

/// The panel with the newest sessions.
pub(super) fn sessions(console: &Console<'_>, id: UserId, (newest, total): (&[SessionRow], i64)) -> Markup {
    let title = html! { h2 { (console.t(Text::Sessions)) } };
    let all = (format!("/admin/users/{id}/sessions"), PersonText::AllSessions);
    panel(console, &title, all, (newest.len(), total), sessions_table(console, newest, total, console.t(ConsoleText::SessionsNone)))
}

/// The panel with the newest grants.
pub(super) fn apps(console: &Console<'_>, id: UserId, (newest, total): (&[AppRow], i64)) -> Markup {
    let title = html! { h2 { (console.t(Text::Apps)) } };
    let all = (format!("/admin/users/{id}/apps"), PersonText::AllApps);
    panel(console, &title, all, (newest.len(), total), apps_table(console, newest, total, console.t(ConsoleText::NoAccess)))
}

/// A panel with the beginning of a list, and the way to all of it where that is more.
fn panel(
    console: &Console<'_>,
    title: &Markup,
    (path, all): (String, PersonText),
    (shown, total): (usize, i64),
    table: Markup,
) -> Markup {
    let has_more = i64::try_from(shown).is_ok_and(|shown| shown < total);
    html! {
        section .panel {
            div .panel-head { (title) @if has_more { a href=(path) { (console.t(all)) } } }
            (table)
        }
    }
}

/// The page of all sessions.
pub fn sessions_page(console: &Console<'_>, account: &Account, sessions: &[SessionRow], paging: Paging) -> String {
    let empty = why_empty(console, paging, ConsoleText::SessionsNone);
    page(console, account, PersonText::SessionsOf, sessions_table(console, sessions, paging.total, &empty), paging)
}

/// The page of all grants.
pub fn apps_page(console: &Console<'_>, account: &Account, apps: &[AppRow], paging: Paging) -> String {
    let empty = why_empty(console, paging, ConsoleText::NoAccess);
    page(console, account, PersonText::AppsOf, apps_table(console, apps, paging.total, &empty), paging)
}

fn page(console: &Console<'_>, account: &Account, title: PersonText, table: Markup, paging: Paging) -> String {
    let name = account.display_name();
    let title = console.fill(title, &[("name", &name)]);
    let content = html! {
        p .crumbs {
            a href="/admin/users" { (console.t(ConsoleText::Users)) } " / "
            a href=(format!("/admin/users/{}", account.id)) { (name) }
        }
        h1 { (title) }
        (table)
        (page_links(console, paging))
    };
    layout(console, Section::Users, &title, &Problems::default(), content)
}

fn sessions_table(console: &Console<'_>, sessions: &[SessionRow], total: i64, empty: &str) -> Markup {
    let row = |session: &SessionRow| {
        vec![
            html! {
                (browser(console, session.user_agent.as_deref()))
                @if session.is_current { " " span .badge .good { (console.t(Text::ThisBrowser)) } }
            },
            html! { @if let Some(ip) = &session.ip { span .address { (ip) } } @else { "–" } },
            html! { (time(console.language, session.created_at)) },
            html! { (time(console.language, session.last_seen_at)) },
            html! { @if session.clients.is_empty() { "–" } @else { (session.clients.join(", ")) } },
        ]
    };
    let table = Table {
        caption: &counted(console, total, [ConsoleText::SessionsNone, ConsoleText::SessionsOne, ConsoleText::SessionsMore]),
        columns: &[
            console.t(ConsoleText::Browser),
            console.t(ConsoleText::Origin),
            console.t(ConsoleText::Begun),
            console.t(ConsoleText::LastSeen),
            console.t(Text::Apps),
        ],
        rows: sessions.iter().map(row).collect(),
        empty,
    };
    table.render()
}

fn apps_table(console: &Console<'_>, apps: &[AppRow], total: i64, empty: &str) -> Markup {
    let row = |app: &AppRow| vec![html! { (app.name) }, html! { (app.scope) }, html! { (time(console.language, app.since)) }];
    let table = Table {
        caption: &console.fill(PersonText::GrantsFound, &[("count", &number(console.language, total))]),
        columns: &[console.t(ConsoleText::Name), console.t(PersonText::May), console.t(PersonText::Since)],
        rows: apps.iter().map(row).collect(),
        empty,
    };
    table.render()
}
