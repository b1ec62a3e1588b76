//! The pages that mailed links lead to, and those that ask for a link.

use crate::{
    Frame, Problems, Text,
    field::{self, Field, heading, notice},
};
use domain::identity::{PasswordRules, email::shown};
use maud::{Markup, html};

/// A page that asks for a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// `/verify-email`: a link that verifies an address.
    Verification,
    /// `/forgot-password`: a link that sets a new password.
    PasswordReset,
}

/// The page that asks for a link.
#[derive(Debug, Clone)]
pub struct RequestView<'a> {
    pub request: Request,
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The address that was typed.
    pub email: &'a str,
    /// Whether a link is on its way.
    pub is_sent: bool,
    /// Whether the server sends mail at all.
    pub is_mail_on: bool,
}

/// The page that asks for a link.
pub fn request_page(frame: &Frame<'_>, view: &RequestView<'_>) -> String {
    let (path, title, lead, sent) = match view.request {
        Request::Verification => ("/verify-email", Text::VerifyTitle, Text::VerifyLead, Text::VerificationSent),
        Request::PasswordReset => ("/forgot-password", Text::ForgotTitle, Text::ForgotLead, Text::ForgotSent),
    };
    let title = if view.is_sent { Text::CheckMail } else { title };
    let form = html! {
        form method="post" action=(path) {
            (frame.csrf())
            (Field::email("email", view.email).first(&view.problems).render(frame, &view.problems))
            button .button .quiet[view.is_sent] { (frame.t(Text::SendLink)) }
        }
    };
    let content = html! {
        @if !view.is_mail_on {
            (heading(frame.t(title), None))
            (notice("", frame.t(Text::MailIsOff)))
        } @else if view.is_sent {
            (heading(frame.t(title), None))
            (notice("good", frame.t(sent)))
            p .muted { (frame.t(Text::NoMailArrived)) }
            (form)
        } @else {
            (heading(frame.t(title), Some(frame.t(lead))))
            (field::problems(frame, &view.problems))
            (form)
        }
        (back(frame))
    };
    frame.single(frame.t(title), &view.problems, content)
}

/// The page that sets a new password by a link.
pub fn reset_page(frame: &Frame<'_>, problems: &Problems, rules: &PasswordRules) -> String {
    let content = html! {
        (heading(frame.t(Text::ResetTitle), Some(frame.t(Text::ResetLead))))
        (field::problems(frame, problems))
        form method="post" action="/reset-password" {
            (frame.csrf())
            (field::new_password(frame, problems, "newPassword", Text::NewPassword, rules))
            button .button { (frame.t(Text::SetPassword)) }
        }
        (back(frame))
    };
    frame.single(frame.t(Text::ResetTitle), problems, content)
}

/// An invitation.
#[derive(Debug, Clone)]
pub struct InviteView<'a> {
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The name of the person who is invited.
    pub name: &'a str,
    /// The address of the account.
    pub email: &'a str,
    /// The rules for the password.
    pub rules: &'a PasswordRules,
}

/// The page that accepts an invitation.
pub fn invite_page(frame: &Frame<'_>, view: &InviteView<'_>) -> String {
    let title = frame.fill(Text::InviteTitle, &[("name", view.name)]);
    let content = html! {
        (heading(&title, Some(&frame.fill(Text::InviteLead, &[("email", &shown(view.email))]))))
        (field::problems(frame, &view.problems))
        form method="post" action="/accept-invite" {
            (frame.csrf())
            // Password managers store the password with this address.
            input type="hidden" name="username" autocomplete="username" value=(view.email);
            (field::new_password(frame, &view.problems, "newPassword", Text::Password, view.rules))
            button .button { (frame.t(Text::AcceptInvite)) }
        }
    };
    frame.single(&title, &view.problems, content)
}

/// What a link confirms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirming {
    /// The address of an account. A stranger may have registered with it.
    Registered,
    /// Another address for an account. A stranger may read the mail to it.
    New,
}

/// A link that confirms an address.
#[derive(Debug, Clone)]
pub struct ConfirmView<'a> {
    pub confirming: Confirming,
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The address, which the link was mailed to.
    pub email: &'a str,
    /// Whether the password has to be typed.
    pub asks_password: bool,
}

/// The page that confirms an address.
pub fn confirm_page(frame: &Frame<'_>, view: &ConfirmView<'_>) -> String {
    let email = shown(view.email);
    let (path, title, [click, password], not_you) = match view.confirming {
        Confirming::Registered => {
            let leads = [Text::VerifyClickLead, Text::VerifyPasswordLead];
            ("/verify-email/confirm", Text::VerifyTitle, leads, Text::VerifyNotYou)
        }
        Confirming::New => {
            let leads = [Text::ConfirmEmailLead, Text::ConfirmEmailPasswordLead];
            ("/confirm-email", Text::ConfirmEmailTitle, leads, Text::ConfirmEmailNotYou)
        }
    };
    let lead = if view.asks_password { password } else { click };
    let forgot = html! { a href="/forgot-password" { (frame.t(Text::ForgotPassword)) } };
    let content = html! {
        (heading(frame.t(title), Some(&frame.fill(lead, &[("email", &email)]))))
        (field::problems(frame, &view.problems))
        form method="post" action=(path) {
            (frame.csrf())
            @if view.asks_password {
                // Password managers know the password by the address, or will from now on.
                input type="hidden" name="username" autocomplete="username" value=(view.email);
                (field::password(frame, &view.problems, "password", Text::Password, Some(forgot)))
            }
            button .button { (frame.t(Text::ConfirmAddress)) }
        }
        p .muted { (frame.t(not_you)) }
    };
    frame.single(frame.t(title), &view.problems, content)
}

/// A link that is not valid any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expired {
    /// One that sets a new password; another one can be asked for.
    PasswordReset,
    Invite,
    /// One to a space.
    SpaceInvite,
    /// One that confirms a new address; the account page sends another one.
    Address,
    /// One that verifies the address of an account; another one can be asked for.
    Verification,
}

/// The page of such a link.
pub fn expired_page(frame: &Frame<'_>, link: Expired) -> String {
    let lead = match link {
        Expired::Invite => Text::InviteExpiredLead,
        Expired::SpaceInvite => Text::SpaceInviteExpiredLead,
        Expired::PasswordReset | Expired::Address | Expired::Verification => Text::LinkExpiredLead,
    };
    let content = html! {
        (heading(frame.t(Text::LinkExpiredTitle), Some(frame.t(lead))))
        @match link {
            Expired::PasswordReset => { a .button href="/forgot-password" { (frame.t(Text::AskForNewLink)) } }
            Expired::Verification => { a .button href="/verify-email" { (frame.t(Text::AskForNewLink)) } }
            Expired::Address => { a .button href="/account/email" { (frame.t(Text::AskForNewLink)) } }
            Expired::Invite | Expired::SpaceInvite => {}
        }
        (back(frame))
    };
    frame.single(frame.t(Text::LinkExpiredTitle), &Problems::default(), content)
}

fn back(frame: &Frame<'_>) -> Markup {
    html! { p .foot { a href="/login" { (frame.t(Text::BackToSignIn)) } } }
}
