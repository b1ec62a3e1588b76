//! A request as an endpoint reads it.

use super::{body, problem::ErrorRenderer, query};
use bytes::{Buf, Bytes};
use domain::shared::{Code, Fault, Language, Parameters, RequestOrigin, json, json::StrictBody};
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, Method, header};
use pages::OwnPath;
use std::{net::IpAddr, pin::Pin};
use uuid::Uuid;
use warp::{Filter, filters::BoxedFilter, path::FullPath};

/// What is known of a request before its endpoint runs. [`crate::dispatch`] puts it into the request's
/// extensions.
#[derive(Debug, Clone, Copy)]
pub struct RequestMeta {
    /// Answered as `X-Request-Id` and in every error body.
    pub request_id: Uuid,
    /// The address of the client, also behind trusted proxies.
    pub ip: IpAddr,
    /// Whether it came as HEAD: the response has headers only, and nothing may be changed.
    pub is_head: bool,
    /// The language that errors are told in, where there is more than one.
    pub language: Language,
}

/// The body as it comes in.
pub type BodyStream = Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send + Sync>>;

/// One request. `M` is what the fast path of its table leaves to the access rule; nothing where there is
/// none.
pub struct ApiRequest<M = ()> {
    /// The method; HEAD arrives as GET.
    pub method: Method,
    pub headers: HeaderMap,
    /// Its id, its client, its language.
    pub meta: RequestMeta,
    /// Renders its errors.
    pub(crate) errors: ErrorRenderer,
    /// What the fast path has found out about it, if it ran.
    pub(crate) miss: Option<M>,
    path: FullPath,
    raw_query: String,
    body: BodyStream,
}

impl<M> ApiRequest<M> {
    /// The request as its handler gets it, when the access rule has let it in.
    pub(super) fn without_miss(self) -> ApiRequest {
        let Self { method, headers, meta, errors, path, raw_query, body, .. } = self;
        ApiRequest { method, headers, meta, errors, miss: None, path, raw_query, body }
    }

    /// The query, decoded. 400 when the encoding is broken or a value holds U+0000.
    pub fn query(&self) -> Result<Parameters, Fault> {
        query::parse(&self.raw_query)
    }

    /// The path as it was sent.
    pub fn path(&self) -> &str {
        self.path.as_str()
    }

    /// The path and query, for links and redirects to the same page.
    pub fn own_path(&self) -> OwnPath {
        OwnPath::of(self.path(), &self.raw_query)
    }

    /// The query as it was sent.
    pub fn raw_query(&self) -> &str {
        &self.raw_query
    }

    /// One header as text; `None` when absent or not ASCII.
    pub fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The token after `Bearer` in `Authorization`. The scheme is case-insensitive (RFC 9110, section 11.1).
    pub fn bearer(&self) -> Option<&str> {
        let (scheme, token) = self.header(header::AUTHORIZATION)?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    }

    /// The origin that audit entries of this request record.
    pub fn origin(&self) -> RequestOrigin {
        RequestOrigin { ip: Some(self.meta.ip), request_id: Some(self.meta.request_id) }
    }

    /// Reads the body as a JSON object of at most `limit` bytes, with the casts of [`json::parse_cast`]: 413
    /// above it, 415 for another content type, 400 when it is no JSON object, 422 for a value that cannot be
    /// cast.
    pub async fn json<T: serde::de::DeserializeOwned>(&mut self, limit: usize) -> Result<T, Fault> {
        body::require_json(&self.headers)?;
        let bytes = self.bytes(limit).await?;
        json::parse_cast(&bytes)
    }

    /// The same where the whole body may be left out.
    pub async fn json_or_default<T: serde::de::DeserializeOwned + Default>(&mut self, limit: usize) -> Result<T, Fault> {
        let bytes = self.bytes(limit).await?;
        if bytes.is_empty() {
            return Ok(T::default());
        }
        body::require_json(&self.headers)?;
        json::parse_cast(&bytes)
    }

    /// Reads the body of a JSON request as it was sent, for a caller that parses it by its own rules. 413 and
    /// 415 as [`Self::json`].
    pub async fn unparsed_json(&mut self, limit: usize) -> Result<Bytes, Fault> {
        body::require_json(&self.headers)?;
        self.bytes(limit).await
    }

    /// As [`Self::json`], but all members may be left out, and one of the wrong type is 400 `validation`,
    /// with its name in `details`.
    pub async fn json_fields<T: serde::de::DeserializeOwned>(&mut self, limit: usize) -> Result<T, Fault> {
        body::require_json(&self.headers)?;
        let bytes = self.bytes(limit).await?;
        json::parse_form(&bytes)
    }

    /// The same where the whole body may be left out.
    pub async fn json_fields_or_default<T: serde::de::DeserializeOwned + Default>(&mut self, limit: usize) -> Result<T, Fault> {
        let bytes = self.bytes(limit).await?;
        if bytes.is_empty() {
            return Ok(T::default());
        }
        body::require_json(&self.headers)?;
        json::parse_form(&bytes)
    }

    /// Reads the body as a JSON object none of whose members may be unknown; see [`StrictBody`]. 413 and 415
    /// as [`Self::json`].
    pub async fn strict_json<T: serde::de::DeserializeOwned>(&mut self, limit: usize) -> Result<StrictBody<T>, Fault> {
        body::require_json(&self.headers)?;
        let bytes = self.bytes(limit).await?;
        StrictBody::new(&bytes)
    }

    /// The same where the whole body may be left out; some clients send `null` then.
    pub async fn strict_json_or_empty<T: serde::de::DeserializeOwned>(&mut self, limit: usize) -> Result<StrictBody<T>, Fault> {
        let bytes = self.bytes(limit).await?;
        if matches!(bytes.trim_ascii(), b"" | b"null") {
            return StrictBody::new(b"{}");
        }
        body::require_json(&self.headers)?;
        StrictBody::new(&bytes)
    }

    /// Whether the body says that it is a form.
    pub(crate) fn has_form(&self) -> bool {
        body::is_form(&self.headers)
    }

    /// Reads the body as `application/x-www-form-urlencoded`, at most `limit` bytes: 413 above it, 400 for
    /// another content type or none and when the encoding is broken.
    pub async fn form(&mut self, limit: usize) -> Result<Parameters, Fault> {
        body::require_form(&self.headers)?;
        let bytes = self.bytes(limit).await?;
        let text = std::str::from_utf8(&bytes).map_err(|_| Fault::new(Code::BadEncoding, "The form is not valid UTF-8"))?;
        query::parse(text)
    }

    /// Takes the body, to be read piece by piece; after that it is empty.
    pub(crate) fn take_body(&mut self) -> BodyStream {
        std::mem::replace(&mut self.body, Box::pin(futures_util::stream::empty()))
    }

    /// Reads the whole body, at most `limit` bytes.
    pub async fn bytes(&mut self, limit: usize) -> Result<Bytes, Fault> {
        body::collect(&mut self.body, &self.headers, limit).await
    }
}

/// Extracts the [`ApiRequest`].
pub(crate) fn api_request<M: Clone + Send + Sync + 'static>() -> BoxedFilter<(ApiRequest<M>,)> {
    let raw_query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<RequestMeta>())
        .and(warp::ext::get::<ErrorRenderer>())
        .and(warp::path::full())
        .and(raw_query)
        .and(warp::body::stream())
        .and(warp::ext::optional::<M>())
        .map(|method, headers, meta, errors, path, raw_query, body, miss| ApiRequest {
            method,
            headers,
            meta,
            errors,
            miss,
            path,
            raw_query,
            body: bytes_of(body),
        })
        .boxed()
}

fn bytes_of(body: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + Sync + 'static) -> BodyStream {
    Box::pin(body.map(|piece| piece.map(|mut buf| buf.copy_to_bytes(buf.remaining()))))
}
