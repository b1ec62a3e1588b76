//! `/device`: the code that a device shows, and what the device asks for (RFC 8628).

use crate::{
    Frame, Problems, Text,
    field::{self, heading, hidden, logo},
    interaction::scope_in_words,
};
use domain::shared::email::shown;
use maud::{Markup, html};

/// What a device asks a person for.
#[derive(Debug, Clone, Copy)]
pub struct DeviceView<'a> {
    /// The code that the device shows.
    pub code: &'a str,
    /// The name of the application.
    pub client: &'a str,
    /// The address of the application's logo.
    pub logo: Option<&'a str>,
    /// The address of the account.
    pub email: &'a str,
    pub scopes: &'a [String],
    /// The address of the application's privacy policy.
    pub policy_uri: Option<&'a str>,
    /// The address of its terms of service.
    pub tos_uri: Option<&'a str>,
}

/// What a person has decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceDecision {
    /// The device may have what it asked for.
    Allowed,
    Denied,
}

/// Asks for the code. `typed` is what stands in the field: a code that the person was sent has to be that of
/// a device at hand.
pub fn code_page(frame: &Frame<'_>, typed: &str, problems: &Problems) -> String {
    let is_filled = !typed.is_empty() && problems.is_empty();
    let lead = if is_filled { Text::DeviceFilledLead } else { Text::DeviceLead };
    let content = html! {
        (heading(frame.t(Text::DeviceTitle), Some(frame.t(lead))))
        (field::problems(frame, problems))
        form method="post" action="/device" {
            (frame.csrf())
            (field::device_code(frame, problems, "user_code", Text::DeviceCode, typed))
            button .button { (frame.t(Text::Continue)) }
        }
    };
    frame.single(frame.t(Text::DeviceTitle), problems, content)
}

/// Asks whether the device may have what it asks for. The code is shown, because a stranger may have sent the
/// link to this page: then no device at hand shows it (RFC 8628, section 5.4). To allow and to deny look
/// alike.
pub fn consent_page(frame: &Frame<'_>, view: &DeviceView<'_>) -> String {
    let DeviceView { client, email, .. } = *view;
    let title = frame.fill(Text::ConsentTitle, &[("client", client)]);
    let links = [(Text::PrivacyPolicy, view.policy_uri), (Text::TermsOfService, view.tos_uri)];
    let content = html! {
        (logo(view.logo))
        (heading(&title, Some(&frame.fill(Text::ConsentLead, &[("client", client), ("email", &shown(email))]))))
        @if !view.scopes.is_empty() { ul .granted { @for scope in view.scopes { li { (scope_in_words(frame, scope)) } } } }
        div .message {
            p { (frame.t(Text::DeviceCheck)) }
            p .device-code { (view.code) }
        }
        p .muted .small { (frame.t(Text::ConsentLater)) }
        @for (text, uri) in links {
            @if let Some(uri) = uri { p .small { a href=(uri) rel="noreferrer" { (frame.fill(text, &[("client", client)])) } } }
        }
        form method="post" action="/device" {
            (fields(frame, view))
            div .actions .even {
                button .button .quiet name="action" value="allow" { (frame.t(Text::Allow)) }
                button .button .quiet name="action" value="deny" { (frame.t(Text::Deny)) }
            }
        }
        form .foot method="post" action="/device" { (fields(frame, view)) (another_account(frame, "link-button")) }
    };
    frame.single(&title, &Problems::default(), content)
}

/// Says that the account has no role at the application.
pub fn role_page(frame: &Frame<'_>, view: &DeviceView<'_>) -> String {
    let title = frame.fill(Text::RoleMissingTitle, &[("client", view.client)]);
    let lead = frame.fill(Text::RoleMissingLead, &[("client", view.client), ("email", view.email)]);
    let content = html! {
        (heading(&title, Some(&lead)))
        form method="post" action="/device" {
            (fields(frame, view))
            button .button name="action" value="deny" { (frame.t(Text::Cancel)) }
            (another_account(frame, "button quiet"))
        }
    };
    frame.single(&title, &Problems::default(), content)
}

/// Says what was decided.
pub fn done_page(frame: &Frame<'_>, done: DeviceDecision) -> String {
    let (title, lead) = match done {
        DeviceDecision::Allowed => (Text::DeviceAllowedTitle, Text::DeviceAllowedLead),
        DeviceDecision::Denied => (Text::DeviceDeniedTitle, Text::DeviceDeniedLead),
    };
    let content = html! {
        (heading(frame.t(title), Some(frame.t(lead))))
        a .button .quiet href="/account/apps" { (frame.t(Text::ToApps)) }
    };
    frame.single(frame.t(title), &Problems::default(), content)
}

fn fields(frame: &Frame<'_>, view: &DeviceView<'_>) -> Markup {
    html! { (frame.csrf()) (hidden("user_code", view.code)) }
}

fn another_account(frame: &Frame<'_>, class: &str) -> Markup {
    html! { button class=(class) name="action" value="switch" { (frame.t(Text::AnotherAccount)) } }
}
