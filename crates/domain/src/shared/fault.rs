//! How a request can fail: one closed set for the whole codebase, turned into a status and a body in one
//! place, in `routes::web`.

mod code;
mod field_code;

pub use code::{Code, Reader};
pub use field_code::FieldCode;

use serde::Serialize;
use std::{borrow::Cow, fmt, time::Duration};
use strum::IntoStaticStr;

/// The class of a failure; it decides the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// 400: the request cannot be read, or a rule of the identity service refuses its values.
    BadRequest,
    /// 401: no credential, or one that proves nothing.
    Unauthorized,
    /// 403: the caller is known and may not.
    Forbidden,
    /// 404.
    NotFound,
    /// 405.
    MethodNotAllowed,
    /// 408: the caller took too long to send its request.
    Timeout,
    /// 409: the request is right, and the state does not allow it.
    Conflict,
    /// 412: the request is for a state that is no more.
    PreconditionFailed,
    /// 413.
    TooLarge,
    /// 431: the request line and the headers.
    HeadTooLarge,
    /// 415.
    UnsupportedMedia,
    /// 422: a rule of the content service refuses the values.
    Invalid,
    /// 429: the caller's own limit.
    TooMany,
    /// 500: a defect of the server.
    Internal,
    /// 503: a limit of the server, or a part that it needs is unavailable.
    Unavailable,
}

/// A scheme of authentication, as `WWW-Authenticate` names it (RFC 9110, section 11.6.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Challenge {
    /// A token in `Authorization: Bearer` (RFC 6750).
    Bearer,
    /// A client's id and secret in `Authorization: Basic` (RFC 7617; RFC 6749, section 2.3.1).
    Basic,
}

impl Challenge {
    /// The name of the scheme.
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Bearer => "Bearer",
            Self::Basic => "Basic",
        }
    }

    /// The value of the header, where a fault says nothing more.
    pub fn header(self) -> &'static str {
        match self {
            Self::Bearer => "Bearer",
            Self::Basic => "Basic realm=\"clients\"",
        }
    }
}

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// Path of the field in the request, as the caller wrote it (`slug`, `content.body`).
    pub field: String,
    pub code: FieldCode,
    /// What is wrong, in the words of Storyblok where it has some (`has already been taken`).
    pub message: String,
    /// The number or the choices in that sentence, for its translations.
    pub bound: Option<String>,
    /// The block that has the field, where it is one of a story's content.
    pub block: Option<BlockDetail>,
}

/// What else is known of a field that belongs to a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockDetail {
    /// The `_uid` of the block.
    pub uid: Option<String>,
    pub severity: Severity,
}

/// How serious a problem is. Its name is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Severity {
    /// It has to be corrected.
    Error,
    /// It may be right.
    Warning,
}

impl Detail {
    /// What is wrong with a field.
    pub fn new(field: impl Into<String>, code: FieldCode, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, message: message.into(), bound: None, block: None }
    }

    /// A field that has to be there and is not.
    pub fn required(field: impl Into<String>) -> Self {
        Self::new(field, FieldCode::Blank, "is required")
    }

    /// The field and what is wrong with it, in one sentence.
    pub fn named(&self) -> String {
        format!("{} {}", self.field, self.message)
    }

    /// Adds the number or the choices in its sentence.
    #[must_use]
    pub fn bounded(self, bound: impl fmt::Display) -> Self {
        Self { bound: Some(bound.to_string()), ..self }
    }
}

/// An expected failure.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}{}{message}", if .message.is_empty() { "" } else { ": " })]
pub struct Fault {
    /// Machine-readable code, which has the class.
    pub code: Code,
    /// A sentence: what is wrong, and what to do next. Empty where the code says it all: `pages` has the
    /// sentences of those that people read.
    pub message: Cow<'static, str>,
    /// The fields at fault, if it is about fields.
    pub details: Vec<Detail>,
    /// When the caller may try again.
    pub retry_after: Option<Duration>,
    /// The scheme by which the caller should authenticate.
    pub challenge: Option<Challenge>,
    /// The realm of that challenge (RFC 9110, section 11.5): who asks for the credentials.
    pub realm: Option<Box<str>>,
    /// For the log only; never sent.
    pub cause: Option<Box<str>>,
}

impl Fault {
    /// A failure with a code and a sentence.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), details: Vec::new(), retry_after: None, challenge: None, realm: None, cause: None }
    }

    /// A failure whose code says it all.
    pub fn of(code: Code) -> Self {
        Self::new(code, "")
    }

    /// The class of its code.
    pub fn kind(&self) -> Kind {
        self.code.kind()
    }

    /// A failure about fields, with a sentence that names them all.
    pub fn fields(code: Code, details: Vec<Detail>) -> Self {
        Self { details, ..Self::of(code) }.named()
    }

    /// 400 `validation`: a field that has to be there is not. The sentence says what to send.
    pub fn required(field: impl Into<String>, sentence: &'static str) -> Self {
        Self::new(Code::Validation, sentence).about(vec![Detail::required(field)])
    }

    /// 401, the same for every reason.
    pub fn unauthorized() -> Self {
        Self::new(Code::Unauthorized, "Unauthorized")
    }

    /// Whether the caller is signed in no more: [`Fault::unauthorized`].
    pub fn is_unauthorized(&self) -> bool {
        self.code == Code::Unauthorized
    }

    /// Whether what was being sent broke off. It may come whole another time.
    pub fn is_broken_body(&self) -> bool {
        self.code == Code::BodyBroken
    }

    /// Names the scheme by which the caller should authenticate.
    #[must_use]
    pub fn challenged(self, scheme: Challenge) -> Self {
        Self { challenge: Some(scheme), ..self }
    }

    /// Names the realm of the challenge.
    #[must_use]
    pub fn in_realm(self, realm: impl Into<String>) -> Self {
        Self { realm: Some(realm.into().into_boxed_str()), ..self }
    }

    /// A 403 with this message.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Forbidden, message)
    }

    /// 404 in the words of Storyblok.
    pub fn not_found() -> Self {
        Self::new(Code::NotFound, "This record could not be found")
    }

    /// 422 about one field.
    pub fn invalid(field: impl Into<String>, code: FieldCode, message: impl Into<String>) -> Self {
        Self::invalid_fields(vec![Detail::new(field, code, message)])
    }

    /// 422 about several fields.
    pub fn invalid_fields(details: Vec<Detail>) -> Self {
        Self::fields(Code::InvalidRecord, details)
    }

    /// Sets a message that says what is wrong with each field.
    fn named(self) -> Self {
        let message = self.details.iter().map(Detail::named).collect::<Vec<_>>().join("; ");
        Self { message: message.into(), ..self }
    }

    /// 422: the response would have more bytes than one may have.
    pub fn response_too_large(max: usize) -> Self {
        let message = format!(
            "The response would have more than {} MB. Ask for less: a smaller per_page, fewer relations or links to resolve",
            max >> 20
        );
        Self::new(Code::ResponseTooLarge, message)
    }

    /// 429 until the given time has passed.
    pub fn too_many(after: Duration) -> Self {
        Self::new(Code::RateLimited, "Too many requests; try again later").retry(after)
    }

    /// 503: full or unavailable, worth another try.
    pub fn unavailable(cause: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, "The service is busy; try again in a moment").retry(Duration::from_secs(1)).because(cause)
    }

    /// 503: there is no room for what was to be written.
    pub fn disk_full(cause: impl Into<String>) -> Self {
        let message = "The disk of the server is full: nothing can be saved until its operators make room";
        Self::new(Code::DiskFull, message).retry(Duration::from_secs(30)).because(cause)
    }

    /// 500: the cause goes to the log, the caller gets a request id.
    pub fn internal(cause: impl Into<String>) -> Self {
        Self::new(Code::Internal, "Something went wrong on our side").because(cause)
    }

    /// Adds the time to wait.
    #[must_use]
    pub fn retry(mut self, after: Duration) -> Self {
        self.retry_after = Some(after);
        self
    }

    /// Adds a cause for the log.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Self {
        self.cause = Some(cause.into().into_boxed_str());
        self
    }

    /// Adds the fields at fault.
    #[must_use]
    pub fn about(mut self, details: Vec<Detail>) -> Self {
        self.details = details;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{Challenge, Code, Fault};

    #[test]
    fn a_fault_is_logged_with_its_sentence_if_it_has_one() {
        assert_eq!(Fault::of(Code::EmailTaken).to_string(), "emailTaken");
        assert_eq!(Fault::new(Code::Validation, "Send it").to_string(), "validation: Send it");
    }

    #[test]
    fn a_challenge_names_its_scheme() {
        assert_eq!((Challenge::Bearer.scheme(), Challenge::Bearer.header()), ("Bearer", "Bearer"));
        assert_eq!((Challenge::Basic.scheme(), Challenge::Basic.header()), ("Basic", "Basic realm=\"clients\""));
    }
}
