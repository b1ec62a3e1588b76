//! `/admin/audit`: what has happened with accounts, and emptying entries about people who are gone.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    done,
    entries::{EntryRow, table},
    layout,
    list::{Control, Filter, Paging, filters, page_links, why_empty},
    number,
};
use crate::{Problems, account::proof::Proof, field};
use maud::html;

/// The trail.
#[derive(Debug, Clone)]
pub struct AuditView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the filter.
    pub problems: Problems,
    /// The event, or the beginning of one.
    pub event: &'a str,
    /// The address or the id of a person.
    pub person: &'a str,
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
pub fn page(console: &Console<'_>, view: &AuditView<'_>) -> String {
    let t = |text: ConsoleText| console.t(text);
    let form = [
        Filter { name: "event", label: t(ConsoleText::Event), control: Control::Text("text", view.event) },
        Filter { name: "person", label: t(ConsoleText::PersonFilter), control: Control::Text("text", view.person) },
        Filter { name: "from", label: t(ConsoleText::FromDay), control: Control::Text("date", view.from) },
        Filter { name: "to", label: t(ConsoleText::ToDay), control: Control::Text("date", view.to) },
    ];
    let caption = console.fill(ConsoleText::EntriesFound, &[("count", &number(console.language, view.paging.total))]);
    let empty = if view.is_person_unknown { ConsoleText::PersonUnknown } else { ConsoleText::NoEntriesFound };
    let most = number(console.language, i64::from(view.most_in_file));
    let content = html! {
        h1 { (t(ConsoleText::Audit)) }
        (done(view.done.as_deref()))
        (field::problems(console, &view.problems))
        p .lead { (t(ConsoleText::EventHint)) }
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
    confirmation::page(console, problems, proof, &confirmation)
}
