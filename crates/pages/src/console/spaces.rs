//! `/admin/spaces`: the spaces of everybody.

use super::{
    Console, ConsoleText, Section, done, layout,
    list::{Control, FilterField, Paging, Table, filters, page_links, why_empty},
    number,
    space_act::SpaceAct,
};
use crate::{Problems, account::time};
use domain::shared::{Language, ListedSpace, email::shown};
use maud::{Markup, html};

/// The list of spaces.
#[derive(Debug, Clone)]
pub struct SpacesView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the filter.
    pub problems: Problems,
    /// The text that is searched for.
    pub search: &'a str,
    /// `true`, `false` or nothing: whether they have no owner.
    pub orphaned: &'a str,
    /// The same of a deletion.
    pub deleted: &'a str,
    /// The spaces of this page.
    pub spaces: &'a [ListedSpace],
    /// Which page it is.
    pub paging: Paging,
}

/// The page.
pub fn spaces_page(console: &Console<'_>, view: &SpacesView<'_>) -> String {
    let t = |text: ConsoleText| console.t(text);
    let kinds = |yes, no| vec![("", t(ConsoleText::Any)), ("true", t(yes)), ("false", t(no))];
    let form = [
        FilterField { name: "search", label: t(ConsoleText::SearchSpaces), control: Control::Text("search", view.search) },
        FilterField {
            name: "orphaned",
            label: t(ConsoleText::Owner),
            control: Control::Choice(view.orphaned, kinds(ConsoleText::Orphaned, ConsoleText::Owned)),
        },
        FilterField {
            name: "deleted",
            label: t(ConsoleText::State),
            control: Control::Choice(view.deleted, kinds(ConsoleText::Deleted, ConsoleText::NotDeleted)),
        },
    ];
    let is_filtered = [view.search, view.orphaned, view.deleted].iter().any(|value| !value.is_empty());
    let table = Table {
        caption: &console.fill(ConsoleText::SpacesFound, &[("count", &number(console.language, view.paging.total))]),
        columns: &[
            t(ConsoleText::Space),
            t(ConsoleText::Owner),
            t(ConsoleText::State),
            t(ConsoleText::Size),
            t(ConsoleText::LastChange),
            t(ConsoleText::Acts),
        ],
        rows: view.spaces.iter().map(|space| row(console, space)).collect(),
        empty: &why_empty(console, view.paging, if is_filtered { ConsoleText::NoSpaceFound } else { ConsoleText::NoSpaceHere }),
    };
    let content = html! {
        h1 { (t(ConsoleText::Spaces)) }
        (done(view.done.as_deref()))
        (crate::field::problems(console, &view.problems))
        (filters(console, &view.problems, "/admin/spaces", &form))
        (table.render())
        (page_links(console, view.paging))
    };
    layout(console, Section::Spaces, t(ConsoleText::Spaces), &view.problems, content)
}

fn row(console: &Console<'_>, space: &ListedSpace) -> Vec<Markup> {
    let t = |text: ConsoleText| console.t(text);
    vec![
        html! { (space.name) span .muted .small .line .address { (space.id) } },
        html! { @match &space.owner {
            Some((id, email)) => { a .address href=(format!("/admin/users/{id}")) { (shown(email)) } }
            None => { span .badge .bad { (t(ConsoleText::Orphaned)) } }
        } },
        html! { @match space.deleted_at {
            Some(at) => { span .badge .bad { (t(ConsoleText::Deleted)) } span .muted .small .line { (time(console.language, at)) } }
            None => { span .badge .good { (t(ConsoleText::Active)) } }
        } },
        html! { (size(console, space)) },
        html! { (time(console.language, space.changed_at)) },
        html! { @match SpaceAct::possible(space) {
            Some(act) => { a href=(act.path(space.id)) { (t(act.label())) span .visually-hidden { ": " (space.name) } } }
            None => { "–" }
        } },
    ]
}

fn size(console: &Console<'_>, space: &ListedSpace) -> String {
    let number = |value| number(console.language, value);
    console.fill(
        ConsoleText::SizeOf,
        &[
            ("stories", &number(space.stories)),
            ("assets", &number(space.assets)),
            ("bytes", &bytes(console.language, space.asset_bytes)),
        ],
    )
}

/// A number of bytes in the largest unit that it fills, with one digit behind the point.
fn bytes(language: Language, bytes: i64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (bytes / 100, 0);
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1000;
        unit += 1;
    }
    let point = if language == Language::German { ',' } else { '.' };
    format!("{}{point}{} {}", number(language, tenths / 10), tenths % 10, UNITS.get(unit).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::bytes;
    use domain::shared::Language;

    #[test]
    fn bytes_are_told_in_a_unit_that_fits() {
        let english = |value| bytes(Language::English, value);
        let sizes = [0, 999, 1000, 1_234_567, 999_999_999, 5_000_000_000, 7_000_000_000_000_000].map(english);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "1.2 MB", "999.9 MB", "5.0 GB", "7,000.0 TB"]);
        assert_eq!(bytes(Language::German, 1500), "1,5 kB");
    }
}
