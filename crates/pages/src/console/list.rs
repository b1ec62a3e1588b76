//! What the lists of the console share: the form that filters, the table, and the links to other pages. The
//! filter is a GET, so that its address can be kept.

use super::{ConsoleText, number};
use crate::{Frame, Problems, text::Words};
use maud::{Markup, html};

/// A field of the form that filters.
#[derive(Debug, Clone)]
pub struct FilterField<'a> {
    /// The parameter, which is the id of the field as well.
    pub name: &'a str,
    /// What it is called.
    pub label: &'a str,
    /// How it is filled in.
    pub control: Control<'a>,
}

/// How a field of a filter is filled in.
#[derive(Debug, Clone)]
pub enum Control<'a> {
    /// A line of text: the type of the field, and what is in it.
    Text(&'a str, &'a str),
    /// One of some values: the one that is chosen, and each with what it is called.
    Choice(&'a str, Vec<(&'a str, &'a str)>),
}

impl Control<'_> {
    fn is_set(&self) -> bool {
        match self {
            Self::Text(_, value) | Self::Choice(value, _) => !value.is_empty(),
        }
    }
}

/// The form that filters the list at a path. On a phone it is folded behind a button, unless something in it
/// is wrong.
pub(crate) fn filters(frame: &Frame<'_>, problems: &Problems, path: &str, filters: &[FilterField<'_>]) -> Markup {
    let set = filters.iter().filter(|filter| filter.control.is_set()).count();
    let is_folded = problems.is_empty();
    html! {
        @if is_folded {
            button .button .quiet .small .unfold type="button" popovertarget="filters" {
                (frame.t(ConsoleText::Filter)) @if set > 0 { " (" (set) ")" }
            }
        }
        form #filters .filters .foldable popover[is_folded] method="get" action=(path) role="search" aria-label=(frame.t(ConsoleText::Filter)) {
            @for FilterField { name, label, control } in filters {
                @let error = problems.of_field(name);
                div .field {
                    label for=(name) { (label) }
                    @match control {
                        Control::Text(kind, value) => {
                            input #(name) name=(name) type=(kind) value=(value) maxlength="200" autocomplete="off" spellcheck="false"
                                autocapitalize="none" aria-invalid=[error.map(|_| "true")]
                                aria-describedby=[error.map(|_| format!("{name}-error"))];
                        }
                        Control::Choice(chosen, options) => {
                            select #(name) name=(name) {
                                @for (value, label) in options { option value=(value) selected[value == chosen] { (label) } }
                            }
                        }
                    }
                    @if let Some(error) = error { p .field-error id=(format!("{name}-error")) { (error) } }
                }
            }
            div .actions {
                button .button .quiet { (frame.t(ConsoleText::Filter)) }
                @if set > 0 { a href=(path) { (frame.t(ConsoleText::ShowAll)) } }
            }
        }
    }
}

/// A table. The first cell of a row names it.
#[derive(Debug, Clone)]
pub(crate) struct Table<'a> {
    /// What is in it.
    pub(crate) caption: &'a str,
    /// What each column is called.
    pub(crate) columns: &'a [&'a str],
    /// The cells of each row. One more than there are columns stands below its row, across all of them.
    pub(crate) rows: Vec<Vec<Markup>>,
    /// Why there is nothing in it, if there is nothing.
    pub(crate) empty: &'a str,
}

impl Table<'_> {
    pub(crate) fn render(self) -> Markup {
        let Self { caption, columns, rows, empty } = self;
        html! {
            @if rows.is_empty() { p .empty role="status" { (empty) } } @else {
                table .list {
                    caption { (caption) }
                    thead { tr { @for column in columns { th scope="col" { (column) } } } }
                    tbody {
                        @for cells in rows {
                            tr {
                                @for (at, (cell, column)) in cells.iter().zip(columns).enumerate() {
                                    @if at == 0 { th scope="row" { (cell) } } @else { td data-label=(column) { (cell) } }
                                }
                            }
                            @if let Some(below) = cells.get(columns.len()) { tr .below { td colspan=(columns.len()) { (below) } } }
                        }
                    }
                }
            }
        }
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy)]
pub struct Paging {
    /// Its number; 1 is the first.
    pub page: u32,
    /// Items on a page.
    pub per_page: u32,
    pub total: i64,
    /// Whether that is their exact number.
    pub is_exact: bool,
}

impl Paging {
    fn pages(self) -> i64 {
        (self.total + i64::from(self.per_page) - 1) / i64::from(self.per_page.max(1))
    }
}

/// Why a list is empty: the page is behind its end, or else what fills it.
pub(crate) fn why_empty(frame: &Frame<'_>, paging: Paging, what_fills_it: impl Words) -> String {
    let pages = paging.pages();
    if pages == 0 || i64::from(paging.page) <= pages {
        return frame.t(what_fills_it).to_owned();
    }
    let [page, pages] = [i64::from(paging.page), pages].map(|value| number(frame.language, value));
    frame.fill(ConsoleText::NoSuchPage, &[("page", &page), ("pages", &pages)])
}

/// The links to the pages before and after, and how many items there are.
pub(crate) fn page_links(frame: &Frame<'_>, paging: Paging) -> Markup {
    let (page, pages) = (i64::from(paging.page), paging.pages());
    let total = number(frame.language, paging.total);
    let total = if paging.is_exact { total } else { frame.fill(ConsoleText::About, &[("count", &total)]) };
    let link = |number: i64| frame.path.in_list(Some(number)).as_str().to_owned();
    html! {
        @if pages > 1 || page > 1 {
            nav .pages aria-label=(frame.t(ConsoleText::Pages)) {
                @if page > 1 { a rel="prev" href=(link((page - 1).min(pages.max(1)))) { (frame.t(ConsoleText::PreviousPage)) } }
                span .muted {
                    (frame.fill(
                        ConsoleText::PageOf,
                        &[("page", &number(frame.language, page)), ("pages", &number(frame.language, pages)), ("total", &total)],
                    ))
                }
                @if page < pages { a rel="next" href=(link(page + 1)) { (frame.t(ConsoleText::NextPage)) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Paging;

    #[test]
    fn a_page_that_is_not_full_counts() {
        let pages = |total| Paging { page: 1, per_page: 50, total, is_exact: true }.pages();
        assert_eq!([0, 1, 50, 51].map(pages), [0, 1, 1, 2]);
    }
}
