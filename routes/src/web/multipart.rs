//! Forms with files (`multipart/form-data`, RFC 7578), read as they come in: a file is a stream, and
//! everything else is small.
//!
//! The parser buffers what it has not parsed yet and reads ahead as far as it can. So it is given one piece
//! at a time, and outside of files only so many bytes until it has found the beginning of the next part.

use super::{ApiRequest, request::BodyStream};
use bytes::Bytes;
use domain::shared::{Code, Fault};
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
    time::Duration,
};
use tokio::time::{Instant, timeout_at};

/// The most parts of a form.
const PARTS: usize = 100;
/// The most bytes of all fields together, and of anything between two parts.
const TEXT: u64 = 128 << 10;
/// How long the fields may take, before a file and after it. The time of the file itself is limited by the
/// request's.
const TEXT_TIME: Duration = Duration::from_mins(1);

/// A form that is being read.
pub(crate) struct Form {
    parts: Multipart<'static>,
    allowance: Arc<AtomicU64>,
    count: usize,
    /// The bytes of fields that may still come.
    text_left: usize,
    /// The time by which they have to.
    text_until: Instant,
}

/// A part of a form.
pub(crate) enum Part {
    /// A field with a value.
    Text(String, String),
    /// A file, which has to be read before the next part.
    File(Upload),
}

/// A file that comes in.
pub(crate) struct Upload {
    /// The name that the client gives it.
    pub(crate) name: String,
    field: Pin<Box<Field<'static>>>,
}

impl Form {
    /// Whether the body of a request is a form.
    pub(crate) fn is_sent(request: &ApiRequest) -> bool {
        request.header(header::CONTENT_TYPE).is_some_and(|h| h.trim_start().to_ascii_lowercase().starts_with("multipart/form-data"))
    }

    /// Begins to read a form. 413 when its announced length is more than `limit` bytes, 415 for another type
    /// of body.
    pub(crate) fn begin(request: &mut ApiRequest, limit: u64) -> Result<Self, Fault> {
        let unsupported = |what| Fault::new(Code::UnsupportedMediaType, what);
        if request.headers.contains_key(header::CONTENT_ENCODING) {
            return Err(unsupported("Send the body without a content encoding"));
        }
        let announced = request.header(header::CONTENT_LENGTH).and_then(|h| h.parse::<u64>().ok());
        if announced.is_some_and(|announced| announced > limit.saturating_add(TEXT)) {
            return Err(too_large(limit));
        }
        let boundary = request.header(header::CONTENT_TYPE).and_then(|h| multer::parse_boundary(h).ok());
        let boundary = boundary.ok_or_else(|| unsupported("Send the body as multipart/form-data"))?;
        Ok(Self::of(request.take_body(), boundary))
    }

    fn of(body: BodyStream, boundary: String) -> Self {
        let allowance = Arc::new(AtomicU64::new(TEXT));
        let gate = Gate { body, allowance: allowance.clone(), rests: false };
        let text_left = usize::try_from(TEXT).unwrap_or(usize::MAX);
        Self { parts: Multipart::new(gate, boundary), allowance, count: 0, text_left, text_until: Instant::now() + TEXT_TIME }
    }

    /// The next part; `None` after the last. 413 when its fields are too large together, 408 when they do not
    /// come in time.
    pub(crate) async fn next(&mut self) -> Result<Option<Part>, Fault> {
        self.count += 1;
        if self.count > PARTS {
            return Err(Fault::new(Code::BadForm, format!("The form has more than {PARTS} parts")));
        }
        if self.allowance.swap(TEXT, Ordering::Relaxed) == u64::MAX {
            // A file came in between, and its time does not count.
            self.text_until = Instant::now() + TEXT_TIME;
        }
        let late = || Fault::new(Code::BodyTimeout, "The body did not come in time");
        timeout_at(self.text_until, self.read()).await.map_err(|_| late())?
    }

    async fn read(&mut self) -> Result<Option<Part>, Fault> {
        let Some(field) = self.parts.next_field().await.map_err(broken)? else { return Ok(None) };
        let name = field.name().unwrap_or_default().to_owned();
        if let Some(file) = field.file_name() {
            self.allowance.store(u64::MAX, Ordering::Relaxed);
            return Ok(Some(Part::File(Upload { name: file.to_owned(), field: Box::pin(field) })));
        }
        let bytes = field.bytes().await.map_err(broken)?;
        let left = self.text_left.checked_sub(name.len() + bytes.len());
        self.text_left = left.ok_or_else(too_much_text)?;
        let text = String::from_utf8(bytes.into()).ok().filter(|f| !f.contains('\0'));
        let text = text.ok_or_else(|| Fault::new(Code::BadEncoding, format!("The field {name} is not valid UTF-8")))?;
        Ok(Some(Part::Text(name, text)))
    }
}

impl Upload {
    /// Its bytes, as they come in.
    pub(crate) fn pieces(self) -> impl Stream<Item = Result<Bytes, Fault>> + Send {
        self.field.map(|piece| piece.map_err(broken))
    }
}

fn broken(error: multer::Error) -> Fault {
    match error {
        multer::Error::StreamReadFailed(inner) => match inner.downcast::<Fault>() {
            Ok(fault) => *fault,
            Err(error) => Fault::new(Code::BodyBroken, "The body ended before it was complete").because(error.to_string()),
        },
        other => Fault::new(Code::BadForm, format!("The form could not be read: {other}")),
    }
}

fn too_large(limit: u64) -> Fault {
    Fault::new(Code::TooLarge, format!("The file is larger than {limit} bytes"))
}

fn too_much_text() -> Fault {
    Fault::new(Code::TooLarge, format!("The form has more than {TEXT} bytes of fields"))
}

/// Passes the pieces of a body on one at a time, and ends with an error when more come than are allowed.
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
            return Poll::Ready(Some(Err(Box::new(too_much_text()))));
        }
        if allowed != u64::MAX {
            self.allowance.store(allowed.saturating_sub(piece.len() as u64), Ordering::Relaxed);
        }
        self.rests = true;
        Poll::Ready(Some(Ok(piece)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, Part, TEXT, TEXT_TIME};
    use bytes::Bytes;
    use domain::shared::Kind;
    use futures_util::{StreamExt, stream};
    use tokio::time::Instant;

    fn field(name: &str, length: usize) -> String {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{}\r\n", "x".repeat(length))
    }

    /// A form of these pieces, whose connection then stays open without another byte.
    fn form(pieces: Vec<String>) -> Form {
        let pieces = stream::iter(pieces.into_iter().map(|piece| Ok(Bytes::from(piece))));
        Form::of(Box::pin(pieces.chain(stream::pending())), "b".to_owned())
    }

    #[tokio::test]
    async fn the_fields_of_a_form_are_bounded_together() {
        let third = usize::try_from(TEXT).unwrap() / 3;
        let mut form = form((0..4).map(|value| field(&value.to_string(), third)).chain(["--b--".to_owned()]).collect());
        let mut taken = 0;
        let fault = loop {
            match form.next().await {
                Ok(Some(Part::Text(_, value))) => taken += value.len(),
                Ok(_) => unreachable!("there are only fields"),
                Err(fault) => break fault,
            }
        };
        assert_eq!((taken, fault.kind()), (2 * third, Kind::TooLarge));
    }

    #[tokio::test(start_paused = true)]
    async fn fields_have_a_minute_together_and_a_file_is_no_field() {
        let began = Instant::now();
        let file = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nbytes\r\n".to_owned();
        // The end of the last part never comes.
        let mut form = form(vec![field("a", 1), file, field("b", 1), field("c", 1)]);
        assert!(matches!(form.next().await, Ok(Some(Part::Text(..)))));
        tokio::time::advance(TEXT_TIME / 2).await;
        let Ok(Some(Part::File(file))) = form.next().await else { unreachable!("a file is next") };
        tokio::time::advance(TEXT_TIME).await;
        let pieces: Vec<Bytes> = file.pieces().map(Result::unwrap).collect().await;
        assert_eq!(pieces.concat(), b"bytes");
        assert!(matches!(form.next().await, Ok(Some(Part::Text(..)))));
        assert_eq!(form.next().await.err().map(|fault| fault.kind()), Some(Kind::Timeout));
        assert_eq!(began.elapsed().as_secs(), (TEXT_TIME / 2 + TEXT_TIME + TEXT_TIME).as_secs());
    }
}
