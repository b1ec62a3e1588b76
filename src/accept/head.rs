//! A look at the raw head of a request, for what hyper would quietly put right: a length beside a chunked body, and lines without a
//! carriage return. Somebody between the client and us may read such a head differently, and then one request becomes two (request
//! smuggling). What is found makes the head unreadable, so that hyper itself answers 400 and hangs up.

/// What follows bytes that were spoiled: no head can hold it, and the end makes hyper look.
pub(super) const SPOILT: &[u8] = b"\0\r\n\r\n";

/// The bytes of one head so far.
#[derive(Default)]
pub(super) struct Head {
    seen: Vec<u8>,
    complete: bool,
    /// Which request of the connection it belongs to.
    number: usize,
}

impl Head {
    /// Looks at bytes that were just read while request `number` is expected, and spoils them if they may not be; answers whether it
    /// did. [`SPOILT`] has to follow then.
    pub(super) fn inspect(&mut self, bytes: &mut [u8], number: usize) -> bool {
        if number != self.number {
            *self = Self { number, ..Self::default() };
        }
        if self.complete {
            return false;
        }
        let mut already = self.seen.len();
        self.seen.extend_from_slice(bytes);
        // hyper skips empty lines before a head, so they are not its end.
        while self.seen.starts_with(b"\r\n") {
            self.seen.drain(..2);
            already = already.saturating_sub(2);
        }
        // The end may lie across two reads.
        let from = already.saturating_sub(3);
        let end = self.seen.get(from..).and_then(|it| it.windows(4).position(|four| four == b"\r\n\r\n")).map(|it| from + it);
        let head = self.seen.get(..end.unwrap_or(self.seen.len())).unwrap_or_default();
        let bad = has_bare_line_feed(head) || end.is_some() && has_two_lengths(head);
        if bad {
            bytes.fill(0);
        }
        if end.is_some() {
            self.complete = true;
            self.seen = Vec::new();
        }
        bad
    }
}

fn has_bare_line_feed(head: &[u8]) -> bool {
    head.first() == Some(&b'\n') || head.windows(2).any(|two| matches!(two, [before, b'\n'] if *before != b'\r'))
}

fn has_two_lengths(head: &[u8]) -> bool {
    let has = |wanted: &[u8]| {
        let names = head.split(|it| *it == b'\n').filter_map(|line| line.split(|it| *it == b':').next());
        names.into_iter().any(|name| name.trim_ascii().eq_ignore_ascii_case(wanted))
    };
    has(b"transfer-encoding") && has(b"content-length")
}

#[cfg(test)]
mod tests {
    use super::Head;

    /// Whether the head is spoiled when it arrives in pieces of a size.
    fn spoiled(text: &str, size: usize) -> bool {
        let mut head = Head::default();
        text.as_bytes().chunks(size).any(|piece| {
            let mut bytes = piece.to_vec();
            assert_eq!(head.inspect(&mut bytes, 0), bytes != piece);
            bytes != piece
        })
    }

    #[test]
    fn two_lengths_and_bare_line_feeds_are_spoiled_in_any_pieces() {
        for size in [1, 2, 3, 7, 1000] {
            for (text, bad) in [
                ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", true),
                ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", true),
                ("POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\ntransfer-encoding: x\r\n\r\n", false),
                ("POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\n\n", false),
                ("GET / HTTP/1.1\nhost: x\n\n", true),
                ("\nGET / HTTP/1.1\r\nhost: x\r\n\r\n", true),
                ("\r\n\r\nPOST / HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", true),
                ("\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n", false),
                ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\n", false),
            ] {
                assert_eq!(spoiled(text, size), bad, "{text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn each_request_has_a_head_of_its_own() {
        let mut head = Head::default();
        let mut see = |text: &str, number| head.inspect(&mut text.as_bytes().to_vec(), number);
        assert!(!see("GET / HTTP/1.1\r\ncontent-length: 1\r\n\r\n", 0));
        assert!(!see("\n", 0), "a body is no head");
        assert!(see("\n", 1));
    }
}
