//! The pages of errors.

use crate::{
    Frame, Problems, Text,
    fault_text::sentence,
    field::heading,
    misdirected::{self, for_developers},
};
use domain::{
    identity::oidc::misdirected::misdirected,
    shared::{Code, Fault, Kind},
};
use maud::html;

/// The page of a fault that no form can show. `request_id` is what support asks for.
pub fn error_page(frame: &Frame<'_>, fault: &Fault, request_id: &str) -> String {
    if let Some(refused) = misdirected(fault) {
        return misdirected::misdirected_page(frame, fault, &refused, request_id);
    }
    let is_of_application = fault.kind() == Kind::BadRequest && fault.code.is_of_oauth();
    let (title, lead) = match (fault.kind(), fault.code) {
        (_, Code::CsrfInvalid) => (Text::FormExpiredTitle, frame.t(Text::FormExpiredLead).to_owned()),
        (_, Code::InteractionNotFound | Code::InteractionOfOtherBrowser) => {
            (Text::WrongRequestTitle, sentence(frame.language, fault))
        }
        (Kind::NotFound, _) => (Text::NotFoundTitle, frame.t(Text::NotFoundLead).to_owned()),
        (Kind::Forbidden, _) => (Text::ForbiddenTitle, sentence(frame.language, fault)),
        (Kind::TooMany, _) => (Text::TooManyTitle, sentence(frame.language, fault)),
        (Kind::Unavailable, _) => (Text::BusyTitle, frame.t(Text::BusyLead).to_owned()),
        _ if is_of_application => (Text::AppRequestTitle, frame.t(Text::AppRequestLead).to_owned()),
        (Kind::Internal, _) => (Text::ServerFaultTitle, frame.t(Text::ServerFaultLead).to_owned()),
        _ => (Text::WrongRequestTitle, sentence(frame.language, fault)),
    };
    // The same request again has another answer only where something else than the request was the reason.
    let can_try_again = fault.code == Code::CsrfInvalid
        || matches!(fault.kind(), Kind::TooMany | Kind::Unavailable | Kind::Internal | Kind::Timeout | Kind::Conflict);
    let content = html! {
        (heading(frame.t(title), Some(&lead)))
        div .actions {
            @if can_try_again { a .button .quiet href=(frame.path.as_str()) { (frame.t(Text::TryAgain)) } }
            a href="/" { (frame.t(Text::ToStart)) }
        }
        @if is_of_application { (for_developers(frame, fault, None, request_id)) }
        @else { p .muted .small { (frame.fill(Text::RequestNumber, &[("id", request_id)])) } }
    };
    frame.single(frame.t(title), &Problems::default(), content)
}
