//! `/account/prove`: proving who one is, before something that a stranger at an open browser must not be able
//! to do.

use super::{
    Section, layout,
    proof::{self, Proof},
};
use crate::{
    Frame, Problems, Text,
    field::{self, hidden},
    sign_in::in_query,
};
use domain::shared::ProofMethods;
use maud::html;

/// The page. `return_to` is the page that asked for the proof.
pub fn prove_page(frame: &Frame<'_>, problems: &Problems, methods: ProofMethods, return_to: &str) -> String {
    let form =
        |proof, label| proof::form(frame, problems, proof, "/account/prove", hidden("return_to", return_to), ("", frame.t(label)));
    let content = html! {
        h1 { (frame.t(Text::ProveTitle)) }
        (field::problems(frame, problems))
        section .panel .narrow {
            p { (frame.t(Text::ProveLead)) }
            @if methods.password { (form(Proof::Password, Text::Continue)) }
            // Without a script it could not be used, and the password can.
            @if methods.passkey { div data-needs-passkeys[methods.password] hidden[methods.password] { (form(Proof::Passkey, Text::ProveWithPasskey)) } }
            @if !methods.password && !methods.passkey {
                p { (frame.t(Text::ProveBySignIn)) }
                div .actions {
                    a .button href=(format!("/login?prompt=login&return_to={}", in_query(return_to))) { (frame.t(Text::SignIn)) }
                }
            }
        }
        p { a href="/account" { (frame.t(Text::Cancel)) } }
    };
    layout(frame, Section::Security, frame.t(Text::ProveTitle), problems, content)
}
