//! `/account/email`: another address.

use super::{
    Section, layout,
    proof::{self, Proof},
};
use crate::{
    Frame, Problems, Text,
    field::{self, Field},
};
use domain::shared::email::shown;
use maud::html;

/// A change of the address.
#[derive(Debug, Clone)]
pub struct EmailView<'a> {
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The address of the account.
    pub current: &'a str,
    /// The address that was typed.
    pub new_email: &'a str,
    /// What proves who changes it.
    pub proof: Proof,
    /// Whether a link is mailed that confirms the new address.
    pub is_mail_on: bool,
}

/// The page.
pub fn email_page(frame: &Frame<'_>, view: &EmailView<'_>) -> String {
    let lead = if view.is_mail_on { Text::AddressLead } else { Text::AddressLeadWithoutMail };
    let fields = html! {
        dl .facts { dt { (frame.t(Text::CurrentAddress)) } dd { (shown(view.current)) } }
        (Field { kind: "email", ..Field::text("newEmail", Text::NewAddress, "email", view.new_email) }.render(frame, &view.problems))
    };
    let content = html! {
        h1 { (frame.t(Text::ChangeAddress)) }
        p .lead { (frame.t(lead)) }
        (field::problems(frame, &view.problems))
        section .panel {
            (proof::form(frame, &view.problems, view.proof, "/account/email", fields, ("", frame.t(Text::ChangeAddress))))
        }
        p { a href="/account" { (frame.t(Text::Cancel)) } }
    };
    layout(frame, Section::Profile, frame.t(Text::ChangeAddress), &view.problems, content)
}
