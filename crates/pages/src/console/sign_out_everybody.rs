//! `/admin/sign-out-everybody`: ends the sessions of everybody.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    number,
};
use crate::{Problems, account::proof::Proof};
use maud::html;

/// What it meets.
#[derive(Debug, Clone, Copy)]
pub struct Affected<'a> {
    /// The sessions that are active.
    pub sessions: i64,
    pub people: i64,
    /// The scope that was chosen.
    pub scope: &'a str,
}

/// The page that asks.
pub fn sign_out_everybody_page(console: &Console<'_>, problems: &Problems, proof: Proof, affected: &Affected<'_>) -> String {
    let title = console.t(ConsoleText::SignOutEverybody);
    let scopes = [
        ("all", ConsoleText::ScopeAll),
        ("non_admins", ConsoleText::ScopeNonAdmins),
        ("all_and_self", ConsoleText::ScopeAllAndSelf),
    ];
    let chosen = if affected.scope.is_empty() { "all" } else { affected.scope };
    let fields = html! {
        fieldset .stack #scope tabindex="-1" {
            legend .label { (console.t(ConsoleText::Scope)) }
            @for (value, label) in scopes {
                label .check { input type="radio" name="scope" value=(value) checked[value == chosen] required; span { (console.t(label)) } }
            }
        }
    };
    let counts = [("sessions", number(console.language, affected.sessions)), ("people", number(console.language, affected.people))];
    let counts = counts.each_ref().map(|(name, value)| (*name, value.as_str()));
    let confirmation = Confirmation {
        section: Section::Overview,
        title,
        consequences: vec![
            console.fill(ConsoleText::EverybodySessions, &counts),
            console.t(ConsoleText::EverybodyApps).to_owned(),
            console.t(ConsoleText::EverybodySelf).to_owned(),
        ],
        is_harmful: true,
        action: "/admin/sign-out-everybody",
        fields,
        button: title,
        back: "/admin",
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}
