//! `/logout`: asks, and says that it is done.

use crate::{Frame, Problems, Text, field::heading};
use maud::html;

/// Asks a person who is signed in.
pub fn question_page(frame: &Frame<'_>) -> String {
    let content = html! {
        (heading(frame.t(Text::SignOutQuestion), Some(frame.t(Text::SignOutLead))))
        form method="post" action="/logout" {
            (frame.csrf())
            div .actions .even {
                button .button { (frame.t(Text::SignOut)) }
                a .button .quiet href="/account" { (frame.t(Text::StaySignedInButton)) }
            }
        }
    };
    frame.single(frame.t(Text::SignOut), &Problems::default(), content)
}

/// Tells a person who is not signed in, or not any more.
pub fn done_page(frame: &Frame<'_>) -> String {
    let content = html! {
        (heading(frame.t(Text::SignedOutTitle), Some(frame.t(Text::SignedOutLead))))
        a .button .quiet href="/login" { (frame.t(Text::SignInAgain)) }
    };
    frame.single(frame.t(Text::SignedOutTitle), &Problems::default(), content)
}
