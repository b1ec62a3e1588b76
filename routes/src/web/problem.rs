//! The only place where a [`Fault`] becomes a status and a body.

use super::{ApiResponse, error_page, headers, oauth_error};
use domain::shared::{Challenge, Fault, Kind, Language};
use http::{HeaderValue, StatusCode, header};
use pages::{OwnPath, Site, fault_text};
use serde_json::{Map, Value, json};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;
use warp::reply::Response;

/// The shape of an API's errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorFormat {
    /// `{"error": code, "message", "details"?, "requestId"}`; 422 adds Storyblok's map of messages by field, as `fields`.
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

/// Renders the faults of one request.
#[derive(Debug, Clone)]
pub struct ErrorRenderer {
    pub(crate) format: ErrorFormat,
    /// The language of sentences, where the format has more than one.
    pub(crate) language: Language,
    pub(crate) request_id: Uuid,
    /// What else stands on the page of an error.
    pub(crate) site: Option<Arc<Site>>,
    /// Where such a page leads back to.
    pub(crate) path: OwnPath,
}

impl ErrorRenderer {
    /// The response to a fault. The cause of an internal error goes to the log; the caller gets a sentence and the request's id.
    pub(crate) fn response(&self, fault: &Fault) -> Response {
        log(fault, self.request_id);
        let mut response: Response = match self.format {
            ErrorFormat::Page => error_page::response(self, fault),
            ErrorFormat::Delivery => self.json(fault, &json!({ "error": fault_text::message(Language::English, fault) })),
            ErrorFormat::OAuth => self.json(fault, &oauth_error::body(fault)),
            ErrorFormat::Management | ErrorFormat::Identity => {
                self.json(fault, &structured(self.language, fault, self.format, self.request_id))
            }
        }
        .into();
        headers::add_defaults(response.headers_mut(), self.format);
        response
    }

    fn json(&self, fault: &Fault, body: &Value) -> ApiResponse {
        let answer = ApiResponse::bytes(status(fault.kind(), self.format), "application/json; charset=utf-8", body.to_string());
        // Without this header, a cache may keep a 404 for minutes (RFC 9111, section 4.2.2).
        with_hints(answer.with(header::CACHE_CONTROL, HeaderValue::from_static("no-store")), fault, self.format)
    }
}

fn log(fault: &Fault, request_id: Uuid) {
    match fault.kind() {
        Kind::Internal => {
            tracing::error!(request.id = %request_id, code = fault.code.name(), cause = fault.cause.as_deref(), "request failed");
        }
        Kind::Unavailable => tracing::warn!(request.id = %request_id, cause = fault.cause.as_deref(), "request turned away"),
        _ => tracing::debug!(request.id = %request_id, code = fault.code.name(), "request refused"),
    }
}

/// Adds when to try again, and how to authenticate.
pub(crate) fn with_hints(mut answer: ApiResponse, fault: &Fault, format: ErrorFormat) -> ApiResponse {
    if let Some(after) = fault.retry_after {
        answer = answer.with(header::RETRY_AFTER, HeaderValue::from(seconds(after)));
    }
    if let Some(scheme) = fault.challenge {
        let value = match format {
            ErrorFormat::OAuth => oauth_error::challenge(scheme, fault),
            _ => challenge(scheme, fault),
        };
        answer = answer.with(header::WWW_AUTHENTICATE, value);
    }
    answer
}

/// The value of `WWW-Authenticate` beside a body of our own.
fn challenge(scheme: Challenge, fault: &Fault) -> HeaderValue {
    let named =
        fault.realm.as_ref().and_then(|realm| HeaderValue::from_str(&format!("{} realm=\"{realm}\"", scheme.scheme())).ok());
    named.unwrap_or(HeaderValue::from_static(scheme.header()))
}

fn structured(language: Language, fault: &Fault, format: ErrorFormat, request_id: Uuid) -> Value {
    let language = if format == ErrorFormat::Identity { language } else { Language::English };
    let mut body = Map::new();
    body.insert("error".into(), fault.code.name().into());
    body.insert("message".into(), fault_text::message(language, fault).into());
    if !fault.details.is_empty() {
        let details: Vec<Value> = fault
            .details
            .iter()
            .map(|detail| json!({ "field": detail.field, "code": detail.code.name(), "message": fault_text::field_message(language, detail) }))
            .collect();
        body.insert("details".into(), details.into());
    }
    if let (Kind::TooMany, ErrorFormat::Identity, Some(after)) = (fault.kind(), format, fault.retry_after) {
        body.insert("retryAfter".into(), seconds(after).into());
    }
    if fault.kind() == Kind::Invalid && format == ErrorFormat::Management {
        let mut fields: Map<String, Value> = Map::new();
        for detail in &fault.details {
            if let Value::Array(messages) = fields.entry(detail.field.clone()).or_insert_with(|| json!([])) {
                messages.push(detail.message.clone().into());
            }
        }
        body.insert("fields".into(), fields.into());
    }
    body.insert("requestId".into(), request_id.to_string().into());
    body.into()
}

/// Rounded up, so that a client that waits these seconds is not early.
fn seconds(after: Duration) -> u64 {
    u64::try_from(after.as_millis().div_ceil(1000).max(1)).unwrap_or(u64::MAX)
}

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
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        Kind::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
