//! `/admin/workers…`: the queues, what is dead in them, and the actors of the process. The figures renew
//! themselves where the script runs.

use super::{
    Console, ConsoleText, Section, done, layout,
    list::{Paging, Table, page_links, why_empty},
    number,
    operations_text::OperationsText,
};
use crate::{Problems, account::time, field, text::Words};
use domain::shared::Language;
use jiff::Timestamp;
use maud::{Markup, html};

/// What is done in the background.
#[derive(Debug, Clone)]
pub struct WorkersView {
    pub queues: Vec<QueueRow>,
    pub actors: Vec<ActorRow>,
}

/// A queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueRow {
    /// Its name on the wire.
    pub name: &'static str,
    pub waiting: i64,
    /// What is being done.
    pub running: i64,
    /// What was given up; `None` where nothing ever is.
    pub dead: Option<i64>,
    /// The age of the oldest, in seconds.
    pub oldest_seconds: Option<i64>,
}

/// Whether an actor runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerState {
    Running,
    /// It does not answer.
    Unresponsive,
    Stopping,
    /// It is started again.
    Restarting,
}

/// An actor.
#[derive(Debug, Clone)]
pub struct ActorRow {
    /// Its name, below that of its supervisor.
    pub name: String,
    pub state: WorkerState,
    /// Messages that wait for it.
    pub mailbox: usize,
    /// How often its kind was started again.
    pub restarts: u64,
    /// What it tells about itself, as JSON.
    pub observed: String,
}

/// The page.
pub fn workers_page(console: &Console<'_>, view: &WorkersView) -> String {
    let t = |text: OperationsText| console.t(text);
    let content = html! {
        h1 { (console.t(ConsoleText::Workers)) }
        p .muted { (t(OperationsText::WorkersLead)) }
        label .check hidden { input type="checkbox" checked data-live="queues" data-source="/admin/workers/events"; span { (t(OperationsText::Live)) } }
        div #queues { (queues(console.language, &view.queues)) }
        h2 { (t(OperationsText::Actors)) }
        (actors(console, &view.actors))
    };
    layout(console, Section::Workers, console.t(ConsoleText::Workers), &Problems::default(), content)
}

/// What a queue is called.
pub(super) fn name(queue: &str) -> OperationsText {
    match queue {
        "mail" => OperationsText::QueueMail,
        "webhooks" => OperationsText::QueueWebhooks,
        "logouts" => OperationsText::QueueLogouts,
        "accountWebhooks" => OperationsText::QueueAccountWebhooks,
        "imports" => OperationsText::QueueImports,
        "schedules" => OperationsText::QueueSchedules,
        _ => OperationsText::QueueMaintenance,
    }
}

/// The table of queues, which the stream of events sends again and again.
pub fn queues(language: Language, queues: &[QueueRow]) -> Markup {
    let t = |text: OperationsText| text.in_language(language);
    let table = Table {
        caption: t(OperationsText::Queues),
        columns: &[
            t(OperationsText::Queue),
            t(OperationsText::Waiting),
            t(OperationsText::Running),
            t(OperationsText::Dead),
            t(OperationsText::Oldest),
        ],
        rows: queues.iter().map(|queue| queue_row(language, queue)).collect(),
        empty: t(OperationsText::Queues),
    };
    table.render()
}

fn queue_row(language: Language, queue: &QueueRow) -> Vec<Markup> {
    let count = |value: i64| html! { (number(language, value)) };
    let name = name(queue.name).in_language(language);
    let path = if queue.name == "mail" { "/admin/mail?state=dead".to_owned() } else { format!("/admin/workers/{}", queue.name) };
    vec![
        html! { (name) },
        count(queue.waiting),
        count(queue.running),
        html! { @match queue.dead {
            None => { "–" }
            Some(0) => { "0" }
            Some(dead) => { a href=(path) { span .badge .bad { (number(language, dead)) } span .visually-hidden { " " (name) } } }
        } },
        html! { @match queue.oldest_seconds { None => { "–" } Some(seconds) => { (age(language, seconds)) } } },
    ]
}

/// An age in the largest unit that fits.
fn age(language: Language, seconds: i64) -> String {
    let (text, count) = match seconds {
        ..120 => (OperationsText::Seconds, seconds),
        120..7_200 => (OperationsText::Minutes, seconds / 60),
        _ => (OperationsText::Hours, seconds / 3_600),
    };
    text.fill(language, &[("count", &number(language, count))])
}

fn actors(console: &Console<'_>, actors: &[ActorRow]) -> Markup {
    let t = |text: OperationsText| console.t(text);
    let table = Table {
        caption: t(OperationsText::Actors),
        columns: &[
            t(OperationsText::Actor),
            t(OperationsText::KeyState),
            t(OperationsText::Mailbox),
            t(OperationsText::Restarts),
            t(OperationsText::Observed),
        ],
        rows: actors.iter().map(|actor| actor_row(console, actor)).collect(),
        empty: t(OperationsText::Actors),
    };
    table.render()
}

fn actor_row(console: &Console<'_>, actor: &ActorRow) -> Vec<Markup> {
    let (text, class) = match actor.state {
        WorkerState::Running => (OperationsText::ActorRunning, "badge good"),
        WorkerState::Unresponsive => (OperationsText::ActorUnresponsive, "badge bad"),
        WorkerState::Stopping => (OperationsText::ActorStopping, "badge"),
        WorkerState::Restarting => (OperationsText::ActorRestarting, "badge bad"),
    };
    vec![
        html! { code { (actor.name) } },
        html! { span class=(class) { (console.t(text)) } },
        html! { (actor.mailbox) },
        html! { (actor.restarts) },
        html! {
            details {
                summary { (console.t(OperationsText::ShowObserved)) span .visually-hidden { ": " (actor.name) } }
                pre tabindex="0" { (actor.observed) }
            }
        },
    ]
}

/// What is dead in a queue.
#[derive(Debug, Clone)]
pub struct DeadView {
    pub queue: &'static str,
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the act before.
    pub problems: Problems,
    pub dead: Vec<DeadRow>,
    /// Which page of it this is.
    pub paging: Paging,
}

/// Something that was given up.
#[derive(Debug, Clone)]
pub struct DeadRow {
    /// What it is tried again by.
    pub id: String,
    /// The kind of work, in the language of the page.
    pub what: String,
    /// What it was for.
    pub target: Option<String>,
    /// How often it was tried.
    pub attempts: i32,
    /// Why the last attempt failed.
    pub error: Option<String>,
    pub created_at: Timestamp,
    /// When it was given up.
    pub dead_at: Timestamp,
}

/// The page of what is dead in a queue.
pub fn dead(console: &Console<'_>, view: &DeadView) -> String {
    let t = |text: OperationsText| console.t(text);
    let title = console.fill(OperationsText::DeadOf, &[("queue", t(name(view.queue)))]);
    let path = format!("/admin/workers/{}", view.queue);
    let action = console.path.in_list(None);
    let table = Table {
        caption: &console.fill(OperationsText::DeadFound, &[("count", &number(console.language, view.paging.total))]),
        columns: &[
            t(OperationsText::What),
            t(OperationsText::Target),
            t(OperationsText::Attempts),
            t(OperationsText::LastError),
            t(OperationsText::GivenUp),
            t(OperationsText::Retry),
        ],
        rows: view.dead.iter().map(|row| dead_row(console, action.as_str(), row)).collect(),
        empty: &why_empty(console, view.paging, OperationsText::NothingDead),
    };
    let content = html! {
        h1 { (title) }
        (done(view.done.as_deref()))
        (field::problems(console, &view.problems))
        @if !view.dead.is_empty() {
            div .actions { a .button .quiet .small href=(format!("{path}/retry")) { (t(OperationsText::RetryAll)) } }
        }
        (table.render())
        (page_links(console, view.paging))
        p { a href="/admin/workers" { (t(OperationsText::BackToWorkers)) } }
    };
    layout(console, Section::Workers, &title, &view.problems, content)
}

fn dead_row(console: &Console<'_>, action: &str, row: &DeadRow) -> Vec<Markup> {
    vec![
        html! { code { (row.what) } span .muted .small .line .address { (row.id) } },
        html! { span .address { (row.target.as_deref().unwrap_or("–")) } },
        html! { (row.attempts) },
        html! { (row.error.as_deref().unwrap_or("–")) },
        html! { (time(console.language, row.dead_at)) span .muted .small .line { (time(console.language, row.created_at)) } },
        html! {
            form .inline method="post" action=(action) {
                (console.csrf())
                (field::hidden("id", &row.id))
                button .button .quiet .small aria-label=(console.fill(OperationsText::RetryOf, &[("what", &row.id)])) {
                    (console.t(OperationsText::Retry))
                }
            }
        },
    ]
}
