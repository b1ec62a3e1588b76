//! `/logout`: asks, and says that it is done.

use crate::{
    Frame, Problems, Text,
    field::{heading, hidden},
};
use maud::html;

/// Asks a person who is signed in. `fields` say where the person wants to go afterwards.
pub fn question_page(frame: &Frame<'_>, fields: &[(&str, &str)]) -> String {
    let content = html! {
        (heading(frame.t(Text::SignOutQuestion), Some(frame.t(Text::SignOutLead))))
        form method="post" action="/logout" {
            (frame.csrf())
            @for (name, value) in fields { (hidden(name, value)) }
            div .actions .even {
                button .button { (frame.t(Text::SignOut)) }
                a .button .quiet href="/account" { (frame.t(Text::StaySignedInButton)) }
            }
        }
    };
    frame.single(frame.t(Text::SignOut), &Problems::default(), content)
}

/// Tells a person who is not signed in, or not any more. `back` are the name of the application that the
/// person came from, and its address.
pub fn done_page(frame: &Frame<'_>, back: Option<(&str, &str)>) -> String {
    let content = html! {
        (heading(frame.t(Text::SignedOutTitle), Some(frame.t(Text::SignedOutLead))))
        @if let Some((client, uri)) = back { a .button href=(uri) { (frame.fill(Text::BackTo, &[("client", client)])) } }
        a .button .quiet href="/login" { (frame.t(Text::SignInAgain)) }
    };
    frame.single(frame.t(Text::SignedOutTitle), &Problems::default(), content)
}
