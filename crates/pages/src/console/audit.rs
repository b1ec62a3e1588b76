//! `/admin/audit`: what has happened with accounts, and emptying entries about people who are gone.
//!
//! The filter is that of `GET /api/admin/audit-logs`. Its events are a list in words; each area of them is a
//! choice of its own, which is the beginning of their names there (`admin.*`).

use super::{
    Console, ConsoleText, Section,
    audit_text::AuditText,
    confirmation::{self, Confirmation},
    done,
    entries::{EntryRow, table},
    event_text::EventText,
    layout,
    list::{Control, FilterField, Paging, filters, page_links, why_empty},
    number,
};
use crate::{Problems, Words, account::proof::Proof, field};
use domain::{
    identity::{AuditEvent, admin::AuditStatus},
    shared::Language,
};
use maud::html;

/// The areas of events that are a choice of their own: the beginning of their names, and what they are
/// called.
const AREAS: [(&str, AuditText); 5] = [
    ("account.*", AuditText::AllOfAccounts),
    ("admin.*", AuditText::AllOfAdministration),
    ("auth.*", AuditText::AllOfSigningIn),
    ("oidc.*", AuditText::AllOfApplications),
    ("provisioning.*", AuditText::AllOfProvisioning),
];

/// The trail.
#[derive(Debug, Clone)]
pub struct AuditView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the filter.
    pub problems: Problems,
    /// The event, or the beginning of one.
    pub event: &'a str,
    /// `success` or `failure`.
    pub status: &'a str,
    /// The id of an application.
    pub client: &'a str,
    /// The ids and the names of the applications that can be chosen.
    pub clients: Vec<(&'a str, &'a str)>,
    /// The mail address or the id of a person.
    pub person: &'a str,
    /// The address of the caller.
    pub ip: &'a str,
    /// The first day.
    pub from: &'a str,
    /// The last day.
    pub to: &'a str,
    /// The entries of this page.
    pub entries: Vec<EntryRow>,
    /// Which page it is.
    pub paging: Paging,
    /// Whether no account has the address.
    pub is_person_unknown: bool,
    /// The most entries of a file.
    pub most_in_file: u32,
    /// The path of the file with the same filter.
    pub file: &'a str,
}

/// The page.
pub fn audit_page(console: &Console<'_>, view: &AuditView<'_>) -> String {
    let t = |text: ConsoleText| console.t(text);
    let beginning = console.fill(AuditText::EventsThatBegin, &[("name", view.event.trim_end_matches('*'))]);
    let statuses = vec![
        ("", t(ConsoleText::Any)),
        (AuditStatus::Success.into_str(), console.t(AuditText::Succeeded)),
        (AuditStatus::Failure.into_str(), t(ConsoleText::Refused)),
    ];
    let event = Control::Choice(view.event, events(console, view.event, &beginning));
    let mut form = vec![
        FilterField { name: "event", label: t(ConsoleText::Event), control: event },
        FilterField { name: "status", label: console.t(AuditText::Outcome), control: Control::Choice(view.status, statuses) },
    ];
    if !(view.clients.is_empty() && view.client.is_empty()) {
        form.push(FilterField {
            name: "client",
            label: console.t(AuditText::Application),
            control: Control::Choice(view.client, clients(console, view)),
        });
    }
    form.extend([
        FilterField { name: "person", label: console.t(AuditText::Person), control: Control::Text("text", view.person) },
        FilterField { name: "ip", label: console.t(AuditText::Address), control: Control::Text("text", view.ip) },
        FilterField { name: "from", label: t(ConsoleText::FromDay), control: Control::Text("date", view.from) },
        FilterField { name: "to", label: t(ConsoleText::ToDay), control: Control::Text("date", view.to) },
    ]);
    let caption = console.fill(ConsoleText::EntriesFound, &[("count", &number(console.language, view.paging.total))]);
    let empty = if view.is_person_unknown { ConsoleText::PersonUnknown } else { ConsoleText::NoEntriesFound };
    let most = number(console.language, i64::from(view.most_in_file));
    let content = html! {
        h1 { (t(ConsoleText::Audit)) }
        (done(view.done.as_deref()))
        (field::problems(console, &view.problems))
        p .lead { (console.t(AuditText::Lead)) }
        (filters(console, &view.problems, "/admin/audit", &form))
        (table(console, &caption, &why_empty(console, view.paging, empty), &view.entries, true))
        (page_links(console, view.paging))
        section .panel {
            div .actions {
                a .button .quiet .small href=(view.file) { (t(ConsoleText::CsvFile)) }
                a .button .quiet .small href="/admin/audit/anonymize" { (t(ConsoleText::Anonymize)) }
            }
            p .muted .small { (console.fill(ConsoleText::CsvHint, &[("count", &most)])) }
        }
    };
    layout(console, Section::Audit, t(ConsoleText::Audit), &view.problems, content)
}

/// The problems of the filter, with what to write instead.
pub fn explained(language: Language, mut problems: Problems) -> Problems {
    for (field, sentence) in &mut problems.fields {
        let wanted = match field.as_str() {
            "ip" => AuditText::WriteAddress,
            "person" => AuditText::WritePerson,
            _ => continue,
        };
        wanted.in_language(language).clone_into(sentence);
    }
    problems
}

/// The choices of events, by their words. What the address asks for stays one of them, also if it is none
/// that this version records.
fn events<'a>(console: &Console<'_>, chosen: &'a str, beginning: &'a str) -> Vec<(&'a str, &'a str)> {
    let areas = AREAS.iter().map(|(prefix, words)| (*prefix, console.t(*words)));
    let mut events: Vec<(&str, &str)> =
        AuditEvent::ALL.iter().map(|event| (event.name(), console.t(EventText::from(*event)))).collect();
    events.sort_by_key(|(_, words)| alphabetical(words));
    let mut choices: Vec<_> = std::iter::once(("", console.t(ConsoleText::Any))).chain(areas).chain(events).collect();
    if !choices.iter().any(|(name, _)| *name == chosen) {
        choices.push((chosen, if chosen.ends_with('*') { beginning } else { chosen }));
    }
    choices
}

/// Where a German reader looks for a word: a letter with two dots stands by the one without.
fn alphabetical(words: &str) -> String {
    words.to_lowercase().replace('ä', "a").replace('ö', "o").replace('ü', "u")
}

/// The applications; what the address asks for stays one of them, also if the configuration names it no
/// longer.
fn clients<'a>(console: &Console<'_>, view: &AuditView<'a>) -> Vec<(&'a str, &'a str)> {
    let mut choices = vec![("", console.t(ConsoleText::Any))];
    choices.extend(&view.clients);
    if !choices.iter().any(|(id, _)| *id == view.client) {
        choices.push((view.client, view.client));
    }
    choices
}

/// The page that asks before entries are emptied.
pub fn anonymize_page(console: &Console<'_>, problems: &Problems, proof: Proof) -> String {
    let title = console.t(ConsoleText::Anonymize);
    let texts = [ConsoleText::AnonymizeMeans, ConsoleText::AnonymizeStays, ConsoleText::AnonymizeForGood];
    let confirmation = Confirmation {
        section: Section::Audit,
        title,
        consequences: texts.map(|text| console.t(text).to_owned()).to_vec(),
        is_harmful: true,
        action: "/admin/audit/anonymize",
        fields: html! {},
        button: title,
        back: "/admin/audit",
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}
