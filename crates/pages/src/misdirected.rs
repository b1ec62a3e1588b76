//! The page of a request that cannot be answered to its application: what is wrong and with which
//! application, for the person; and what to mend, for the people who run the application or this server.

use crate::{Frame, Problems, Text, field::heading};
use domain::{identity::oidc::misdirected::Misdirected, shared::Fault};
use maud::{Markup, html};

/// The parameter of the address that a person goes to after signing out.
const AFTER_LOGOUT: &str = "post_logout_redirect_uri";

/// The page. Nothing on it can help but to go elsewhere, so it offers no second attempt.
pub(crate) fn misdirected_page(frame: &Frame<'_>, fault: &Fault, refused: &Misdirected<'_>, request_id: &str) -> String {
    let name = refused.client.map_or(refused.sent, |client| client.name);
    let (title, lead, remedy) = match (refused.client, refused.parameter) {
        (None, _) => (Text::UnknownAppTitle, Text::UnknownAppLead, Text::UnknownAppRemedy),
        (Some(_), AFTER_LOGOUT) => (Text::WrongAppTitle, Text::LogoutAddressLead, Text::LogoutAddressRemedy),
        (Some(_), _) => (Text::WrongAppTitle, Text::ReturnAddressLead, Text::ReturnAddressRemedy),
    };
    let values = [("app", name), ("site", &*frame.site.name), ("client", refused.client.map_or(refused.sent, |client| client.id))];
    let [title, lead, remedy] = [title, lead, remedy].map(|text| frame.fill(text, &values));
    let content = html! {
        (heading(&title, Some(&lead)))
        div .actions {
            @if refused.parameter == AFTER_LOGOUT { a .button .quiet href="/logout" { (frame.t(Text::SignOutHere)) } }
            a href="/" { (frame.t(Text::ToStart)) }
        }
        (for_developers(frame, fault, Some((refused, remedy.as_str())), request_id))
    };
    frame.single(&title, &Problems::default(), content)
}

/// What developers need: the code and what it means, the parameter and what was sent as text, and what an
/// administrator has to add.
pub(crate) fn for_developers(
    frame: &Frame<'_>,
    fault: &Fault,
    refused: Option<(&Misdirected<'_>, &str)>,
    request_id: &str,
) -> Markup {
    let fact = |label: Text, value: Markup| html! { dt { (frame.t(label)) } dd { (value) } };
    html! {
        section .developers {
            h2 { (frame.t(Text::ForDevelopers)) }
            @if let Some((_, remedy)) = refused { p { (remedy) } }
            dl {
                (fact(Text::ErrorCode, html! { code { (fault.code) } }))
                @match refused {
                    Some((refused, _)) => {
                        @if let Some(client) = refused.client { (fact(Text::ClientOfRequest, html! { code { (client.id) } })) }
                        (fact(Text::Parameter, html! { code { (refused.parameter) } }))
                        (fact(Text::SentValue, html! { code .sent { (refused.sent) } }))
                    }
                    None => { (fact(Text::ErrorMeaning, html! { span lang="en" { (fault.message) } })) }
                }
                (fact(Text::RequestId, html! { code { (request_id) } }))
            }
        }
    }
}
