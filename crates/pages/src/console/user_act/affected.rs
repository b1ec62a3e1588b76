//! What an act of an administrator on a person ends: sessions, applications, tokens and spaces, as lists
//! before the act.

use super::UserAct;
use crate::{
    account::{browser, history::SessionRow, time},
    console::{Console, number, token_text::TokenText},
    field::check,
};
use domain::{identity::Account, shared::ListedToken};
use maud::{Markup, html};

/// What an act meets.
#[derive(Debug, Clone)]
pub struct Affected<'a> {
    pub account: &'a Account,
    /// Whether it is that of the administrator.
    pub is_self: bool,
    /// The sessions that are active: the newest, and how many they are.
    pub sessions: (&'a [SessionRow], i64),
    /// The names of the applications that hold access.
    pub apps: Vec<String>,
    /// The names of the spaces that the person owns.
    pub spaces: &'a [String],
    /// The tokens that act for the person: the newest, and how many they are.
    pub tokens: (&'a [ListedToken], i64),
    /// Whether the server sends mail.
    pub is_mail_on: bool,
}

/// What the act ends, by name, and a choice that belongs to it.
pub(super) fn lists(console: &Console<'_>, act: UserAct, affected: &Affected<'_>) -> Markup {
    let (newest, all) = affected.sessions;
    let sessions = || list(console, TokenText::ListedSessions, newest.iter().map(|row| session(console, row)).collect(), Some(all));
    let apps = || list(console, TokenText::ListedApps, affected.apps.iter().map(|name| html! { (name) }).collect(), None);
    let (listed, count) = affected.tokens;
    let tokens = || {
        let token = |token: &ListedToken| html! { (token.name) span .muted .small { (token.space_name) } };
        list(console, TokenText::ListedTokens, listed.iter().map(token).collect(), Some(count))
    };
    let spaces = || list(console, TokenText::ListedSpaces, affected.spaces.iter().map(|name| html! { (name) }).collect(), None);
    match act {
        UserAct::Suspend => html! { (sessions()) (apps()) (tokens()) },
        UserAct::Delete => html! { (sessions()) (apps()) (tokens()) (spaces()) },
        UserAct::ResetFactors => sessions(),
        UserAct::SignOut => html! {
            (sessions()) (tokens())
            @if count > 0 {
                (check("tokens", console.t(TokenText::RevokeTokensToo), false, false))
            }
        },
        _ => html! {},
    }
}

/// The most entries of such a list.
const LISTED: usize = 20;

/// A list with a heading; nothing when it is empty. `count` is how many there are, where they are not all
/// here.
fn list(console: &Console<'_>, title: TokenText, items: Vec<Markup>, count: Option<i64>) -> Markup {
    let all = count.unwrap_or_else(|| i64::try_from(items.len()).unwrap_or(i64::MAX));
    let shown = items.len().min(LISTED);
    let more = all - i64::try_from(shown).unwrap_or(i64::MAX);
    html! {
        @if !items.is_empty() {
            h3 .label { (console.t(title)) }
            ul .rows .tight {
                @for item in items.iter().take(shown) { li { (item) } }
                @if more > 0 { li .muted { (console.fill(TokenText::AndMore, &[("count", &number(console.language, more))])) } }
            }
        }
    }
}

fn session(console: &Console<'_>, row: &SessionRow) -> Markup {
    html! { (browser(console, row.user_agent.as_deref())) span .muted .small { (time(console.language, row.last_seen_at)) } }
}
