//! Entries of the audit trail, as a table whose rows open their details.

use super::{Console, ConsoleText, event_text::EventText, list::Table};
use crate::account::{browser, time};
use domain::identity::{AuditEvent, email::shown};
use jiff::Timestamp;
use maud::{Markup, html};

/// An entry.
#[derive(Debug, Clone)]
pub struct EntryRow {
    /// The event, as the audit trail names it.
    pub event: String,
    /// Whether it was refused.
    pub is_failure: bool,
    pub at: Timestamp,
    /// The address of the caller.
    pub ip: Option<String>,
    /// The `User-Agent` of the caller.
    pub user_agent: Option<String>,
    /// The account that it is about: the id and, while it exists, the address.
    pub user: Option<(String, Option<String>)>,
    /// `user`, `admin`, `client`, `provisioning` or `system`.
    pub actor_type: String,
    /// Who did it: an account, a client or a provisioning token.
    pub actor_id: Option<String>,
    /// Everything that is known of it, as JSON.
    pub details: String,
}

/// The table. `with_person` is whether it says whom each entry is about.
pub(super) fn table(console: &Console<'_>, caption: &str, empty: &str, entries: &[EntryRow], with_person: bool) -> Markup {
    let t = |text: ConsoleText| console.t(text);
    let person = [t(ConsoleText::Person)];
    let mut columns = vec![t(ConsoleText::Time), t(ConsoleText::Event)];
    columns.extend(person.iter().filter(|_| with_person));
    columns.extend([t(ConsoleText::By), t(ConsoleText::Origin)]);
    let row = |entry: &EntryRow| {
        let mut cells = vec![html! { (time(console.language, entry.at)) }, event(console, entry)];
        if with_person {
            cells.push(about(console, entry));
        }
        cells.extend([by(console, entry), origin(console, entry), details(console, entry)]);
        cells
    };
    Table { caption, columns: &columns, rows: entries.iter().map(row).collect(), empty }.render()
}

fn event(console: &Console<'_>, entry: &EntryRow) -> Markup {
    let words = words(console, &entry.event);
    html! {
        (words)
        @if entry.is_failure { " " span .badge .bad { (console.t(ConsoleText::Refused)) } }
        @if words != entry.event { code .line .small { (entry.event) } }
    }
}

fn about(console: &Console<'_>, entry: &EntryRow) -> Markup {
    html! {
        @match &entry.user {
            Some((id, Some(email))) => { a .address href=(format!("/admin/users/{id}")) { (shown(email)) } }
            Some((_, None)) => { (console.t(ConsoleText::SomebodyGone)) }
            None => { "–" }
        }
    }
}

fn by(console: &Console<'_>, entry: &EntryRow) -> Markup {
    let id = entry.actor_id.as_deref().unwrap_or_default();
    html! {
        @match entry.actor_type.as_str() {
            "user" => { (console.t(ConsoleText::ThePerson)) }
            "admin" => { a href=(format!("/admin/users/{id}")) { (console.t(ConsoleText::Administrator)) } }
            "client" => { (console.t(ConsoleText::Application)) " " code { (id) } }
            "provisioning" => { (console.t(ConsoleText::ProvisioningToken)) " " code { (id) } }
            _ => { (console.t(ConsoleText::TheServer)) }
        }
    }
}

fn origin(console: &Console<'_>, entry: &EntryRow) -> Markup {
    html! {
        @match (&entry.ip, &entry.user_agent) {
            (None, None) => { "–" }
            (ip, user_agent) => {
                @if let Some(ip) = ip { (ip) }
                @if user_agent.is_some() { span .muted .small .line { (browser(console, user_agent.as_deref())) } }
            }
        }
    }
}

fn details(console: &Console<'_>, entry: &EntryRow) -> Markup {
    html! {
        details {
            summary { (console.t(ConsoleText::Details)) span .visually-hidden { ": " (words(console, &entry.event)) } }
            pre tabindex="0" { (entry.details) }
        }
    }
}

/// An event in words; the name of one that only an earlier version recorded.
fn words<'a>(console: &Console<'_>, name: &'a str) -> &'a str {
    name.parse::<AuditEvent>().map_or(name, |event| console.t(EventText::from(event)))
}
