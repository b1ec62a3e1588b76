//! `/licenses`: what is in the binary that others have written, and under which terms.

pub mod text;

use crate::{Frame, api};
use licenses::{Component, Inventory};
use maud::{Markup, html};
use text::LicensesText;

/// The page.
pub fn licenses_page(frame: &Frame<'_>, inventory: &Inventory) -> String {
    let title = frame.t(LicensesText::Title);
    let [name, version, license, texts] =
        [LicensesText::Name, LicensesText::Version, LicensesText::License, LicensesText::Texts].map(|text| frame.t(text));
    let content = html! {
        h1 { (title) }
        p .lead { (frame.t(LicensesText::Lead)) }
        p { a href="/licenses.txt" { (frame.t(LicensesText::Plain)) } }
        table .list {
            thead { tr { th scope="col" { (name) } th scope="col" { (version) } th scope="col" { (license) } th scope="col" { (texts) } } }
            tbody {
                @for component in &inventory.components {
                    tr {
                        th scope="row" { (linked(component)) (authors(frame, component)) }
                        td data-label=(version) { span { (component.version) } }
                        td data-label=(license) { span { (component.license) } }
                        td data-label=(texts) { span { (numbers(inventory, component)) } }
                    }
                }
            }
        }
        @for (number, text) in inventory.texts.iter().enumerate() {
            section .panel aria-labelledby=(format!("text-{}", number + 1)) {
                h2 id=(format!("text-{}", number + 1)) { (frame.fill(LicensesText::Text, &[("number", &(number + 1).to_string())])) }
                p .muted { (inventory.users(text)) }
                pre tabindex="0" { (text.text) }
            }
        }
    };
    api::layout(frame, title, content)
}

fn linked(component: &Component) -> Markup {
    html! {
        @if component.url.is_empty() { (component.name) } @else { a href=(component.url) rel="noreferrer" { (component.name) } }
    }
}

/// Those who wrote it, where no text of its own says so.
fn authors(frame: &Frame<'_>, component: &Component) -> Markup {
    html! {
        @if !component.authors.is_empty() {
            " " span .muted { (frame.fill(LicensesText::By, &[("authors", &component.authors.join(", "))])) }
        }
    }
}

/// Links to the texts of a component.
fn numbers(inventory: &Inventory, component: &Component) -> Markup {
    let at = |name: &String| inventory.texts.iter().position(|text| text.name == *name);
    html! {
        @for (index, number) in component.texts.iter().filter_map(at).enumerate() {
            @if index > 0 { ", " }
            a href=(format!("#text-{}", number + 1)) { (number + 1) }
        }
    }
}
