//! `/interaction/{uid}`: what a person is asked before an application that they came from learns who they
//! are.

use crate::{
    Frame, Problems, Text,
    field::{self, heading, logo},
};
use domain::shared::email::shown;
use maud::{Markup, html};

/// An interaction of a person who is signed in.
#[derive(Debug, Clone, Copy)]
pub struct InteractionView<'a> {
    pub uid: &'a str,
    /// The name of the application.
    pub client: &'a str,
    /// The address of the account.
    pub email: &'a str,
}

/// What an application asks for.
#[derive(Debug, Clone, Copy)]
pub struct ConsentView<'a> {
    pub interaction: InteractionView<'a>,
    /// The address of the application's logo.
    pub logo: Option<&'a str>,
    pub scopes: &'a [String],
    /// Whether it is an app on a device, before which people are asked each time.
    pub is_app: bool,
    /// Whether this browser can remember the answer, for requests that may show no page.
    pub can_remember: bool,
    /// The host that the person is sent to afterwards; nothing where that is an app on this device.
    pub leads_to: Option<&'a str>,
    /// The address of the application's privacy policy.
    pub policy_uri: Option<&'a str>,
    /// The address of its terms of service.
    pub tos_uri: Option<&'a str>,
}

/// Asks for consent. To allow and to deny look alike.
pub fn consent_page(frame: &Frame<'_>, view: &ConsentView<'_>) -> String {
    let InteractionView { uid, client, email } = view.interaction;
    let title = frame.fill(Text::ConsentTitle, &[("client", client)]);
    let links = [(Text::PrivacyPolicy, view.policy_uri), (Text::TermsOfService, view.tos_uri)];
    let content = html! {
        (logo(view.logo))
        (heading(&title, Some(&frame.fill(Text::ConsentLead, &[("client", client), ("email", &shown(email))]))))
        ul .granted { @for scope in view.scopes { li { (scope_in_words(frame, scope)) } } }
        @if view.is_app { p .message { (frame.fill(Text::ConsentEachTime, &[("client", client)])) } }
        p {
            @match view.leads_to {
                Some(host) => { (frame.fill(Text::ConsentLeadsTo, &[("host", host)])) }
                None => { (frame.t(Text::ConsentLeadsToApp)) }
            }
        }
        p .muted .small { (frame.t(Text::ConsentLater)) }
        @for (text, uri) in links {
            @if let Some(uri) = uri { p .small { a href=(uri) rel="noreferrer" { (frame.fill(text, &[("client", client)])) } } }
        }
        form method="post" action=(path(uid)) {
            (frame.csrf())
            @if view.can_remember { (field::check("remember", frame.t(Text::ConsentRemember), false, false)) }
            div .actions .even {
                button .button .quiet name="action" value="allow" { (frame.t(Text::Allow)) }
                button .button .quiet name="action" value="deny" { (frame.t(Text::Deny)) }
            }
        }
        form .foot method="post" action=(path(uid)) { (frame.csrf()) (another_account(frame)) }
    };
    frame.single(&title, &Problems::default(), content)
}

/// A scope as people understand it.
pub(crate) fn scope_in_words(frame: &Frame<'_>, scope: &str) -> String {
    let known = match scope {
        "openid" => Text::ScopeOpenid,
        "profile" => Text::ScopeProfile,
        "email" => Text::ScopeEmail,
        "roles" => Text::ScopeRoles,
        "offline_access" => Text::ScopeOffline,
        other => return frame.fill(Text::ScopeOther, &[("scope", other)]),
    };
    frame.t(known).to_owned()
}

/// Asks whether to go on with the account that is signed in.
pub fn account_page(frame: &Frame<'_>, view: &InteractionView<'_>) -> String {
    let lead = frame.fill(Text::ChooseAccountLead, &[("client", view.client)]);
    let content = html! {
        (heading(frame.t(Text::ChooseAccount), Some(&lead)))
        form method="post" action=(path(view.uid)) {
            (frame.csrf())
            button .button name="action" value="continue" { (frame.fill(Text::ContinueAs, &[("email", &shown(view.email))])) }
            button .button .quiet name="action" value="switch" { (frame.t(Text::AnotherAccount)) }
            (deny(frame, view.client, Text::CancelSignIn))
        }
    };
    frame.single(frame.t(Text::ChooseAccount), &Problems::default(), content)
}

/// Says that the account has no role at the application.
pub fn role_page(frame: &Frame<'_>, view: &InteractionView<'_>) -> String {
    let title = frame.fill(Text::RoleMissingTitle, &[("client", view.client)]);
    let lead = frame.fill(Text::RoleMissingLead, &[("client", view.client), ("email", &shown(view.email))]);
    let content = html! {
        (heading(&title, Some(&lead)))
        form method="post" action=(path(view.uid)) {
            (frame.csrf())
            button .button name="action" value="deny" { (frame.fill(Text::BackTo, &[("client", view.client)])) }
            button .button .quiet name="action" value="switch" { (frame.t(Text::AnotherAccount)) }
        }
    };
    frame.single(&title, &Problems::default(), content)
}

fn another_account(frame: &Frame<'_>) -> Markup {
    html! { button .link-button name="action" value="switch" { (frame.t(Text::AnotherAccount)) } }
}

fn deny(frame: &Frame<'_>, client: &str, text: Text) -> Markup {
    html! { button .link-button name="action" value="deny" { (frame.fill(text, &[("client", client)])) } }
}

fn path(uid: &str) -> String {
    format!("/interaction/{uid}")
}
