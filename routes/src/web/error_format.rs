//! The shapes that errors have, and the status of each.

use domain::shared::Kind;
use http::StatusCode;

/// The shape of an API's errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorFormat {
    /// `{"error": code, "message", "details"?, "requestId"}`; 422 adds Storyblok's map of messages by field,
    /// as `fields`.
    Management,
    /// The same without `fields`; an invalid value is 400.
    Identity,
    /// `{"error": sentence}`, as Storyblok's CDN answers.
    Delivery,
    /// `{"error": code, "error_description"}` (RFC 6749, section 5.2); an invalid value is 400.
    OAuth,
    /// A page for people: `routes/src/web/error_page.rs`.
    Page,
}

/// The status of a kind of fault.
pub(crate) fn status(kind: Kind, format: ErrorFormat) -> StatusCode {
    match kind {
        Kind::Invalid if matches!(format, ErrorFormat::Identity | ErrorFormat::OAuth | ErrorFormat::Page) => {
            StatusCode::BAD_REQUEST
        }
        Kind::BadRequest => StatusCode::BAD_REQUEST,
        Kind::Unauthorized => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Kind::Timeout => StatusCode::REQUEST_TIMEOUT,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        Kind::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
