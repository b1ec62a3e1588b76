//! `/admin/keys…`: the signing keys, and what an administrator does with them.

use super::{
    Console, ConsoleText, Section,
    confirmation::{self, Confirmation},
    done, layout,
    list::Table,
    operations_text::OperationsText,
};
use crate::{Problems, account::proof::Proof, account::time};
use domain::identity::oidc::Stage;
use jiff::Timestamp;
use maud::{Markup, html};

/// The keys.
#[derive(Debug, Clone)]
pub struct KeysView {
    /// What was done just before.
    pub done: Option<String>,
    /// The keys, the newest first.
    pub keys: Vec<KeyRow>,
    /// From when on the next keys can take over, unless they can now.
    pub rotatable_from: Option<Timestamp>,
}

/// A key.
#[derive(Debug, Clone)]
pub struct KeyRow {
    pub kid: String,
    /// What it signs with.
    pub algorithm: &'static str,
    /// Where it is in its life.
    pub stage: Stage,
    /// Whether it is published.
    pub is_published: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it began to sign.
    pub activated_at: Option<Timestamp>,
    /// When another key took over.
    pub retired_at: Option<Timestamp>,
}

/// The page.
pub fn keys_page(console: &Console<'_>, view: &KeysView) -> String {
    let t = |text: OperationsText| console.t(text);
    let table = Table {
        caption: t(OperationsText::KeysCaption),
        columns: &[
            t(OperationsText::KeyId),
            t(OperationsText::Algorithm),
            t(OperationsText::KeyState),
            t(OperationsText::Made),
            t(OperationsText::SignsSince),
            t(OperationsText::RetiredAt),
        ],
        rows: view.keys.iter().map(|key| row(console, key)).collect(),
        empty: t(OperationsText::KeysCaption),
    };
    let content = html! {
        h1 { (console.t(ConsoleText::Keys)) }
        (done(view.done.as_deref()))
        p .muted { (t(OperationsText::KeysLead)) }
        (table.render())
        (act(console, "/admin/keys/rotate", OperationsText::RotateKeys, html! {
            @match view.rotatable_from {
                None => { (t(OperationsText::RotateLead)) }
                Some(at) => { (t(OperationsText::RotateLater)) " " (time(console.language, at)) }
            }
        }))
        (act(console, "/admin/keys/replace", OperationsText::ReplaceKeys, html! { (t(OperationsText::ReplaceLead)) }))
    };
    layout(console, Section::Keys, console.t(ConsoleText::Keys), &Problems::default(), content)
}

fn act(console: &Console<'_>, path: &str, title: OperationsText, lead: Markup) -> Markup {
    html! {
        section .panel {
            div .panel-head {
                div .row-text { h2 { (console.t(title)) } p .muted { (lead) } }
                a .button .quiet .small href=(path) { (console.t(title)) }
            }
        }
    }
}

fn row(console: &Console<'_>, key: &KeyRow) -> Vec<Markup> {
    let state = match key.stage {
        Stage::Next { .. } => OperationsText::KeyNext,
        Stage::Active { .. } => OperationsText::KeyActive,
        Stage::Retired { .. } => OperationsText::KeyRetired,
    };
    let at = |at: Option<Timestamp>| html! { @match at { Some(at) => { (time(console.language, at)) } None => { "–" } } };
    vec![
        html! { code { (key.kid) } },
        html! { (key.algorithm) },
        html! {
            span .badges {
                span .badge .good[matches!(key.stage, Stage::Active { .. })] { (console.t(state)) }
                @if !key.is_published { span .badge { (console.t(OperationsText::KeyUnpublished)) } }
            }
        },
        html! { (time(console.language, key.created_at)) },
        at(key.activated_at),
        at(key.retired_at),
    ]
}

/// The page that asks before the keys are rotated, or replaced because they are compromised.
pub fn confirm(console: &Console<'_>, problems: &Problems, proof: Proof, is_compromised: bool) -> String {
    let (title, action, consequences) = if is_compromised {
        let all = [
            OperationsText::ReplaceAll,
            OperationsText::ReplaceTokens,
            OperationsText::ReplaceClients,
            OperationsText::ReplaceSessions,
        ];
        (OperationsText::ReplaceKeys, "/admin/keys/replace", all.to_vec())
    } else {
        let all = [OperationsText::RotateNext, OperationsText::RotateOld, OperationsText::RotateFollowing];
        (OperationsText::RotateKeys, "/admin/keys/rotate", all.to_vec())
    };
    let title = console.t(title);
    let confirmation = Confirmation {
        section: Section::Keys,
        title,
        consequences: consequences.into_iter().map(|text| console.t(text).to_owned()).collect(),
        is_harmful: is_compromised,
        action,
        fields: html! {},
        button: title,
        back: "/admin/keys",
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}
