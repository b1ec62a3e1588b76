//! `/account/data` and `/account/delete`: what is stored about a person, and its deletion.

use super::{
    Section, layout,
    proof::{self, Proof},
};
use crate::{Frame, Problems, Text, field};
use maud::html;

/// The page of the export, with the way to the deletion.
pub fn data_page(frame: &Frame<'_>, problems: &Problems) -> String {
    let content = html! {
        h1 { (frame.t(Text::Data)) }
        (field::problems(frame, problems))
        section .panel {
            h2 { (frame.t(Text::ExportTitle)) }
            p .muted { (frame.t(Text::ExportLead)) }
            form method="post" action="/account/data" {
                (frame.csrf())
                div .actions { button .button .quiet { (frame.t(Text::Download)) } }
            }
        }
        section .panel {
            h2 { (frame.t(Text::DeleteTitle)) }
            p .muted { (frame.t(Text::DeleteLead)) }
            div .actions { a .button .quiet href="/account/delete" { (frame.t(Text::DeleteTitle)) } }
        }
    };
    layout(frame, Section::Data, frame.t(Text::Data), problems, content)
}

/// The page that deletes the account. `spaces` is how many it owns, which stay without an owner.
pub fn delete_page(frame: &Frame<'_>, problems: &Problems, proof: Proof, (spaces, tokens): (i64, i64)) -> String {
    let consequence = match spaces {
        0 => frame.t(Text::DeleteSpacesNone).to_owned(),
        1 => frame.t(Text::DeleteSpacesOne).to_owned(),
        count => frame.fill(Text::DeleteSpaces, &[("count", &count.to_string())]),
    };
    let content = html! {
        h1 { (frame.t(Text::DeleteTitle)) }
        (field::problems(frame, problems))
        section .panel {
            ul .stack {
                li { (frame.t(Text::DeleteLead)) }
                li { (consequence) }
                @if tokens > 0 { li { (frame.fill(Text::DeleteTokens, &[("count", &tokens.to_string())])) } }
            }
            (proof::form(frame, problems, proof, "/account/delete", html! {}, ("danger", frame.t(Text::DeleteForGood))))
        }
        p { a href="/account/data" { (frame.t(Text::Cancel)) } }
    };
    layout(frame, Section::Data, frame.t(Text::DeleteTitle), problems, content)
}
