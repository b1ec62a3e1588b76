//! `/account/sessions` and `/account/activity`: where the account is signed in, and what has happened with it.

use super::{Done, Section, browser, done, layout, time, with_time};
use crate::{Frame, Problems, Text, field};
use jiff::Timestamp;
use maud::{Markup, html};

/// A session.
#[derive(Debug, Clone)]
pub struct SessionRow {
    /// Its id.
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
pub fn sessions_page(frame: &Frame<'_>, sessions: &[SessionRow], told: Option<Done>) -> String {
    let (current, others): (Vec<_>, Vec<_>) = sessions.iter().partition(|session| session.is_current);
    let content = html! {
        h1 { (frame.t(Text::Sessions)) }
        p .lead { (frame.t(Text::SessionsLead)) }
        (done(frame, told))
        section .panel {
            ul .rows { @for session in current.into_iter().chain(others.iter().copied()) { (session_row(frame, session)) } }
        }
        @if !others.is_empty() {
            form method="post" action="/account/sessions" {
                (frame.csrf())
                (field::hidden("end", "others"))
                div .actions { button .button .quiet { (frame.t(Text::EndOtherSessions)) } }
            }
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

/// Something that has happened.
#[derive(Debug, Clone)]
pub struct ActivityRow {
    /// The event, as the audit trail names it.
    pub event: String,
    /// Whether it was refused.
    pub is_failure: bool,
    /// The address of the caller.
    pub ip: Option<String>,
    /// The `User-Agent` of the caller.
    pub user_agent: Option<String>,
    /// When it happened.
    pub at: Timestamp,
}

/// The page of what has happened, the newest first. `older` is the path of the entries before these, if there are some.
pub fn activity_page(frame: &Frame<'_>, rows: &[ActivityRow], older: Option<&str>) -> String {
    let content = html! {
        h1 { (frame.t(Text::Activity)) }
        p .lead { (frame.t(Text::ActivityLead)) }
        section .panel {
            @if rows.is_empty() { p { (frame.t(Text::NoMoreEntries)) } } @else {
                ul .rows {
                    @for row in rows {
                        li {
                            div .row-text {
                                strong {
                                    (event(frame, &row.event))
                                    @if row.is_failure { " (" (frame.t(Text::Failed)) ")" }
                                }
                                span .muted .small {
                                    (browser(frame, row.user_agent.as_deref()))
                                    @if let Some(ip) = &row.ip { ", " (ip) }
                                }
                            }
                            span .muted .small { (time(frame.language, row.at)) }
                        }
                    }
                }
            }
        }
        @if let Some(older) = older { p { a href=(older) { (frame.t(Text::OlderEntries)) } } }
    };
    layout(frame, Section::Activity, frame.t(Text::Activity), &Problems::default(), content)
}

/// An event in words; the name of one that has none.
pub(crate) fn event<'a>(frame: &Frame<'_>, name: &'a str) -> &'a str {
    frame.t(match name {
        "auth.login.success" | "auth.login.failure" => Text::EventLogin,
        "auth.login.new_device" => Text::EventNewDevice,
        "auth.login.suspicious" => Text::EventSuspicious,
        "auth.logout" => Text::EventLogout,
        "auth.register" => Text::EventRegister,
        "auth.password.changed" => Text::EventPasswordChanged,
        "auth.password.set" => Text::EventPasswordSet,
        "auth.password.removed" => Text::EventPasswordRemoved,
        "auth.password.reset" => Text::EventPasswordReset,
        "auth.password.reset_requested" => Text::EventResetRequested,
        "auth.email.change_requested" => Text::EventEmailChangeRequested,
        "auth.email.changed" => Text::EventEmailChanged,
        "auth.email.verified" => Text::EventEmailVerified,
        "auth.email.verification_requested" => Text::EventVerificationRequested,
        "auth.invite.accepted" => Text::EventInviteAccepted,
        "auth.passkey.added" => Text::EventPasskeyAdded,
        "auth.passkey.removed" => Text::EventPasskeyRemoved,
        "auth.passkey.renamed" => Text::EventPasskeyRenamed,
        "auth.totp.enabled" => Text::EventAppEnabled,
        "auth.totp.disabled" => Text::EventAppDisabled,
        "auth.backup_code.used" => Text::EventBackupUsed,
        "auth.backup_codes.regenerated" => Text::EventBackupRenewed,
        "sessions.revoked_one" => Text::EventSessionRevoked,
        "sessions.revoked_others" => Text::EventOthersRevoked,
        "account.updated" => Text::EventProfile,
        "account.exported" => Text::EventExported,
        "oidc.consent.granted" => Text::EventConsentGranted,
        "oidc.consent.denied" => Text::EventConsentDenied,
        "oidc.consent.withdrawn" => Text::EventConsentWithdrawn,
        _ => return name,
    })
}
