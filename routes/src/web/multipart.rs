//! Forms with files (`multipart/form-data`, RFC 7578), read as they come in: a file is a stream, and nothing else is large.
//!
//! The parser keeps what it has not understood yet, and takes all that is there. So it gets one piece at a time, and only so many bytes until
//! it has found the beginning of the next part.

use super::{Call, call::BodyStream};
use bytes::Bytes;
use domain::shared::{Fault, Kind};
use futures_util::{Stream, StreamExt};
use http::header;
use multer::{Field, Multipart};
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

/// How many parts are read.
const PARTS: usize = 100;
/// The most bytes of what is no file, and of what lies between two parts.
const TEXT: u64 = 128 << 10;

/// A form that is being read.
pub(crate) struct Form {
    parts: Multipart<'static>,
    allowance: Arc<AtomicU64>,
    count: usize,
}

/// A part of it.
pub(crate) enum Part {
    /// A field with a value.
    Text(String, String),
    /// A file, which has to be read before the next part.
    File(Upload),
}

/// A file that comes in.
pub(crate) struct Upload {
    /// Its name, as the client says.
    pub(crate) name: String,
    field: Pin<Box<Field<'static>>>,
}

impl Form {
    /// Whether a request is one.
    pub(crate) fn is_sent(call: &Call) -> bool {
        call.header(header::CONTENT_TYPE).is_some_and(|it| it.trim_start().to_ascii_lowercase().starts_with("multipart/form-data"))
    }

    /// Begins to read. 413 when it announces more than `limit` bytes, 415 when it is another sort of body.
    pub(crate) fn begin(call: &mut Call, limit: u64) -> Result<Self, Fault> {
        let unsupported = |what| Fault::new(Kind::UnsupportedMedia, "unsupportedMediaType", what);
        if call.headers.contains_key(header::CONTENT_ENCODING) {
            return Err(unsupported("Send the body without a content encoding"));
        }
        let announced = call.header(header::CONTENT_LENGTH).and_then(|it| it.parse::<u64>().ok());
        if announced.is_some_and(|it| it > limit.saturating_add(TEXT)) {
            return Err(too_large(limit));
        }
        let boundary = call.header(header::CONTENT_TYPE).and_then(|it| multer::parse_boundary(it).ok());
        let boundary = boundary.ok_or_else(|| unsupported("Send the body as multipart/form-data"))?;
        let allowance = Arc::new(AtomicU64::new(TEXT));
        let gate = Gate { body: call.take_body(), allowance: allowance.clone(), rests: false };
        Ok(Self { parts: Multipart::new(gate, boundary), allowance, count: 0 })
    }

    /// The next part; `None` after the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Part>, Fault> {
        self.count += 1;
        if self.count > PARTS {
            return Err(Fault::bad_request("badForm", format!("The form has more than {PARTS} parts")));
        }
        self.allowance.store(TEXT, Ordering::Relaxed);
        let Some(field) = self.parts.next_field().await.map_err(broken)? else { return Ok(None) };
        let name = field.name().unwrap_or_default().to_owned();
        if let Some(file) = field.file_name() {
            self.allowance.store(u64::MAX, Ordering::Relaxed);
            return Ok(Some(Part::File(Upload { name: file.to_owned(), field: Box::pin(field) })));
        }
        let bytes = field.bytes().await.map_err(broken)?;
        let text = String::from_utf8(bytes.into()).ok().filter(|it| !it.contains('\0'));
        let text = text.ok_or_else(|| Fault::bad_request("badEncoding", format!("The field {name} is not valid UTF-8")))?;
        Ok(Some(Part::Text(name, text)))
    }
}

impl Upload {
    /// The bytes.
    pub(crate) fn pieces(self) -> impl Stream<Item = Result<Bytes, Fault>> + Send {
        self.field.map(|piece| piece.map_err(broken))
    }
}

fn broken(error: multer::Error) -> Fault {
    match error {
        multer::Error::StreamReadFailed(inner) => match inner.downcast::<Fault>() {
            Ok(fault) => *fault,
            Err(error) => Fault::bad_request("bodyBroken", "The body ended before it was complete").because(error.to_string()),
        },
        other => Fault::bad_request("badForm", format!("The form could not be read: {other}")),
    }
}

fn too_large(limit: u64) -> Fault {
    Fault::new(Kind::TooLarge, "tooLarge", format!("The file is larger than {limit} bytes"))
}

/// Lets pieces pass one at a time, as long as they are allowed.
struct Gate {
    body: BodyStream,
    allowance: Arc<AtomicU64>,
    rests: bool,
}

impl Stream for Gate {
    type Item = Result<Bytes, Box<dyn std::error::Error + Send + Sync>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.rests {
            self.rests = false;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let piece = std::task::ready!(self.body.as_mut().poll_next(cx));
        let Some(piece) = piece.transpose()? else { return Poll::Ready(None) };
        let allowed = self.allowance.load(Ordering::Relaxed);
        if allowed == 0 {
            let fault = Fault::new(Kind::TooLarge, "tooLarge", format!("The form has a field of more than {TEXT} bytes"));
            return Poll::Ready(Some(Err(Box::new(fault))));
        }
        if allowed != u64::MAX {
            self.allowance.store(allowed.saturating_sub(piece.len() as u64), Ordering::Relaxed);
        }
        self.rests = true;
        Poll::Ready(Some(Ok(piece)))
    }
}
