//! The proof that the person at the browser is the owner of the account, as a part of a form.

use crate::{Frame, Problems, Text, field};
use maud::{Markup, html};

/// What a person proves with who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The password of the account.
    Password,
    /// A passkey, of an account without a password.
    Passkey,
    /// Nothing: proofs are turned off (`APP_REAUTH_SECONDS`).
    NotAsked,
}

/// A form that takes a proof. Its button has the class.
pub(crate) fn form(
    frame: &Frame<'_>,
    problems: &Problems,
    proof: Proof,
    action: &str,
    fields: Markup,
    (class, label): (&str, &str),
) -> Markup {
    let button = html! { button class=(format!("button {class}")) { (label) } };
    match proof {
        Proof::NotAsked => html! {
            form method="post" action=(action) {
                (frame.csrf())
                (fields)
                div .actions { (button) }
            }
        },
        Proof::Password => html! {
            form method="post" action=(action) {
                (frame.csrf())
                (fields)
                (field::password(frame, problems, "password", Text::ConfirmWithPassword, None))
                div .actions { (button) }
            }
        },
        Proof::Passkey => html! {
            form method="post" action=(action) data-passkey="get" data-start="/api/me/password-reauth"
                data-cancelled=(frame.t(Text::PasskeyNotUsed)) {
                (frame.csrf())
                (field::hidden("credential", "")) (field::hidden("challenge", ""))
                (fields)
                p .muted { (frame.t(Text::ConfirmWithPasskey)) }
                noscript { p .message .bad { (frame.t(Text::PasskeyNeedsScript)) } }
                p .message .bad role="alert" hidden {}
                div .actions { (button) }
            }
        },
    }
}
