//! The page of an invitation to a space: `/join`.

use crate::{
    Frame, Problems, Text,
    field::{heading, notice},
    sign_in::with_return,
};
use domain::{
    identity::ReturnTo,
    shared::{Role, SpaceInvitation, email::shown},
};
use maud::{Markup, html};

/// The invitation, and who looks at it.
#[derive(Debug, Clone, Copy)]
pub struct JoinView<'a> {
    pub invitation: &'a SpaceInvitation,
    pub reader: JoinReader<'a>,
}

/// Who looks at an invitation. Whether its address has an account is told to none of them.
#[derive(Debug, Clone, Copy)]
pub enum JoinReader<'a> {
    /// The person with the address that is invited.
    Invited,
    /// A person who is signed in with this other address.
    OtherAccount(&'a str),
    /// A visitor who is not signed in.
    SignedOut {
        /// Whether new people may register.
        can_register: bool,
    },
}

/// The page.
pub fn join_page(frame: &Frame<'_>, view: JoinView<'_>) -> String {
    let JoinView { invitation, reader } = view;
    let space = ("space", invitation.space_name.as_str());
    let title = frame.fill(Text::JoinTitle, &[space]);
    let lead = match &invitation.inviter {
        Some(inviter) => frame.fill(Text::JoinLead, &[("inviter", inviter), space]),
        None => frame.fill(Text::JoinLeadUnnamed, &[space]),
    };
    let role = match invitation.role {
        Role::Admin => Text::RoleAdmin,
        Role::Editor => Text::RoleEditor,
        Role::Viewer => Text::RoleViewer,
    };
    let content = html! {
        (heading(&title, Some(&lead)))
        dl .facts {
            dt { (frame.t(Text::JoinAddress)) } dd { (shown(&invitation.email)) }
            dt { (frame.t(Text::JoinRole)) } dd { (frame.t(role)) }
        }
        (next_step(frame, reader))
    };
    frame.single(&title, &Problems::default(), content)
}

fn next_step(frame: &Frame<'_>, reader: JoinReader<'_>) -> Markup {
    let here: Option<ReturnTo> = "/join".parse().ok();
    let sign_in = with_return("/login", here.as_ref());
    html! {
        @match reader {
            JoinReader::Invited => form method="post" action="/join" {
                (frame.csrf())
                button .button { (frame.t(Text::JoinButton)) }
            },
            JoinReader::OtherAccount(email) => {
                (notice("bad", &frame.fill(Text::JoinOtherAccount, &[("email", &shown(email))])))
                a .button href=(format!("{sign_in}&prompt=login")) { (frame.t(Text::JoinChangeAccount)) }
            }
            JoinReader::SignedOut { can_register } => {
                p { (frame.t(if can_register { Text::JoinSignInFirst } else { Text::JoinSignInOnly })) }
                a .button href=(sign_in) { (frame.t(Text::SignIn)) }
                @if can_register {
                    a .button .quiet href=(with_return("/register", here.as_ref())) { (frame.t(Text::CreateAccount)) }
                }
            }
        }
    }
}
