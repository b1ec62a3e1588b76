//! Inspects the raw heads of requests, line by line, before hyper reads them. hyper answers a head that it
//! cannot parse without a body, and silently corrects others: a `Content-Length` beside a chunked body, and
//! lines without a carriage return. A proxy in front may read such a head differently, and then one request
//! becomes two (request smuggling, RFC 9112, section 11.2).
//!
//! hyper is given whole lines only. In place of a line that is refused it gets the end of a head, and the
//! service answers that request with the refusal, as it answers everything else. Nothing behind it on the
//! connection is read.
//!
//! Several requests may arrive in one read, so the bytes are followed from head to body to head.

use super::Limits;
use domain::shared::{Code, Fault};
use http::Uri;
use std::sync::{Arc, OnceLock};

/// Why a head is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadRefusal {
    /// It is no HTTP/1.1, or two parsers may read it differently.
    Malformed,
    /// It has too many lines, or too many bytes.
    TooLarge,
}

impl HeadRefusal {
    fn fault(self) -> Fault {
        match self {
            Self::Malformed => Fault::new(
                Code::MalformedRequest,
                "The request line or a header is not valid HTTP/1.1. Characters that a URL must not have are sent percent-encoded",
            ),
            Self::TooLarge => {
                Fault::new(Code::HeadTooLarge, "The request line and the headers are too long, or the headers are too many")
            }
        }
    }
}

/// The request of a connection whose head was refused, by its number, for the service to answer.
#[derive(Debug, Clone, Default)]
pub(super) struct RefusedRequest(Arc<OnceLock<(u64, HeadRefusal)>>);

impl RefusedRequest {
    /// The fault to answer when the request of this number, the first being 1, was refused.
    pub(super) fn fault(&self, number: u64) -> Option<Fault> {
        self.0.get().filter(|(refused, _)| *refused == number).map(|(_, refusal)| refusal.fault())
    }
}

/// What may be done with bytes that were read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// How many of them hyper may have. The others are the beginning of a line.
    pub(super) pass: usize,
    /// What it gets after them in place of everything else, when a head is refused.
    pub(super) instead: Option<Vec<u8>>,
}

/// The heads of a connection.
pub(super) struct Heads {
    part: TemplatePart,
    /// How many heads have begun.
    count: u64,
    refused: RefusedRequest,
    most_lines: usize,
    most_bytes: usize,
}

/// The part of a request that the last byte of a connection belonged to.
enum TemplatePart {
    /// Before or within a head.
    Head(Head),
    /// Within a body of which this many bytes are missing.
    Body(u64),
    /// Within a chunked body: its request is the last one of the connection (see `service`), so its end is
    /// not looked for.
    Last,
    /// Within HTTP/2, which has no such heads.
    Frames,
}

/// The state of a head that is incomplete.
#[derive(Default)]
struct Head {
    stage: Stage,
    bytes: usize,
    lines: usize,
    is_http_1_0: bool,
    length: Option<u64>,
    chunked: bool,
}

/// How much of a head has arrived.
#[derive(Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Nothing,
    /// Bytes, but only empty lines.
    Bytes,
    Request,
    /// The first line of the preface of HTTP/2.
    Preface,
}

impl Heads {
    /// The state of a connection that was just accepted.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            part: TemplatePart::Head(Head::default()),
            count: 0,
            refused: RefusedRequest::default(),
            most_lines: limits.header_lines,
            most_bytes: limits.header_bytes,
        }
    }

    /// The request that is refused, once there is one.
    pub(super) fn refused_request(&self) -> RefusedRequest {
        self.refused.clone()
    }

    /// Whether a head has begun and not ended; the preface of HTTP/2 counts as a head until its first
    /// request.
    pub(super) fn in_head(&self) -> bool {
        match &self.part {
            TemplatePart::Head(head) => head.stage != Stage::Nothing,
            TemplatePart::Body(_) | TemplatePart::Last => false,
            TemplatePart::Frames => true,
        }
    }

    /// Inspects bytes that were read; they begin with those that the last verdict did not pass, of which
    /// there are `searched`.
    pub(super) fn inspect(&mut self, bytes: &[u8], mut searched: usize) -> Verdict {
        let mut pass = 0;
        while pass < bytes.len() {
            let rest = bytes.get(pass..).unwrap_or_default();
            pass += match &mut self.part {
                TemplatePart::Head(head) => {
                    let end = rest.iter().skip(searched).position(|byte| *byte == b'\n').map(|at| searched + at + 1);
                    searched = 0;
                    let Some(line) = end.and_then(|end| rest.get(..end)) else {
                        if head.bytes.saturating_add(rest.len()) < self.most_bytes {
                            break;
                        }
                        return self.refuse(pass, rest, HeadRefusal::TooLarge);
                    };
                    let is_first = self.count == 0 && head.stage == Stage::Nothing;
                    match head.take(line, is_first, (self.most_lines, self.most_bytes)) {
                        Ok(HeadLine::Line) => {}
                        Ok(HeadLine::RequestLine) => self.count += 1,
                        Ok(HeadLine::End) => self.part = head.next(),
                        Err(refusal) => return self.refuse(pass, rest, refusal),
                    }
                    line.len()
                }
                TemplatePart::Body(left) => {
                    let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    *left -= taken as u64;
                    if *left == 0 {
                        self.part = TemplatePart::Head(Head::default());
                    }
                    taken
                }
                TemplatePart::Last | TemplatePart::Frames => rest.len(),
            };
        }
        Verdict { pass, instead: None }
    }

    /// Refuses the head to which this line belongs.
    fn refuse(&mut self, pass: usize, line: &[u8], refusal: HeadRefusal) -> Verdict {
        let has_request_line = matches!(&self.part, TemplatePart::Head(head) if head.stage == Stage::Request);
        let instead = if has_request_line {
            b"\r\n".to_vec()
        } else {
            self.count += 1;
            stand_in(line)
        };
        // There is one at most: nothing behind it is read.
        let _ = self.refused.0.set((self.count, refusal));
        self.part = TemplatePart::Last;
        Verdict { pass, instead: Some(instead) }
    }
}

/// A head in place of one whose request line is refused. It has the path up to the first character that is in
/// question, so that the refusal comes in the format of the API that was asked.
fn stand_in(line: &[u8]) -> Vec<u8> {
    let mut words = line.split(|byte| *byte == b' ');
    let method: &[u8] = if words.next() == Some(b"HEAD") { b"HEAD" } else { b"GET" };
    let path = words.next().filter(|target| target.starts_with(b"/")).unwrap_or(b"/");
    let is_plain = |byte: &&u8| byte.is_ascii_alphanumeric() || b"/_.-".contains(byte);
    let path: Vec<u8> = path.iter().take_while(is_plain).copied().collect();
    [method, b" ", &path, b" HTTP/1.1\r\nhost: refused\r\n\r\n"].concat()
}

/// What a line of a head was.
enum HeadLine {
    Line,
    RequestLine,
    End,
}

impl Head {
    /// Takes a line with its end. `may_be_preface` says that it is the first of the connection.
    fn take(
        &mut self,
        line: &[u8],
        may_be_preface: bool,
        (most_lines, most_bytes): (usize, usize),
    ) -> Result<HeadLine, HeadRefusal> {
        self.bytes = self.bytes.saturating_add(line.len());
        if self.bytes >= most_bytes {
            return Err(HeadRefusal::TooLarge);
        }
        let text = line.strip_suffix(b"\r\n").ok_or(HeadRefusal::Malformed)?;
        match (&self.stage, text) {
            // hyper skips empty lines before a head, so they do not end it.
            (Stage::Nothing | Stage::Bytes, b"") => {
                self.stage = Stage::Bytes;
                Ok(HeadLine::Line)
            }
            (Stage::Nothing, b"PRI * HTTP/2.0") if may_be_preface => {
                self.stage = Stage::Preface;
                Ok(HeadLine::Line)
            }
            (Stage::Nothing | Stage::Bytes, _) => {
                self.take_request_line(line)?;
                Ok(HeadLine::RequestLine)
            }
            (Stage::Request | Stage::Preface, b"") => Ok(HeadLine::End),
            (Stage::Preface, _) => Ok(HeadLine::Line),
            (Stage::Request, _) => {
                self.lines += 1;
                if self.lines > most_lines {
                    return Err(HeadRefusal::TooLarge);
                }
                self.take_header(line)?;
                Ok(HeadLine::Line)
            }
        }
    }

    /// Parses a request line as hyper does, by the same crates.
    fn take_request_line(&mut self, line: &[u8]) -> Result<(), HeadRefusal> {
        let mut request = httparse::Request::new(&mut []);
        let parsed = request.parse(line);
        let is_legal = parsed.is_ok() && request.path.is_some_and(|target| Uri::try_from(target).is_ok());
        self.stage = if is_legal { Stage::Request } else { return Err(HeadRefusal::Malformed) };
        self.is_http_1_0 = request.version == Some(0);
        Ok(())
    }

    fn take_header(&mut self, line: &[u8]) -> Result<(), HeadRefusal> {
        // The end of the headers is missing, so that a legal line is partial.
        httparse::parse_headers(line, &mut [httparse::EMPTY_HEADER]).map_err(|_| HeadRefusal::Malformed)?;
        let colon = line.iter().position(|byte| *byte == b':').ok_or(HeadRefusal::Malformed)?;
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            let last = value.rsplit(|byte| *byte == b',').next().unwrap_or_default();
            if self.is_http_1_0 || !last.trim_ascii().eq_ignore_ascii_case(b"chunked") {
                return Err(HeadRefusal::Malformed);
            }
            self.chunked = true;
        } else if name.eq_ignore_ascii_case(b"content-length") {
            let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
            let length = str::from_utf8(value).ok().filter(|_| is_number).and_then(|value| value.parse().ok());
            let length: u64 = length.ok_or(HeadRefusal::Malformed)?;
            if self.length.replace(length).is_some_and(|before| before != length) {
                return Err(HeadRefusal::Malformed);
            }
        }
        if self.chunked && self.length.is_some() { Err(HeadRefusal::Malformed) } else { Ok(()) }
    }

    fn next(&self) -> TemplatePart {
        match self.length {
            _ if self.stage == Stage::Preface => TemplatePart::Frames,
            _ if self.chunked => TemplatePart::Last,
            None | Some(0) => TemplatePart::Head(Self::default()),
            Some(length) => TemplatePart::Body(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HeadRefusal, Heads, Verdict};
    use crate::accept::Limits;

    /// What hyper gets of a connection that arrives in pieces of this size, and the number of the request
    /// that is refused.
    fn passed(text: &str, size: usize) -> (String, Option<(u64, HeadRefusal)>) {
        let mut heads = Heads::new(Limits::default());
        let (mut held, mut passed) = (Vec::new(), Vec::new());
        for piece in text.as_bytes().chunks(size) {
            let searched = held.len();
            held.extend_from_slice(piece);
            let Verdict { pass, instead } = heads.inspect(&held, searched);
            passed.extend(held.drain(..pass));
            if let Some(instead) = instead {
                passed.extend(instead);
                break;
            }
        }
        (String::from_utf8(passed).unwrap(), heads.refused_request().0.get().copied())
    }

    const SIZES: [usize; 6] = [1, 2, 3, 7, 64, 1000];

    #[test]
    fn a_head_that_parsers_read_differently_ends_before_its_bad_line_in_any_pieces() {
        let post = "POST / HTTP/1.1\r\n";
        for size in SIZES {
            for (good, bad) in [
                ("Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n"),
                ("transfer-encoding: chunked\r\n", "content-length: 1\r\n"),
                ("content-length: 1\r\n", "content-length: 2\r\n"),
                ("content-length: 1\r\n", "content-length : 1\r\n"),
                ("", "content-length: x\r\n"),
                ("", "transfer-encoding: xchunked\r\n"),
                ("host: x\r\n", " folded\r\n"),
                ("host: x\r\n", "a: b\n"),
                ("host: x\r\n", "a: b\0\r\n"),
                ("host: x\r\n", "a\"b: c\r\n"),
            ] {
                let (passed, refused) = passed(&format!("{post}{good}{bad}x: y\r\n\r\nmore"), size);
                assert_eq!(passed, format!("{post}{good}\r\n"), "{bad:?} in pieces of {size}");
                assert_eq!(refused, Some((1, HeadRefusal::Malformed)));
            }
        }
    }

    #[test]
    fn in_place_of_a_bad_request_line_comes_one_for_the_same_api() {
        for size in SIZES {
            for (line, instead) in [
                ("GET /api/v2/cdn/stories?a=\"b\" HTTP/1.1", "GET /api/v2/cdn/stories"),
                ("HEAD /x\u{1} HTTP/1.1", "HEAD /x"),
                ("GET  /x HTTP/1.1", "GET /"),
                ("G\"T /x HTTP/1.1", "GET /x"),
                ("GET /x HTTP/3.0", "GET /x"),
                ("nonsense", "GET /"),
            ] {
                let (passed, refused) = passed(&format!("GET / HTTP/1.1\r\n\r\n{line}\r\nhost: x\r\n\r\n"), size);
                assert_eq!(passed, format!("GET / HTTP/1.1\r\n\r\n{instead} HTTP/1.1\r\nhost: refused\r\n\r\n"), "{line}");
                assert_eq!(refused, Some((2, HeadRefusal::Malformed)));
            }
        }
    }

    #[test]
    fn what_is_legal_passes_as_it_is() {
        let with_body = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n\n\n\n\n";
        for text in [
            "POST / HTTP/1.1\r\ncontent-length: 20\r\n\r\ntransfer-encoding: x\r\n\r\n".to_owned(),
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1;\n\n\r\n0\r\n\r\n".to_owned(),
            "\r\n\r\nGET /a[b]?c={d}|e HTTP/1.1\r\nhost: x\r\nx-empty:\r\n\r\n".to_owned(),
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\n".to_owned(),
            format!("{with_body}\r\n{with_body}GET / HTTP/1.0\r\n\r\n"),
        ] {
            for size in SIZES {
                assert_eq!(passed(&text, size), (text.clone(), None), "in pieces of {size}");
            }
        }
    }

    #[test]
    fn heads_are_bounded_in_lines_and_bytes() {
        let Limits { header_lines, header_bytes, .. } = Limits::default();
        let start = "GET / HTTP/1.1\r\n";
        for (rest, is_refused) in [
            ("x: y\r\n".repeat(header_lines), false),
            ("x: y\r\n".repeat(header_lines + 1), true),
            (format!("x: {}\r\n", "y".repeat(header_bytes / 2)), false),
            (format!("x: {}\r\n", "y".repeat(header_bytes)), true),
            ("y".repeat(header_bytes), true),
        ] {
            let (_, refused) = passed(&format!("{start}{rest}"), 1000);
            assert_eq!(refused, is_refused.then_some((1, HeadRefusal::TooLarge)));
        }
        assert!(passed(&"\r\n".repeat(header_bytes), 1000).1.is_some());
        assert!(passed(&format!("GET /{} HTTP/1.1\r\n", "y".repeat(header_bytes)), 1000).1.is_some());
    }

    #[test]
    fn a_head_is_open_from_its_first_line_to_its_last() {
        let mut heads = Heads::new(Limits::default());
        let mut open = |text: &str| {
            assert_eq!(heads.inspect(text.as_bytes(), 0), Verdict { pass: text.len(), instead: None });
            heads.in_head()
        };
        assert!(open("\r\n"));
        assert!(open("GET / HTTP/1.1\r\ncontent-length: 2\r\n"));
        assert!(!open("\r\n"));
        assert!(!open("ab"));
        assert!(open("GET / HTTP/1.1\r\n"));
        assert!(!open("\r\nGET / HTTP/1.1\r\n\r\n"));
    }
}
