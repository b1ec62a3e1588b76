//! `/account/security`: everything that signs in to the account.

use super::{DoneNotice, Section, done, layout, with_time};
use crate::{
    Frame, Problems, Text,
    field::{self, hidden},
};
use domain::identity::Passkey;
use maud::{Markup, html};

/// What signs in to an account.
#[derive(Debug, Clone)]
pub struct SecurityView<'a> {
    /// What was done just before.
    pub done: Option<DoneNotice>,
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// Whether there is a password.
    pub has_password: bool,
    /// Whether a passkey can be added at once: the person has proved who they are a short while ago.
    pub is_proved: bool,
    /// The passkeys, the oldest first.
    pub passkeys: &'a [Passkey],
    /// The number of backup codes, if there is an authenticator app.
    pub backup_codes_left: Option<i64>,
}

/// The page.
pub fn security_page(frame: &Frame<'_>, view: &SecurityView<'_>) -> String {
    let content = html! {
        h1 { (frame.t(Text::Security)) }
        (done(frame, view.done))
        (field::problems(frame, &view.problems))
        (password(frame, view))
        (passkeys(frame, view))
        (app(frame, view.backup_codes_left))
    };
    layout(frame, Section::Security, frame.t(Text::Security), &view.problems, content)
}

fn head(frame: &Frame<'_>, title: Text, is_on: bool, state: Text) -> Markup {
    html! {
        div .panel-head {
            h2 { (frame.t(title)) }
            span .badge .good[is_on] { (frame.t(state)) }
        }
    }
}

fn password(frame: &Frame<'_>, view: &SecurityView<'_>) -> Markup {
    let (state, change) =
        if view.has_password { (Text::PasswordIsSet, Text::ChangePassword) } else { (Text::PasswordIsNotSet, Text::SetAPassword) };
    html! {
        section .panel {
            (head(frame, Text::Password, view.has_password, state))
            div .actions {
                a .button .quiet .small href="/account/security/password" { (frame.t(change)) }
                @if view.has_password && !view.passkeys.is_empty() {
                    a href="/account/security/password/remove" { (frame.t(Text::RemovePassword)) }
                }
            }
        }
    }
}

fn passkeys(frame: &Frame<'_>, view: &SecurityView<'_>) -> Markup {
    html! {
        section .panel {
            h2 { (frame.t(Text::Passkeys)) }
            p .muted { (frame.t(Text::PasskeysLead)) }
            @if view.passkeys.is_empty() { p { (frame.t(Text::NoPasskeys)) } } @else {
                ul .rows { @for passkey in view.passkeys { (row(frame, passkey)) } }
            }
            noscript { p .message { (frame.t(Text::PasskeyNeedsScript)) } }
            @if !view.is_proved {
                div .actions { a .button .quiet .small href="/account/prove?return_to=/account/security" { (frame.t(Text::AddPasskey)) } }
            } @else { div data-needs-passkeys hidden {
                form method="post" action="/account/security/passkeys" data-passkey="create" data-start="/api/webauthn/register/start"
                    data-cancelled=(frame.t(Text::PasskeyNotUsed)) data-known=(frame.t(Text::PasskeyKnown)) {
                    (frame.csrf())
                    (hidden("credential", "")) (hidden("challenge", ""))
                    p .message .bad role="alert" hidden {}
                    div .actions { button .button .quiet .small { (frame.t(Text::AddPasskey)) } }
                }
            } }
        }
    }
}

fn row(frame: &Frame<'_>, passkey: &Passkey) -> Markup {
    let path = format!("/account/security/passkeys/{}", passkey.id);
    let named = |text: Text| frame.fill(text, &[("name", &passkey.name)]);
    html! {
        li {
            div .row-text {
                strong { (passkey.name) }
                span .muted .small {
                    (with_time(frame, Text::PasskeyAddedOn, passkey.created_at)) ", "
                    @match passkey.last_used_at {
                        Some(at) => { (with_time(frame, Text::PasskeyUsedOn, at)) }
                        None => { (frame.t(Text::PasskeyNeverUsed)) }
                    }
                }
            }
            div .actions {
                a href=(path) aria-label=(named(Text::RenameNamed)) { (frame.t(Text::Rename)) }
                a href=(format!("{path}/remove")) aria-label=(named(Text::RemoveNamed)) { (frame.t(Text::Remove)) }
            }
        }
    }
}

fn app(frame: &Frame<'_>, backup_codes_left: Option<i64>) -> Markup {
    html! {
        section .panel {
            (head(frame, Text::AppTitle, backup_codes_left.is_some(), if backup_codes_left.is_some() { Text::AppOn } else { Text::AppOff }))
            p .muted { (frame.t(Text::AppLead)) }
            @if let Some(left) = backup_codes_left {
                p { (frame.fill(Text::BackupCodesLeft, &[("count", &left.to_string())])) }
                div .actions {
                    a .button .quiet .small href="/account/security/backup-codes" { (frame.t(Text::NewBackupCodes)) }
                    a href="/account/security/app" { (frame.t(Text::ReplaceApp)) }
                    a href="/account/security/app/remove" { (frame.t(Text::TurnOffApp)) }
                }
            } @else {
                div .actions { a .button .quiet .small href="/account/security/app" { (frame.t(Text::SetUpApp)) } }
            }
        }
    }
}
