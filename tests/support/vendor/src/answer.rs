//! Responses, and how faults change them.

use crate::control::What;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};
use std::{
    borrow::Borrow,
    collections::VecDeque,
    convert::Infallible,
    io,
    pin::Pin,
    task::{Context, Poll},
};

/// A response before it is serialised to HTTP.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content: Content,
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// The content of a response.
pub(crate) enum Content {
    /// Serialised JSON.
    Json(Bytes),
    /// A page of serialised items: the members before the list, the name of the list, the items.
    List {
        before: String,
        name: &'static str,
        items: Vec<Bytes>,
    },
    File {
        bytes: Bytes,
        kind: &'static str,
    },
}

impl Answer {
    pub(crate) fn json(status: u16, text: impl Into<Bytes>) -> Self {
        Self { status, content: Content::Json(text.into()), headers: Vec::new() }
    }

    /// Storyblok's 404.
    pub(crate) fn missing() -> Self {
        Self::json(404, r#"["This record could not be found"]"#)
    }

    pub(crate) fn unauthorized() -> Self {
        Self::json(401, r#"{"error":"Unauthorized"}"#)
    }

    pub(crate) fn refused(what: &str) -> Self {
        Self::json(422, serde_json::json!({ "error": what }).to_string())
    }

    /// An object under its name.
    pub(crate) fn object(name: &str, item: &Bytes) -> Self {
        Self::json(200, [b"{\"", name.as_bytes(), b"\":", item, b"}"].concat())
    }

    /// A list without pages.
    pub(crate) fn list(name: &'static str, items: &[Bytes]) -> Self {
        Self { status: 200, content: Content::List { before: String::new(), name, items: items.to_vec() }, headers: Vec::new() }
    }

    /// A page of a list.
    pub(crate) fn page<B: Borrow<Bytes>>(name: &'static str, items: &[B], page: usize, per_page: usize) -> Self {
        let from = (page - 1).saturating_mul(per_page).min(items.len());
        let to = from.saturating_add(per_page).min(items.len());
        let items_of_it: Vec<Bytes> = items[from..to].iter().map(|item| item.borrow().clone()).collect();
        let mut answer = Self::list(name, &items_of_it);
        answer.headers = vec![("total", items.len().to_string()), ("per-page", per_page.to_string())];
        answer
    }

    /// Adds a `cv` before the list.
    pub(crate) fn before(mut self, text: String) -> Self {
        if let Content::List { before, .. } = &mut self.content {
            *before = text;
        }
        self
    }

    /// The HTTP response after a fault, and whether the connection is to be reset.
    pub(crate) fn spoilt(mut self, what: Option<(What, u64)>) -> (Response<Pieces>, bool) {
        let mut part = None;
        let mut is_reset = false;
        match what {
            None | Some((What::Slow { .. } | What::Silence | What::Held, _)) => {}
            Some((What::Status { code, retry_after }, _)) => {
                self = Self::json(code, r#"{"error":"a fault of the test"}"#);
                self.headers = retry_after.map(|retry_after| ("retry-after", retry_after.to_string())).into_iter().collect();
            }
            Some((What::CutJson, _)) => {
                let bytes = self.bytes();
                self.content = Content::Json(bytes.slice(..bytes.len() / 2));
            }
            Some((What::Cut, _)) => part = Some(2),
            Some((What::Reset, _)) => (part, is_reset) = (Some(2), true),
            Some((What::Total { by }, _)) => {
                for (_, total) in self.headers.iter_mut().filter(|(name, _)| *name == "total") {
                    *total = (total.parse::<i64>().unwrap() + by).max(0).to_string();
                }
            }
            Some((What::NoTotal, _)) => self.headers.retain(|(name, _)| *name != "total"),
            Some((What::Shuffle, seen)) => {
                if let Content::List { items, .. } = &mut self.content {
                    let by = usize::try_from(seen).unwrap() % items.len().max(1);
                    items.rotate_left(by);
                    items.reverse();
                }
            }
            Some((What::Body { bytes }, _)) => {
                let kind = if let Content::File { kind, .. } = &self.content { kind } else { "application/json" };
                self.content = Content::File { bytes: vec![b' '; bytes].into(), kind };
            }
            Some((What::Pieces { head, piece, times, tail }, _)) => {
                return (self.made(Pieces::repeated(&head, &piece, times, &tail)), false);
            }
            Some((What::Made { name, record, count, total }, seen)) => {
                let numbers = (seen - 1) * count + 1..=seen * count;
                let records: Vec<String> = numbers.map(|number| record.replace('#', &number.to_string())).collect();
                self = Self::json(200, format!("{{\"{name}\":[{}]}}", records.join(",")));
                let total = total.map(|total| ("total", total.replace('#', &((seen + 1) * count).to_string())));
                self.headers = total.into_iter().chain([("per-page", count.to_string())]).collect();
            }
            Some((What::Header { name, value }, _)) => {
                let (mut response, is_reset) = self.spoilt(None);
                response.headers_mut().insert(HeaderName::try_from(name).unwrap(), HeaderValue::try_from(value).unwrap());
                return (response, is_reset);
            }
            Some((What::Type { value }, _)) => self.headers.push(("content-type", value)),
            Some((What::Redirect { location }, _)) => {
                self = Self::json(302, "");
                self.headers = vec![("location", location)];
            }
        }
        (self.response(part), is_reset)
    }

    /// A response with this body, of unknown length.
    fn made(self, body: Pieces) -> Response<Pieces> {
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        for (name, value) in self.headers {
            headers.insert(name, HeaderValue::try_from(value).unwrap());
        }
        response
    }

    fn bytes(&self) -> Bytes {
        match &self.content {
            Content::Json(bytes) | Content::File { bytes, .. } => bytes.clone(),
            Content::List { before, name, items } => {
                let length: usize = items.iter().map(|item| item.len() + 1).sum();
                let mut bytes = Vec::with_capacity(length + before.len() + name.len() + 8);
                bytes.extend(format!("{{{before}\"{name}\":[").bytes());
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        bytes.push(b',');
                    }
                    bytes.extend_from_slice(item);
                }
                bytes.extend(b"]}");
                bytes.into()
            }
        }
    }

    /// A response with a part of the body, as if the connection had failed then.
    fn response(self, part: Option<usize>) -> Response<Pieces> {
        let bytes = self.bytes();
        let length = bytes.len();
        let pieces = match part {
            None => VecDeque::from([Ok(bytes)]),
            Some(part) => VecDeque::from([Ok(bytes.slice(..length / part)), Err(io::Error::other("a fault of the test"))]),
        };
        let mut response = Response::new(Pieces { pieces, repeated: None });
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap();
        let kind = if let Content::File { kind, .. } = self.content { kind } else { "application/json; charset=utf-8" };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::CONTENT_LENGTH, length.into());
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        for (name, value) in self.headers {
            headers.insert(name, HeaderValue::try_from(value).unwrap());
        }
        response
    }
}

/// A body in chunks, the last of which may be an error.
pub(crate) struct Pieces {
    pieces: VecDeque<Result<Bytes, io::Error>>,
    /// What comes behind the first chunk, and how often.
    repeated: Option<(Bytes, u64)>,
}

/// How long a chunk of repeated pieces is, about.
const CHUNK: usize = 64 * 1024;

impl Pieces {
    /// A beginning, a piece that is repeated, and an end.
    fn repeated(head: &str, piece: &str, times: u64, tail: &str) -> Self {
        let in_chunk = u64::try_from(CHUNK / piece.len()).unwrap().min(times).max(1);
        let rest = piece.repeat(usize::try_from(times % in_chunk).unwrap());
        let chunk = piece.repeat(usize::try_from(in_chunk).unwrap());
        Self {
            pieces: VecDeque::from([Ok(format!("{head}{rest}").into()), Ok(tail.to_owned().into())]),
            repeated: Some((chunk.into(), times / in_chunk)),
        }
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let is_begun = self.pieces.len() < 2;
        if let Some((chunk, times)) = self.repeated.as_mut().filter(|(_, times)| is_begun && *times > 0) {
            *times -= 1;
            return Poll::Ready(Some(Ok(Frame::data(chunk.clone()))));
        }
        Poll::Ready(self.pieces.pop_front().map(|piece| piece.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

/// The body type of the server.
pub(crate) type Served = Result<Response<Pieces>, Infallible>;
