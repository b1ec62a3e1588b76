//! STARTTLS (RFC 3207). The commands before the handshake are not sent through lettre, because bytes that
//! arrive between the server's consent and the handshake must not be read as a reply of the encrypted
//! session: an attacker on the path could have injected them (CVE-2011-0411).

use super::reply::ReplyLine;
use std::io;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// The longest line of a reply, in bytes.
const MAX_LINE: u64 = 1000;
/// The most lines of a reply.
const MAX_LINES: usize = 64;

/// Why the session cannot be encrypted.
#[derive(Debug)]
pub(super) enum StartTlsError {
    Io(io::Error),
    /// The server replied with another code than the expected one.
    UnexpectedReply(u16, String),
    /// The server does not offer STARTTLS.
    NotOffered,
    /// More bytes than the reply arrived before the handshake.
    Injected,
}

impl From<io::Error> for StartTlsError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Sends `EHLO` and `STARTTLS`. After `Ok`, the next bytes on the stream are those of the TLS handshake.
pub(super) async fn start_tls(stream: &mut TcpStream, hello: &str) -> Result<(), StartTlsError> {
    let mut stream = BufReader::new(stream);
    read_reply(&mut stream, 220).await?;
    stream.write_all(format!("EHLO {hello}\r\n").as_bytes()).await?;
    let extensions = read_reply(&mut stream, 250).await?;
    if !extensions.iter().any(|extension| extension.trim().eq_ignore_ascii_case("STARTTLS")) {
        return Err(StartTlsError::NotOffered);
    }
    stream.write_all(b"STARTTLS\r\n").await?;
    read_reply(&mut stream, 220).await?;
    if stream.buffer().is_empty() { Ok(()) } else { Err(StartTlsError::Injected) }
}

/// Reads a reply with the expected code. Answers its lines without the code.
async fn read_reply(stream: &mut BufReader<&mut TcpStream>, expected: u16) -> Result<Vec<String>, StartTlsError> {
    let mut lines = Vec::new();
    for _ in 0..MAX_LINES {
        let mut line = Vec::new();
        if (&mut *stream).take(MAX_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let ReplyLine { code, is_last, text } =
            ReplyLine::parse(&line).ok_or(io::ErrorKind::InvalidData).map_err(io::Error::from)?;
        if code != expected {
            return Err(StartTlsError::UnexpectedReply(code, text));
        }
        lines.push(text);
        if is_last {
            return Ok(lines);
        }
    }
    Err(io::Error::from(io::ErrorKind::InvalidData).into())
}
