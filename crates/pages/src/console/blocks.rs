//! `/admin/blocks`: who is refused just now, and lifting that.

use super::{Console, ConsoleText, Section, done, layout, list::Table, number, operations_text::OperationsText};
use crate::{Problems, account::time, field};
use domain::shared::email::shown;
use jiff::Timestamp;
use maud::{Markup, html};

/// The blocks.
#[derive(Debug, Clone)]
pub struct BlocksView {
    /// What was done just before.
    pub done: Option<String>,
    /// What is wrong with the act before.
    pub problems: Problems,
    pub blocks: Vec<BlockRow>,
}

/// A block.
#[derive(Debug, Clone)]
pub struct BlockRow {
    /// What it is lifted by.
    pub id: String,
    /// The name of a limit; `lockout` for wrong passwords and codes.
    pub limit: &'static str,
    /// What a lockout is of, if that is known.
    pub target: Option<&'static str>,
    /// The account, if it is known: the id and the address.
    pub user: Option<(String, String)>,
    /// The caller, if it is known.
    pub caller: Option<String>,
    /// The failures of the day, of a lockout.
    pub failures: Option<i32>,
    /// Whether this process alone refuses.
    pub is_of_process: bool,
    /// Until when it refuses.
    pub until: Timestamp,
}

/// The page.
pub fn blocks_page(console: &Console<'_>, view: &BlocksView) -> String {
    let t = |text: OperationsText| console.t(text);
    let count = i64::try_from(view.blocks.len()).unwrap_or(i64::MAX);
    let table = Table {
        caption: &console.fill(OperationsText::BlocksFound, &[("count", &number(console.language, count))]),
        columns: &[t(OperationsText::Blocked), t(OperationsText::Limit), t(OperationsText::Until), t(OperationsText::LiftBlock)],
        rows: view.blocks.iter().map(|block| row(console, block)).collect(),
        empty: t(OperationsText::NoBlocks),
    };
    let content = html! {
        h1 { (console.t(ConsoleText::Blocks)) }
        (done(view.done.as_deref()))
        (field::problems(console, &view.problems))
        p .muted { (t(OperationsText::BlocksLead)) }
        (table.render())
    };
    layout(console, Section::Blocks, console.t(ConsoleText::Blocks), &view.problems, content)
}

fn row(console: &Console<'_>, block: &BlockRow) -> Vec<Markup> {
    let unknown = console.t(OperationsText::UnknownAccount);
    let who = block.user.as_ref().map(|(_, email)| email.as_str()).or(block.caller.as_deref()).unwrap_or(unknown);
    let who = shown(who);
    vec![
        html! { @match &block.user {
            Some((id, _)) => { a href=(format!("/admin/users/{id}")) { (who) } }
            None => { (who) }
        } },
        reason(console, block),
        html! { (time(console.language, block.until)) },
        html! {
            form .inline method="post" action="/admin/blocks" {
                (console.csrf())
                (field::hidden("id", &block.id))
                button .button .quiet .small aria-label=(console.fill(OperationsText::LiftBlockOf, &[("who", &who)])) {
                    (console.t(OperationsText::LiftBlock))
                }
            }
        },
    ]
}

fn reason(console: &Console<'_>, block: &BlockRow) -> Markup {
    let text = match (block.limit, block.target) {
        ("lockout", Some("password")) => OperationsText::LockoutPassword,
        ("lockout", Some("code")) => OperationsText::LockoutCode,
        ("lockout", Some("mailedCode")) => OperationsText::LockoutMailedCode,
        ("lockout", Some("deviceCode")) => OperationsText::LockoutDeviceCode,
        ("lockout", Some("reauth")) => OperationsText::LockoutReauth,
        ("lockout", _) => OperationsText::Lockout,
        _ => OperationsText::TooManyRequests,
    };
    html! {
        (console.t(text))
        span .muted .small .line {
            @match block.failures {
                Some(count) => { (console.fill(OperationsText::Failures, &[("count", &number(console.language, count.into()))])) }
                None => { code { (block.limit) } }
            }
            @if block.is_of_process { " · " (console.t(OperationsText::OfThisProcess)) }
        }
    }
}
