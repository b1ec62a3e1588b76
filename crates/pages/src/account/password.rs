//! `/account/security/password`: changing, setting and removing the password.

use super::{
    Section, layout,
    proof::{self, Proof},
};
use crate::{Frame, Problems, Text, field};
use domain::identity::PasswordRules;
use maud::html;

/// The page that changes the password, or sets the first one.
pub fn password_page(frame: &Frame<'_>, problems: &Problems, has_password: bool, (email, rules): (&str, &PasswordRules)) -> String {
    let (title, lead) =
        if has_password { (Text::ChangePassword, Text::ChangePasswordLead) } else { (Text::SetAPassword, Text::SetPasswordLead) };
    let title = frame.t(title);
    let content = html! {
        h1 { (title) }
        p .lead { (frame.t(lead)) }
        (field::problems(frame, problems))
        section .panel {
            form method="post" action="/account/security/password" {
                (frame.csrf())
                // Password managers store the password with this address.
                input type="hidden" name="username" autocomplete="username" value=(email);
                @if has_password { (field::password(frame, problems, "currentPassword", Text::CurrentPassword, None)) }
                (field::new_password(frame, problems, "newPassword", Text::NewPassword, rules))
                div .actions { button .button { (frame.t(Text::Save)) } a href="/account/security" { (frame.t(Text::Cancel)) } }
            }
        }
    };
    layout(frame, Section::Security, title, problems, content)
}

/// The page that removes the password.
pub fn remove_page(frame: &Frame<'_>, problems: &Problems) -> String {
    let content = html! {
        h1 { (frame.t(Text::RemovePassword)) }
        p .lead { (frame.t(Text::RemovePasswordLead)) }
        (field::problems(frame, problems))
        section .panel {
            (proof::form(
                frame, problems, Proof::Password, "/account/security/password/remove", html! {}, ("danger", frame.t(Text::RemovePassword)),
            ))
        }
        p { a href="/account/security" { (frame.t(Text::Cancel)) } }
    };
    layout(frame, Section::Security, frame.t(Text::RemovePassword), problems, content)
}
