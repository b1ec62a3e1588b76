//! `/login/2fa`: the second factor of a sign-in.

use crate::{
    Frame, Problems, Text,
    field::{self, heading, hidden, notice},
    sign_in::with_return,
};
use domain::identity::{ReturnTo, email::shown};
use maud::html;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactorPrompt {
    /// A code of the authenticator app.
    AppCode,
    /// A backup code in place of it.
    BackupCode,
    /// A code that was mailed.
    MailedCode {
        /// Where to, as `a***@example.org`.
        address: String,
        /// After how many seconds another one can be mailed; `None` when none can.
        resend_after: Option<u64>,
    },
}

/// The page that asks for the second factor.
#[derive(Debug, Clone)]
pub struct SecondFactorView<'a> {
    /// What is asked for.
    pub asked: FactorPrompt,
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// Whether another code was just mailed.
    pub was_resent: bool,
    /// Where the sign-in leads.
    pub return_to: Option<&'a ReturnTo>,
}

/// The page.
pub fn second_factor_page(frame: &Frame<'_>, view: &SecondFactorView<'_>) -> String {
    let (lead, label) = match &view.asked {
        FactorPrompt::AppCode => (frame.t(Text::AppCodeLead).to_owned(), Text::AppCodeLabel),
        FactorPrompt::BackupCode => (frame.t(Text::BackupCodeLead).to_owned(), Text::BackupCodeLabel),
        FactorPrompt::MailedCode { address, .. } => {
            (frame.fill(Text::MailedCodeLead, &[("address", &shown(address))]), Text::MailedCodeLabel)
        }
    };
    let fields = html! {
        (frame.csrf())
        @if let Some(return_to) = view.return_to { (hidden("return_to", return_to.as_str())) }
    };
    let is_backup = view.asked == FactorPrompt::BackupCode;
    let content = html! {
        (heading(frame.t(Text::SecondStep), Some(&lead)))
        @if view.was_resent { (notice("good", frame.t(Text::AnotherCodeSent))) }
        (field::problems(frame, &view.problems))
        form method="post" action="/login/2fa" {
            (fields)
            @if is_backup { (hidden("with", "backup")) }
            (field::code(frame, &view.problems, "code", label, is_backup))
            button .button { (frame.t(Text::SignIn)) }
        }
        div .stack .foot {
            @match &view.asked {
                FactorPrompt::AppCode => {
                    p { a href=(and(&with_return("/login/2fa", view.return_to), "with=backup")) { (frame.t(Text::UseBackupCode)) } }
                }
                FactorPrompt::BackupCode => { p { a href=(with_return("/login/2fa", view.return_to)) { (frame.t(Text::UseApp)) } } }
                FactorPrompt::MailedCode { resend_after, .. } => {
                    @if let Some(after) = resend_after {
                        form method="post" action="/login/2fa" {
                            (fields)
                            button .link-button name="action" value="resend" data-wait=(after) { (frame.t(Text::SendAnotherCode)) }
                        }
                    }
                }
            }
            p { a href=(with_return("/login", view.return_to)) { (frame.t(Text::BackToSignIn)) } }
        }
    };
    frame.single(frame.t(Text::SecondStep), &view.problems, content)
}

fn and(path: &str, pair: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{pair}")
}
