//! The only place where a [`Fault`] becomes a status and a body.

use super::{
    ApiResponse,
    error_format::{ErrorFormat, status},
    error_page, headers, oauth_error,
};
use domain::shared::{BlockDetail, Challenge, Detail, Fault, Kind, Language};
use http::{HeaderValue, header};
use pages::{Frame, OwnPath, Site, fault_text};
use serde_json::{Map, Value, json};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;
use warp::reply::Response;

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
    /// The response to a fault. The cause of an internal error goes to the log; the caller gets a sentence
    /// and the request's id.
    pub(crate) fn response(&self, fault: &Fault) -> Response {
        log(fault, self.request_id);
        let mut response: Response = match self.format {
            ErrorFormat::Page => self.page(fault),
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

    /// The JSON of a fault with further members beside its own.
    pub(crate) fn json_beside(&self, fault: &Fault, members: Value) -> ApiResponse {
        log(fault, self.request_id);
        let mut body = structured(self.language, fault, self.format, self.request_id);
        if let (Some(own), Value::Object(members)) = (body.as_object_mut(), members) {
            own.extend(members);
        }
        self.json(fault, &body)
    }

    /// A page, or a redirect to the page where a person does what is missing.
    fn page(&self, fault: &Fault) -> ApiResponse {
        let Self { language, request_id, site, path, .. } = self;
        if let Some(redirect) = error_page::elsewhere(fault, path.as_str()) {
            return redirect;
        }
        let no_site = Site::default();
        let site = site.as_deref().unwrap_or(&no_site);
        let frame = Frame { site, language: *language, path, csrf_token: "", is_administrator: false, person: None };
        let html = pages::error::error_page(&frame, fault, &request_id.to_string());
        with_hints(ApiResponse::bytes(status(fault.kind(), self.format), "text/html; charset=utf-8", html), fault, self.format)
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
        let details: Vec<Value> = fault.details.iter().map(|detail| field_error(language, detail)).collect();
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

/// What is wrong with a field. A field of a story's content has the members that a validation gives it.
fn field_error(language: Language, detail: &Detail) -> Value {
    let (code, message) = (detail.code.name(), fault_text::field_message(language, detail));
    match &detail.block {
        None => json!({ "field": detail.field, "code": code, "message": message }),
        Some(BlockDetail { uid, severity }) => {
            json!({ "field": detail.field, "uid": uid, "code": code, "message": message, "severity": severity })
        }
    }
}

/// Rounded up, so that a client that waits these seconds is not early.
fn seconds(after: Duration) -> u64 {
    u64::try_from(after.as_millis().div_ceil(1000).max(1)).unwrap_or(u64::MAX)
}
