//! The pages of errors.

use crate::{Frame, Problems, Text, field::heading, problem::sentence};
use domain::shared::{Fault, Kind};
use maud::html;

/// The page of a fault that no form can show. `request_id` is what support asks for.
pub fn page(frame: &Frame<'_>, fault: &Fault, request_id: &str) -> String {
    let (title, lead) = match (fault.kind, fault.code) {
        (_, "csrfInvalid") => (Text::FormExpiredTitle, frame.t(Text::FormExpiredLead).to_owned()),
        (_, "interactionNotFound" | "interactionOfOtherBrowser") => (Text::WrongRequestTitle, sentence(frame.language, fault)),
        (Kind::NotFound, _) => (Text::NotFoundTitle, frame.t(Text::NotFoundLead).to_owned()),
        (Kind::Forbidden, _) => (Text::ForbiddenTitle, sentence(frame.language, fault)),
        (Kind::TooMany, _) => (Text::TooManyTitle, sentence(frame.language, fault)),
        (Kind::Unavailable, _) => (Text::BusyTitle, frame.t(Text::BusyLead).to_owned()),
        (Kind::Internal, _) => (Text::ServerFaultTitle, frame.t(Text::ServerFaultLead).to_owned()),
        _ => (Text::WrongRequestTitle, sentence(frame.language, fault)),
    };
    let can_try_again = !matches!(fault.kind, Kind::NotFound | Kind::MethodNotAllowed);
    let content = html! {
        (heading(frame.t(title), Some(&lead)))
        div .actions {
            @if can_try_again { a .button .quiet href=(frame.path.as_str()) { (frame.t(Text::TryAgain)) } }
            a href="/" { (frame.t(Text::ToStart)) }
        }
        p .muted .small { (frame.fill(Text::RequestNumber, &[("id", request_id)])) }
    };
    frame.single(frame.t(title), &Problems::default(), content)
}
