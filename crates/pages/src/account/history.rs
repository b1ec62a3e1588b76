//! `/account/sessions` and `/account/activity`: where the account is signed in, and what has happened with
//! it.

use super::{
    DoneNotice, Section, browser, done,
    events::{ActivityEntry, in_words, remark},
    layout, time, with_time,
};
use crate::{Frame, Problems, Text, field};
use domain::identity::{AuditEvent, activity::Happening};
use jiff::Timestamp;
use maud::{Markup, html};

/// A session.
#[derive(Debug, Clone)]
pub struct SessionRow {
    pub id: String,
    /// Whether it is the one of this browser.
    pub is_current: bool,
    /// The address that it was started from.
    pub ip: Option<String>,
    /// The `User-Agent` that it was started with.
    pub user_agent: Option<String>,
    /// When it was started.
    pub created_at: Timestamp,
    /// When it was last used, to some minutes.
    pub last_seen_at: Timestamp,
    /// The names of the applications that it signed in to.
    pub clients: Vec<String>,
}

/// The page of sessions; that of this browser comes first.
pub fn sessions_page(frame: &Frame<'_>, sessions: &[SessionRow], told: Option<DoneNotice>) -> String {
    let (current, others): (Vec<_>, Vec<_>) = sessions.iter().partition(|session| session.is_current);
    let content = html! {
        h1 { (frame.t(Text::Sessions)) }
        p .lead { (frame.t(Text::SessionsLead)) }
        (done(frame, told))
        @if !others.is_empty() {
            form method="post" action="/account/sessions" {
                (frame.csrf())
                (field::hidden("end", "others"))
                div .actions { button .button .quiet { (frame.t(Text::EndOtherSessions)) } }
            }
        }
        section .panel {
            ul .rows { @for session in current.into_iter().chain(others.iter().copied()) { (session_row(frame, session)) } }
        }
    };
    layout(frame, Section::Sessions, frame.t(Text::Sessions), &Problems::default(), content)
}

fn session_row(frame: &Frame<'_>, session: &SessionRow) -> Markup {
    let device = browser(frame, session.user_agent.as_deref());
    html! {
        li {
            div .row-text {
                strong { (device) }
                span .muted .small {
                    (with_time(frame, Text::SignedInOn, session.created_at)) ", "
                    (with_time(frame, Text::LastSeenOn, session.last_seen_at))
                    @if let Some(ip) = &session.ip { ", " (ip) }
                    @if !session.clients.is_empty() {
                        ", " (frame.fill(Text::SignedInAt, &[("clients", &session.clients.join(", "))]))
                    }
                }
            }
            @if session.is_current {
                span .badge .good { (frame.t(Text::ThisBrowser)) }
            } @else {
                form method="post" action="/account/sessions" {
                    (frame.csrf())
                    (field::hidden("end", &session.id))
                    button .button .quiet .small aria-label=(frame.fill(Text::EndSessionOf, &[("device", &device)])) {
                        (frame.t(Text::EndSession))
                    }
                }
            }
        }
    }
}

/// An entry of the trail.
#[derive(Debug, Clone)]
pub struct ActivityRow {
    /// The event; nothing for one that this version does not record.
    pub event: Option<AuditEvent>,
    /// How it went, and who did it.
    pub entry: ActivityEntry,
    /// The address of the caller.
    pub ip: Option<String>,
    /// The `User-Agent` of the caller.
    pub user_agent: Option<String>,
    pub at: Timestamp,
}

/// The page of what has happened, the newest first. `older` is the path of the entries before these, if there
/// are some.
pub fn activity_page(frame: &Frame<'_>, happenings: &[Happening<ActivityRow>], older: Option<&str>) -> String {
    let content = html! {
        h1 { (frame.t(Text::Activity)) }
        p .lead { (frame.t(Text::ActivityLead)) }
        section .panel {
            @if happenings.is_empty() { p { (frame.t(Text::NoMoreEntries)) } } @else {
                ul .rows { @for happening in happenings { (happening_row(frame, happening)) } }
            }
        }
        @if let Some(older) = older { p { a href=(older) { (frame.t(Text::OlderEntries)) } } }
    };
    layout(frame, Section::Activity, frame.t(Text::Activity), &Problems::default(), content)
}

fn happening_row(frame: &Frame<'_>, happening: &Happening<ActivityRow>) -> Markup {
    let row = &happening.main;
    let remarks = happening.remarks.iter().filter_map(|event| remark(*event)).map(|text| frame.t(text).to_owned());
    let device = row.user_agent.as_deref().map(|user_agent| browser(frame, Some(user_agent)));
    let facts: Vec<String> = remarks.chain(device).chain(row.ip.clone()).collect();
    html! {
        li {
            div .row-text {
                strong { (in_words(frame.language, row.event, row.entry)) }
                @if !facts.is_empty() { span .muted .small { (facts.join(", ")) } }
            }
            span .muted .small { (time(frame.language, row.at)) }
        }
    }
}
