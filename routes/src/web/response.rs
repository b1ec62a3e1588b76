//! What an endpoint answers.

use bytes::Bytes;
use domain::shared::{Fault, PageRequest};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;

/// A status, headers and a body that is ready to send.
#[derive(Debug)]
pub struct ApiResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl ApiResponse {
    /// A JSON body.
    pub fn json<T: Serialize>(status: StatusCode, body: &T) -> Result<Self, Fault> {
        Ok(Self::bytes(status, "application/json; charset=utf-8", domain::shared::json::to_vec(body)?))
    }

    /// 200 with a JSON body.
    pub fn ok<T: Serialize>(body: &T) -> Result<Self, Fault> {
        Self::json(StatusCode::OK, body)
    }

    /// 201 with a JSON body.
    pub fn created<T: Serialize>(body: &T) -> Result<Self, Fault> {
        Self::json(StatusCode::CREATED, body)
    }

    /// 204.
    pub fn empty() -> Self {
        Self { status: StatusCode::NO_CONTENT, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// 302 to a path of ours.
    pub fn found(location: &'static str) -> Self {
        let headers = HeaderMap::from_iter([(header::LOCATION, HeaderValue::from_static(location))]);
        Self { status: StatusCode::FOUND, headers, body: Bytes::new() }
    }

    /// Ready bytes of a content type.
    pub fn bytes(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status, headers, body: body.into() }
    }

    /// Headers and bytes that were ready before.
    pub(crate) fn ready(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        Self { status, headers, body }
    }

    /// What it is made of.
    pub(crate) fn into_parts(self) -> (StatusCode, HeaderMap, Bytes) {
        (self.status, self.headers, self.body)
    }

    /// Adds a header, beside others of that name (`Set-Cookie`).
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// The headers of a page: `Total` and `Per-Page`. Hosted clients read the one only when they see the other (facts, 4.1 row 15).
    #[must_use]
    pub fn paged(self, total: i64, page: PageRequest) -> Self {
        self.with(HeaderName::from_static("total"), total.into()).with(HeaderName::from_static("per-page"), page.per_page.into())
    }
}

impl From<ApiResponse> for warp::reply::Response {
    fn from(answer: ApiResponse) -> Self {
        let mut response = Self::new(answer.body.into());
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers;
        response
    }
}
