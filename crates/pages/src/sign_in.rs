//! `/login`: signing in with a password or a passkey.

use crate::{
    Frame, Problems, Text,
    field::{self, Field, heading, hidden, notice},
};
use domain::identity::ReturnTo;
use maud::html;

/// What has happened before a person comes to sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A mail address was verified.
    Verified,
    /// A link to verify an address was not valid.
    LinkExpired,
    /// A new password was set by a link.
    PasswordReset,
    /// An account was made that can be used at once.
    Registered,
    /// The address of the account was changed.
    AddressChanged,
    /// The account was deleted.
    Deleted,
    /// A page needs a person who is signed in.
    SignInFirst,
    /// The second factor came too late.
    SignInAgain,
    /// The sign-in is too long ago to administer.
    Administer,
}

/// A challenge for passkeys that the page brings along, so that autofill can offer them without a request.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The options of `navigator.credentials.get`, as JSON.
    pub options: String,
    /// What goes back with the answer.
    pub sealed: String,
}

/// The page to sign in with.
#[derive(Debug, Clone, Default)]
pub struct SignInView<'a> {
    /// What has happened before.
    pub notice: Option<Notice>,
    /// What is wrong with what was sent.
    pub problems: Problems,
    /// The address that was typed.
    pub email: &'a str,
    /// Whether the browser is to keep the session.
    pub remember: bool,
    /// Where the sign-in leads.
    pub return_to: Option<&'a ReturnTo>,
    /// Whether people can make accounts for themselves.
    pub can_register: bool,
    /// Whether a link to verify the address should be offered.
    pub offers_verification: bool,
    /// A challenge for autofill.
    pub offer: Option<&'a Offer>,
    /// The name of the application that the person signs in to, if it is not this server.
    pub client: Option<&'a str>,
    /// The address of its logo.
    pub logo: Option<&'a str>,
}

/// The page.
pub fn sign_in_page(frame: &Frame<'_>, view: &SignInView<'_>) -> String {
    let return_to = view.return_to.map(ReturnTo::as_str);
    let email = Field { autocomplete: "username webauthn", ..Field::email("email", view.email).first(&view.problems) };
    let content = html! {
        (field::logo(view.logo))
        @let lead = view.client.map(|client| frame.fill(Text::ContinueTo, &[("client", client)]));
        (heading(&frame.fill(Text::SignInTo, &[("site", &frame.site.name)]), lead.as_deref()))
        @if let Some(told) = view.notice { (told.render(frame)) }
        (field::problems(frame, &view.problems))
        @if view.offers_verification {
            form method="post" action="/verify-email" {
                (frame.csrf())
                (hidden("email", view.email))
                button .button .quiet { (frame.t(Text::SendNewLink)) }
            }
        }
        form #sign-in method="post" action="/login" {
            (frame.csrf())
            @if let Some(return_to) = return_to { (hidden("return_to", return_to)) }
            (email.render(frame, &view.problems))
            @if view.email.is_empty() { (field::password(frame, &view.problems, "password", Text::Password, None)) }
            @else { (field::first_password(frame, &view.problems, "password", Text::Password)) }
            (field::check("remember", frame.t(Text::StaySignedIn), view.remember, false))
            button .button { (frame.t(Text::SignIn)) }
            (field::leading(frame, "sign-in", "forgot-password", Text::ForgotPassword))
        }
        div .stack data-needs-passkeys hidden {
            p .or { (frame.t(Text::Or)) }
            form method="post" action="/login/passkey" data-passkey="login" data-start="/api/webauthn/login/start"
                data-options=[view.offer.map(|offer| &offer.options)] data-offer=[view.offer.map(|offer| &offer.sealed)]
                data-cancelled=(frame.t(Text::PasskeyCancelled)) {
                (frame.csrf())
                @if let Some(return_to) = return_to { (hidden("return_to", return_to)) }
                (hidden("credential", "")) (hidden("challenge", "")) (hidden("offer", "")) (hidden("remember", ""))
                button .button .quiet { (key_icon()) (frame.t(Text::SignInWithPasskey)) }
                p .message .bad role="alert" hidden {}
            }
        }
        @if let (Some(client), Some(return_to)) = (view.client, return_to) {
            form method="post" action=(return_to) {
                (frame.csrf())
                button .link-button name="action" value="deny" { (frame.fill(Text::CancelSignIn, &[("client", client)])) }
            }
        }
        @if view.can_register {
            p .foot { (frame.t(Text::NoAccountYet)) " " (field::leading(frame, "sign-in", "register", Text::CreateAccount)) }
        }
    };
    frame.single(frame.t(Text::SignIn), &view.problems, content)
}

impl Notice {
    fn render(self, frame: &Frame<'_>) -> maud::Markup {
        let (class, text) = match self {
            Self::Verified => ("good", Text::NoticeVerified),
            Self::PasswordReset => ("good", Text::NoticeReset),
            Self::Registered => ("good", Text::NoticeRegistered),
            Self::AddressChanged => ("good", Text::NoticeAddressChanged),
            Self::Deleted => ("good", Text::NoticeDeleted),
            Self::SignInFirst => ("", Text::NoticeSignInFirst),
            Self::SignInAgain => ("", Text::NoticeSignInAgain),
            Self::Administer => ("", Text::NoticeAdminister),
            Self::LinkExpired => {
                return html! {
                    div .message .bad role="status" {
                        p { (frame.t(Text::NoticeLinkExpired)) " " a href="/verify-email" { (frame.t(Text::AskForNewLink)) } }
                    }
                };
            }
        };
        notice(class, frame.t(text))
    }
}

/// A path that keeps where the sign-in leads.
pub fn with_return(path: &str, return_to: Option<&ReturnTo>) -> String {
    return_to.map_or_else(|| path.to_owned(), |page| format!("{path}?return_to={}", in_query(page.as_str())))
}

/// A path as the value of a parameter. It has no other characters that mean something in a query.
pub fn in_query(path: &str) -> String {
    path.replace('%', "%25").replace('&', "%26").replace('=', "%3D").replace('?', "%3F").replace('+', "%2B")
}

pub(crate) fn key_icon() -> maud::Markup {
    html! { svg viewBox="0 0 24 24" aria-hidden="true" { circle cx="8" cy="15" r="4" {} path d="m11 12 9-9m-4 4 3 3m-6 0 2 2" {} } }
}
