//! The response of an endpoint.

use bytes::Bytes;
use domain::shared::{Fault, PageRequest, json::BoundedWriter};
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

    /// The same with a body of `max` bytes at most; 422 when it would have more.
    pub fn ok_within<T: Serialize>(max: usize, body: &T) -> Result<Self, Fault> {
        let mut writer = BoundedWriter::new(max);
        writer.write_json(body)?;
        Ok(Self::json_bytes(writer))
    }

    /// 200 with JSON that was written already.
    pub fn json_bytes(body: BoundedWriter) -> Self {
        Self::bytes(StatusCode::OK, "application/json; charset=utf-8", body.into_bytes())
    }

    /// 201 with a JSON body.
    pub fn created<T: Serialize>(body: &T) -> Result<Self, Fault> {
        Self::json(StatusCode::CREATED, body)
    }

    /// A 204 without a body.
    pub fn empty() -> Self {
        Self { status: StatusCode::NO_CONTENT, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// 302 to a path of this server.
    pub fn found(location: &'static str) -> Self {
        let headers = HeaderMap::from_iter([(header::LOCATION, HeaderValue::from_static(location))]);
        Self { status: StatusCode::FOUND, headers, body: Bytes::new() }
    }

    /// 303 to another place: the browser asks for it with a GET.
    pub fn see_other(location: &str) -> Result<Self, Fault> {
        let location = HeaderValue::try_from(location).map_err(|_| Fault::internal("a location that is no header value"))?;
        let headers = HeaderMap::from_iter([(header::LOCATION, location)]);
        Ok(Self { status: StatusCode::SEE_OTHER, headers, body: Bytes::new() })
    }

    /// A body of bytes that has this content type.
    pub fn bytes(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status, headers, body: body.into() }
    }

    /// Its parts put together: the reverse of [`ApiResponse::into_parts`].
    pub(crate) fn from_parts(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        Self { status, headers, body }
    }

    /// Its status, headers and body.
    pub(crate) fn into_parts(self) -> (StatusCode, HeaderMap, Bytes) {
        (self.status, self.headers, self.body)
    }

    /// Adds a header, beside others of that name (`Set-Cookie`).
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Adds the headers of a page: `Total` and `Per-Page`. Storyblok's clients read `Total` only where
    /// `Per-Page` is.
    #[must_use]
    pub fn paged(self, total: i64, page: PageRequest) -> Self {
        self.with(HeaderName::from_static("total"), total.into()).with(HeaderName::from_static("per-page"), page.per_page.into())
    }
}

impl From<ApiResponse> for warp::reply::Response {
    fn from(parts: ApiResponse) -> Self {
        let mut response = Self::new(parts.body.into());
        *response.status_mut() = parts.status;
        *response.headers_mut() = parts.headers;
        response
    }
}
