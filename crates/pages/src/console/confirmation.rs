//! The page before an act with consequences: it says what they are, and takes a proof that the administrator
//! is the one who asks.

use super::{Console, ConsoleText, Section, layout};
use crate::{
    Problems, Text,
    account::proof::{self, Proof},
    field,
};
use maud::{Markup, html};

/// An act, and what follows from it.
#[derive(Debug, Clone)]
pub struct Confirmation<'a> {
    /// The part of the console that it belongs to.
    pub section: Section,
    /// What is done, and to whom.
    pub title: &'a str,
    /// What follows, in sentences.
    pub consequences: Vec<String>,
    /// Whether it takes something away.
    pub is_harmful: bool,
    /// Where the form posts to.
    pub action: &'a str,
    /// More fields of the form.
    pub fields: Markup,
    /// What the button says.
    pub button: &'a str,
    /// The page that the act was asked for at.
    pub back: &'a str,
}

/// The page.
pub fn confirmation_page(console: &Console<'_>, problems: &Problems, proof: Proof, act: &Confirmation<'_>) -> String {
    let class = if act.is_harmful { "danger" } else { "" };
    let content = html! {
        h1 { (act.title) }
        (field::problems(console, problems))
        section .panel .narrow {
            h2 { (console.t(ConsoleText::Consequences)) }
            ul .stack { @for consequence in &act.consequences { li { (consequence) } } }
            (proof::form(console, problems, proof, act.action, act.fields.clone(), (class, act.button)))
        }
        p { a href=(act.back) { (console.t(Text::Cancel)) } }
    };
    layout(console, act.section, act.title, problems, content)
}
