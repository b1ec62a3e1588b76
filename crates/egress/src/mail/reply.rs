//! Replies of a mail server (RFC 5321, section 4.2), read more leniently than lettre reads them.
//!
//! lettre refuses a line that has a code and no text, which a client must accept (section 4.2.1), a text that
//! is not UTF-8, and a keyword of `EHLO` that is not in upper case (section 2.4). A server that writes one of
//! these would get every mail again and again, because its acceptance is not understood. So the bytes of the
//! server go through [`Replies`], which passes on lines that lettre reads:
//!
//! ```text
//! server -> Replies::receive -> whole lines, normalised -> Replies::take -> lettre
//! lettre -> Replies::command -> which reply comes next
//! ```

use std::io;

/// The longest text of a line that is passed on, in bytes. lettre refuses lines of more than 1000; a line may
/// have 512 (RFC 5321, section 4.5.3.1.5).
const MAX_TEXT: usize = 900;
/// The longest reply to one command, in bytes.
const MAX_REPLY: usize = 64 << 10;
/// What stands in the place of a server's name that is missing in its reply to `EHLO`. lettre wants one.
const NO_NAME: &str = "unnamed";

/// A line of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReplyLine {
    pub(super) code: u16,
    /// Whether it is the last line of its reply.
    pub(super) is_last: bool,
    /// What stands behind the code, which may be nothing.
    pub(super) text: String,
}

impl ReplyLine {
    /// Reads a line, with or without its end. `None` when it does not begin with a code.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (code, rest) = line.split_at_checked(3).filter(|(code, _)| code.iter().all(u8::is_ascii_digit))?;
        let code = code.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0'));
        let (is_last, text) = match rest.split_first() {
            None => (true, rest),
            Some((b' ', text)) => (true, text),
            Some((b'-', text)) => (false, text),
            Some(_) => return None,
        };
        Some(Self { code, is_last, text: decode(text) })
    }

    /// The line as lettre reads it.
    fn write(&self, to: &mut Vec<u8>) {
        let separator = if self.is_last { ' ' } else { '-' };
        let text = self.text.get(..self.text.floor_char_boundary(MAX_TEXT)).unwrap_or_default();
        to.extend_from_slice(format!("{:03}{separator}{text}\r\n", self.code).as_bytes());
    }
}

/// The text of a line. Bytes that are not UTF-8 are read as Latin-1, in which older servers write: each byte
/// is a character then.
fn decode(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => text.iter().copied().map(char::from).collect(),
    }
}

/// The replies of a server, on their way to lettre.
#[derive(Debug, Default)]
pub(super) struct Replies {
    /// The bytes of a line whose end has not arrived.
    unfinished: Vec<u8>,
    /// Lines that were not taken yet, from `taken` on.
    ready: Vec<u8>,
    taken: usize,
    /// How many bytes were received since the last command.
    received: usize,
    /// Whether the last command was `EHLO`, whose reply lists keywords.
    is_hello: bool,
    /// Whether the bytes that are sent next begin a command: nothing was sent since the last reply.
    is_new_command: bool,
}

impl Replies {
    /// Before the server's greeting. With `greeting`, that was read already, and is what is taken first.
    pub(super) fn new(greeting: &[u8]) -> Self {
        Self { ready: greeting.to_vec(), is_new_command: true, ..Self::default() }
    }

    /// Notes bytes that are sent to the server. They may be a part of a command.
    pub(super) fn command(&mut self, bytes: &[u8]) {
        if self.is_new_command {
            self.is_hello = bytes.get(..4).is_some_and(|verb| verb.eq_ignore_ascii_case(b"EHLO"));
        }
        self.is_new_command = false;
        self.received = 0;
    }

    /// Takes bytes of the server. Fails when a reply is too long, which bounds the memory.
    pub(super) fn receive(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.is_new_command = true;
        self.received = self.received.saturating_add(bytes.len());
        if self.received > MAX_REPLY {
            return Err(io::Error::other("the server sends a reply without end"));
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.unfinished.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.finish_line();
            }
        }
        Ok(())
    }

    /// Passes on the line that has arrived. What is no reply is passed on as it is, for lettre to refuse.
    fn finish_line(&mut self) {
        let line = std::mem::take(&mut self.unfinished);
        match ReplyLine::parse(&line) {
            Some(line) if self.is_hello && line.code == 250 => keywords(line).write(&mut self.ready),
            Some(line) => line.write(&mut self.ready),
            None => self.ready.extend_from_slice(decode(&line).as_bytes()),
        }
    }

    /// Takes bytes for lettre, at most this many. None when no line is ready.
    pub(super) fn take(&mut self, most: usize) -> &[u8] {
        if self.taken == self.ready.len() {
            self.ready.clear();
            self.taken = 0;
        }
        let from = self.taken;
        self.taken = self.ready.len().min(from.saturating_add(most));
        self.ready.get(from..self.taken).unwrap_or_default()
    }
}

/// A line of the reply that accepts `EHLO`, with its keyword in upper case and the server's name in place.
fn keywords(line: ReplyLine) -> ReplyLine {
    let text = if line.text.trim().is_empty() { NO_NAME.to_owned() } else { line.text.to_ascii_uppercase() };
    ReplyLine { text, ..line }
}

#[cfg(test)]
mod tests {
    use super::{MAX_REPLY, MAX_TEXT, Replies, ReplyLine};
    use proptest::prelude::*;

    fn line(code: u16, is_last: bool, text: &str) -> ReplyLine {
        ReplyLine { code, is_last, text: text.to_owned() }
    }

    /// What lettre gets for bytes of the server.
    fn passed(replies: &mut Replies, bytes: &[u8]) -> String {
        replies.receive(bytes).unwrap();
        String::from_utf8(replies.take(usize::MAX).to_vec()).unwrap()
    }

    fn of_other_command(bytes: &[u8]) -> String {
        passed(&mut Replies::new(b""), bytes)
    }

    fn of_hello(bytes: &[u8]) -> String {
        let mut replies = Replies::new(b"");
        replies.command(b"EHLO cms.example.com\r\n");
        passed(&mut replies, bytes)
    }

    #[test]
    fn a_line_has_a_code_and_perhaps_a_text() {
        for (bytes, expected) in [
            (&b"250 ok\r\n"[..], line(250, true, "ok")),
            (b"250\r\n", line(250, true, "")),
            (b"250", line(250, true, "")),
            (b"250 \r\n", line(250, true, "")),
            (b"250-\r\n", line(250, false, "")),
            (b"250-SIZE 1000\n", line(250, false, "SIZE 1000")),
            (b"550 Empf\xe4nger unbekannt\r\n", line(550, true, "Empfänger unbekannt")),
            ("550 Empfänger\r\n".as_bytes(), line(550, true, "Empfänger")),
        ] {
            assert_eq!(ReplyLine::parse(bytes), Some(expected), "{bytes:?}");
        }
        for bytes in [&b""[..], b"\r\n", b"25\r\n", b"2506-me\r\n", b"ok 250\r\n", b" 250 ok\r\n", b"+50 ok\r\n"] {
            assert_eq!(ReplyLine::parse(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn lettre_gets_lines_that_it_reads() {
        for (sent, got) in [
            (&b"250\r\n"[..], "250 \r\n"),
            (b"250-one\r\n250-\r\n250\r\n", "250-one\r\n250-\r\n250 \r\n"),
            (b"550 gesch\xfctzt\r\n", "550 geschützt\r\n"),
            (b"250 ok\n", "250 ok\r\n"),
            (b"250 smtp.example.org auth\r\n", "250 smtp.example.org auth\r\n"),
            (b"hello\r\n", "hello\r\n"),
        ] {
            assert_eq!(of_other_command(sent), got, "{sent:?}");
        }
    }

    #[test]
    fn keywords_of_ehlo_are_read_in_any_case() {
        let sent = b"250-mail.example.org\r\n250-8bitmime\r\n250-Auth Plain login\r\n250 StartTls\r\n";
        assert_eq!(of_hello(sent), "250-MAIL.EXAMPLE.ORG\r\n250-8BITMIME\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS\r\n");
        assert_eq!(of_hello(b"250\r\n"), "250 unnamed\r\n");
        assert_eq!(of_hello(b"250-\r\n250 auth plain\r\n"), "250-unnamed\r\n250 AUTH PLAIN\r\n");
    }

    #[test]
    fn only_the_reply_to_ehlo_lists_keywords() {
        let mut replies = Replies::new(b"220 encrypted\r\n");
        assert_eq!(replies.take(4), b"220 ");
        assert_eq!(replies.take(100), b"encrypted\r\n");
        // lettre may send a command in two pieces.
        replies.command(b"ehlo cms.exa");
        replies.command(b"mple.com\r\n");
        assert_eq!(passed(&mut replies, b"250 me\r\n"), "250 ME\r\n");
        replies.command(b"MAIL FROM:<ann@example.org>\r\n");
        assert_eq!(passed(&mut replies, b"250 fine\r\n"), "250 fine\r\n");
    }

    #[test]
    fn a_long_text_is_cut_and_a_reply_without_end_is_refused() {
        let long = [b"550 ", "ü".repeat(MAX_TEXT).as_bytes(), b"\r\n"].concat();
        assert_eq!(of_other_command(&long).len(), "550 \r\n".len() + MAX_TEXT);
        let mut replies = Replies::new(b"");
        let half = vec![b'x'; MAX_REPLY / 2];
        assert_eq!(
            [replies.receive(&half).is_ok(), replies.receive(&half).is_ok(), replies.receive(b"x").is_ok()],
            [true, true, false]
        );
        // What comes after another command is counted anew.
        let mut replies = Replies::new(b"");
        replies.receive(&half).unwrap();
        replies.command(b"NOOP\r\n");
        assert!(replies.receive(&half).is_ok() && replies.receive(&half).is_ok());
    }

    #[test]
    fn a_line_that_does_not_end_is_no_reply() {
        let mut replies = Replies::new(b"");
        assert_eq!(passed(&mut replies, b"250 o"), "");
        assert_eq!(passed(&mut replies, b"k\r\n2"), "250 ok\r\n");
    }

    proptest! {
        /// Whatever arrives, in whatever pieces: lettre gets UTF-8 in whole lines, the same for each way to
        /// cut it, and no longer than it reads.
        #[test]
        fn the_pieces_in_which_a_reply_arrives_do_not_matter(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"2500- \r\nAuth\xe4".to_vec())], 0..200),
            cut in 0_usize..200,
            room in 1_usize..50,
            is_hello: bool,
        ) {
            let run = |pieces: &[&[u8]]| {
                let mut replies = Replies::new(b"");
                replies.command(if is_hello { b"EHLO a\r\n" } else { b"NOOP\r\n" });
                let mut got = Vec::new();
                for piece in pieces {
                    replies.receive(piece).unwrap();
                    loop {
                        let taken = replies.take(room);
                        if taken.is_empty() {
                            break;
                        }
                        got.extend_from_slice(taken);
                    }
                }
                String::from_utf8(got).unwrap()
            };
            let (first, second) = bytes.split_at(cut.min(bytes.len()));
            let whole = run(&[&bytes]);
            prop_assert_eq!(&run(&[first, second]), &whole);
            prop_assert!(whole.is_empty() || whole.ends_with('\n'));
        }

        /// A reply that lettre reads already is passed on as it is.
        #[test]
        fn a_good_reply_is_not_changed(lines in prop::collection::vec("\\PC{0,80}", 0..5), last in "\\PC{0,80}", code in 200_u16..600) {
            let lines = lines.iter().map(|text| format!("{code}-{text}\r\n"));
            let sent = lines.chain([format!("{code} {last}\r\n")]).collect::<Vec<_>>().concat();
            prop_assert_eq!(of_other_command(sent.as_bytes()), sent);
        }

        /// Of any text lettre gets a line with the same code, which it reads.
        #[test]
        fn every_line_with_a_code_is_one_that_lettre_reads(code in 200_u16..560, is_last: bool, text in prop::collection::vec(any::<u8>(), 0..2000)) {
            let separator = if is_last { b' ' } else { b'-' };
            let text: Vec<u8> = text.into_iter().filter(|byte| *byte != b'\n').collect();
            let sent = [code.to_string().as_bytes(), &[separator], &text, b"\r\n"].concat();
            let got = of_other_command(&sent);
            prop_assert!(got.len() <= 1000 && got.ends_with("\r\n"));
            prop_assert_eq!(got.as_bytes().get(..4), sent.get(..4));
        }
    }
}
