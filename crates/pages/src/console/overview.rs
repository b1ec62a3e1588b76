//! `/admin`: what needs an administrator, then figures, and whether everything works.

use super::{
    Console, ConsoleText, Section,
    concern::{Concern, panel},
    done, layout, number,
};
use crate::{Problems, account::time};
use jiff::Timestamp;
use maud::{Markup, html};

/// What the overview shows.
#[derive(Debug, Clone)]
pub struct OverviewView<'a> {
    /// What was done just before.
    pub done: Option<String>,
    /// What needs an administrator, the most urgent first.
    pub concerns: Vec<Concern>,
    /// The version of the server.
    pub version: &'a str,
    /// The figures, in groups of what they are about.
    pub figures: Vec<(ConsoleText, Vec<Figure>)>,
    /// The state of what the server needs.
    pub checks: Vec<Check>,
    /// Since when the oldest work of all queues waits, if any does.
    pub oldest_work_at: Option<Timestamp>,
}

/// A figure, and the list of what it counts.
#[derive(Debug, Clone)]
pub struct Figure {
    pub label: ConsoleText,
    /// How many there are.
    pub value: i64,
    /// The list of them, if there is one.
    pub path: Option<String>,
}

/// Whether something works.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The name of what is checked.
    pub label: ConsoleText,
    pub state: ConsoleText,
    /// Whether that is well; `None` when it is neither well nor bad.
    pub is_good: Option<bool>,
}

/// The page.
pub fn overview_page(console: &Console<'_>, view: &OverviewView<'_>) -> String {
    let content = html! {
        h1 { (console.t(ConsoleText::Overview)) }
        (done(view.done.as_deref()))
        (panel(console, &view.concerns))
        section .panel {
            div .panel-head {
                h2 { (console.t(ConsoleText::State)) }
                span .muted .small { (console.fill(ConsoleText::Version, &[("version", view.version)])) }
            }
            dl .checks {
                @for check in &view.checks {
                    div {
                        dt { (console.t(check.label)) }
                        dd { span .badge .good[check.is_good == Some(true)] .bad[check.is_good == Some(false)] { (console.t(check.state)) } }
                    }
                }
                @if let Some(at) = view.oldest_work_at {
                    div {
                        dt { (console.t(ConsoleText::OldestWork)) }
                        dd { (time(console.language, at)) }
                    }
                }
            }
        }
        @for (title, figures) in &view.figures {
            section .panel {
                h2 { (console.t(*title)) }
                dl .figures { @for figure in figures { (render(console, figure)) } }
            }
        }
        section .panel {
            div .panel-head {
                div .row-text {
                    h2 { (console.t(ConsoleText::SignOutEverybody)) }
                    p .muted { (console.t(ConsoleText::SignOutEverybodyLead)) }
                }
                a .button .quiet .small href="/admin/sign-out-everybody" { (console.t(ConsoleText::SignOutEverybody)) }
            }
        }
    };
    layout(console, Section::Overview, console.t(ConsoleText::Overview), &Problems::default(), content)
}

fn render(console: &Console<'_>, figure: &Figure) -> Markup {
    let label = console.t(figure.label);
    html! {
        div {
            dt { @if let Some(path) = &figure.path { a href=(path) { (label) } } @else { (label) } }
            dd { (number(console.language, figure.value)) }
        }
    }
}
