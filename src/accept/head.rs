//! Inspects the raw heads of requests for what hyper would silently correct: a `Content-Length` beside a chunked body, and lines without a
//! carriage return. A proxy in front may read such a head differently, and then one request becomes two (request smuggling, RFC 9112,
//! section 11.2). Such a head is overwritten with bytes that hyper cannot parse, so that hyper answers 400 and closes the connection.
//!
//! Several requests may arrive in one read, so the bytes are followed from head to body to head.

/// What has to follow overwritten bytes: no head can contain a zero byte, and the empty line makes hyper parse it.
pub(super) const INVALID: &[u8] = b"\0\r\n\r\n";

/// The part of a request that the last byte of a connection belonged to.
pub(super) enum Heads {
    /// Before or within a head.
    Head(Head),
    /// Within a body of which this many bytes are missing.
    Body(u64),
    /// Within a chunked body: its request is the last one of the connection (see `service`), so its end is not looked for.
    Last,
    /// Within HTTP/2, which has no such heads.
    Frames,
}

/// The state of a head that is incomplete.
#[derive(Default)]
pub(super) struct Head {
    stage: Stage,
    /// The incomplete line.
    line: Vec<u8>,
    length: Option<u64>,
    chunked: bool,
}

/// How much of a head has arrived.
#[derive(Default, PartialEq, Eq)]
enum Stage {
    /// No byte.
    #[default]
    Nothing,
    /// Bytes, but only empty lines.
    Bytes,
    /// The request line.
    Request,
    /// The first line of the preface of HTTP/2.
    Preface,
}

impl Heads {
    /// The state of a connection that was just accepted.
    pub(super) fn new() -> Self {
        Self::Head(Head::default())
    }

    /// Whether a head has begun and not ended; the preface of HTTP/2 counts as a head until its first request.
    pub(super) fn in_head(&self) -> bool {
        match self {
            Self::Head(head) => head.stage != Stage::Nothing,
            Self::Body(_) | Self::Last => false,
            Self::Frames => true,
        }
    }

    /// Inspects the bytes that were just read. Returns whether they are ambiguous; then they are overwritten from there on, and [`INVALID`]
    /// has to follow.
    pub(super) fn inspect(&mut self, mut bytes: &mut [u8]) -> bool {
        while !bytes.is_empty() {
            let taken = match self {
                Self::Head(head) => {
                    // Up to the end of the line, or all bytes.
                    let taken = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
                    match head.take(bytes.get(..taken).unwrap_or_default()) {
                        Ok(None) => {}
                        Ok(Some(next)) => *self = next,
                        Err(Ambiguous) => {
                            bytes.fill(0);
                            return true;
                        }
                    }
                    taken
                }
                Self::Body(left) => {
                    let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                    *left -= taken as u64;
                    if *left == 0 {
                        *self = Self::new();
                    }
                    taken
                }
                Self::Last | Self::Frames => return false,
            };
            bytes = bytes.get_mut(taken..).unwrap_or_default();
        }
        false
    }
}

/// Two parsers may read the head differently.
struct Ambiguous;

impl Head {
    /// Takes a line, or the part of it that has arrived. Returns what follows the head when it is complete.
    fn take(&mut self, bytes: &[u8]) -> Result<Option<Heads>, Ambiguous> {
        if self.stage == Stage::Nothing {
            self.stage = Stage::Bytes;
        }
        self.line.extend_from_slice(bytes);
        if !self.line.ends_with(b"\n") {
            return Ok(None);
        }
        let Some(line) = self.line.strip_suffix(b"\r\n") else { return Err(Ambiguous) };
        let is_first = matches!(self.stage, Stage::Nothing | Stage::Bytes);
        // hyper skips empty lines before a head, so they do not end it.
        if line.is_empty() && !is_first {
            return Ok(Some(self.next()));
        }
        if !line.is_empty() && is_first {
            self.stage = if line == b"PRI * HTTP/2.0" { Stage::Preface } else { Stage::Request };
        } else if let Some(colon) = line.iter().position(|l| *l == b':') {
            let (name, value) = line.split_at(colon);
            match name.trim_ascii() {
                name if name.eq_ignore_ascii_case(b"transfer-encoding") => self.chunked = true,
                // hyper refuses a length that is no number, and two different ones.
                name if name.eq_ignore_ascii_case(b"content-length") => {
                    self.length =
                        value.get(1..).and_then(|value| str::from_utf8(value.trim_ascii()).ok()?.parse().ok()).or(Some(0));
                }
                _ => {}
            }
        }
        self.line.clear();
        if self.chunked && self.length.is_some() { Err(Ambiguous) } else { Ok(None) }
    }

    fn next(&self) -> Heads {
        match self.length {
            _ if self.stage == Stage::Preface => Heads::Frames,
            _ if self.chunked => Heads::Last,
            None | Some(0) => Heads::new(),
            Some(length) => Heads::Body(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Heads;

    /// How many bytes of a connection stay as they are when they arrive in pieces of this size.
    fn readable(text: &str, size: usize) -> usize {
        let mut heads = Heads::new();
        let mut readable = 0;
        for piece in text.as_bytes().chunks(size) {
            let mut bytes = piece.to_vec();
            let overwritten = heads.inspect(&mut bytes);
            let same = bytes.iter().zip(piece).take_while(|(byte, was)| byte == was).count();
            readable += same;
            assert_eq!(overwritten, same < piece.len());
            assert!(bytes.iter().skip(same).all(|byte| *byte == 0));
            if overwritten {
                break;
            }
        }
        readable
    }

    #[test]
    fn two_lengths_and_bare_line_feeds_are_overwritten_in_any_pieces() {
        for size in [1, 2, 3, 7, 1000] {
            for (text, bad) in [
                ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", true),
                ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", true),
                ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: x\r\n\r\n", true),
                ("POST / HTTP/1.1\r\ncontent-length: 20\r\n\r\ntransfer-encoding: x\r\n\r\n", false),
                ("POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\n\n", false),
                ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1;\n\n\r\n0\r\n\r\n", false),
                ("GET / HTTP/1.1\nhost: x\n\n", true),
                ("\nGET / HTTP/1.1\r\nhost: x\r\n\r\n", true),
                ("\r\n\r\nPOST / HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", true),
                ("\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n", false),
                ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\n", false),
            ] {
                assert_eq!(readable(text, size) < text.len(), bad, "{text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn only_the_bad_one_of_several_requests_is_overwritten() {
        let good = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
        let with_body = "POST / HTTP/1.1\r\nhost: x\r\nContent-Length : 4\r\n\r\n\n\n\n\n";
        let bad = "GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n";
        for before in [String::new(), good.to_owned(), with_body.to_owned(), good.repeat(3) + with_body + "\r\n" + with_body] {
            let text = format!("{before}{bad}");
            for size in [1, 2, 3, 7, 64, 1000] {
                let left = readable(&text, size);
                assert!(left >= before.len() && left < text.len(), "{left} of {text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn a_head_is_open_from_its_first_byte_to_its_last() {
        let mut heads = Heads::new();
        let mut open = |text: &str| {
            assert!(!heads.inspect(&mut text.as_bytes().to_vec()));
            heads.in_head()
        };
        assert!(open("\r\n"));
        assert!(open("GET / HTTP/1.1\r\ncontent-length: 2\r\n"));
        assert!(!open("\r\n"));
        assert!(!open("ab"));
        assert!(open("G"));
        assert!(!open("ET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n"));
        assert!(open("PRI * HTTP/2.0\r\n\r\nSM"), "until the first request");
    }
}
