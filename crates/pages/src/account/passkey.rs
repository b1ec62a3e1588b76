//! `/account/security/passkeys/{id}`: renaming and removing a passkey.

use super::{Section, layout};
use crate::{
    Frame, Problems, Text,
    field::{self, Field},
};
use maud::html;

/// The page that renames a passkey. `typed` is the name that was sent, if one was.
pub fn rename_page(frame: &Frame<'_>, problems: &Problems, (id, name, typed): (&str, &str, &str)) -> String {
    let title = frame.fill(Text::RenameNamed, &[("name", name)]);
    let content = html! {
        h1 { (title) }
        (field::problems(frame, problems))
        section .panel {
            form method="post" action=(format!("/account/security/passkeys/{id}")) {
                (frame.csrf())
                (Field::text("name", Text::PasskeyName, "off", typed).render(frame, problems))
                div .actions { button .button { (frame.t(Text::Save)) } a href="/account/security" { (frame.t(Text::Cancel)) } }
            }
        }
    };
    layout(frame, Section::Security, &title, problems, content)
}

/// The page that removes a passkey.
pub fn remove_page(frame: &Frame<'_>, problems: &Problems, (id, name): (&str, &str)) -> String {
    let title = frame.fill(Text::RemoveNamed, &[("name", name)]);
    let content = html! {
        h1 { (title) }
        p .lead { (frame.t(Text::RemovePasskeyLead)) }
        (field::problems(frame, problems))
        section .panel {
            form method="post" action=(format!("/account/security/passkeys/{id}/remove")) {
                (frame.csrf())
                div .actions {
                    button .button .danger { (frame.t(Text::Remove)) }
                    a href="/account/security" { (frame.t(Text::Cancel)) }
                }
            }
        }
    };
    layout(frame, Section::Security, &title, problems, content)
}
