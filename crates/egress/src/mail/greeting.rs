//! The few words before STARTTLS. They are our own, because what comes between the server's consent and the handshake must not be taken
//! for an answer of the encrypted conversation: somebody on the way could have put it there (CVE-2011-0411 and its kin).

use std::io;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// The longest line, and the most lines of an answer.
const LINE: u64 = 1000;
const LINES: usize = 64;

/// Why the server is not to be spoken to in secret.
#[derive(Debug)]
pub(super) enum Refused {
    /// The connection.
    Broken(io::Error),
    /// It answered something else than was hoped for.
    Answer(u16, String),
    /// It cannot encrypt, so nothing is told to it.
    NotOffered,
    /// It, or somebody on the way, said more than it was asked.
    Injected,
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// Greets, and asks for TLS. When it is `Ok`, the next bytes are those of the handshake.
pub(super) async fn start_tls(stream: &mut TcpStream, hello: &str) -> Result<(), Refused> {
    let mut stream = BufReader::new(stream);
    expect(&mut stream, 220).await?;
    stream.write_all(format!("EHLO {hello}\r\n").as_bytes()).await?;
    let offers = expect(&mut stream, 250).await?;
    if !offers.iter().any(|offer| offer.eq_ignore_ascii_case("STARTTLS")) {
        return Err(Refused::NotOffered);
    }
    stream.write_all(b"STARTTLS\r\n").await?;
    expect(&mut stream, 220).await?;
    if stream.buffer().is_empty() { Ok(()) } else { Err(Refused::Injected) }
}

/// The lines of an answer with this code, without the code.
async fn expect(stream: &mut BufReader<&mut TcpStream>, code: u16) -> Result<Vec<String>, Refused> {
    let mut lines = Vec::new();
    for _ in 0..LINES {
        let mut line = Vec::new();
        if (&mut *stream).take(LINE).read_until(b'\n', &mut line).await? == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let line = String::from_utf8_lossy(&line);
        let (said, text) = line.trim_end().split_at_checked(3).unwrap_or_default();
        let said: u16 = said.parse().map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        let is_last = !text.starts_with('-');
        let text = text.trim_start_matches(['-', ' ']);
        if said != code {
            return Err(Refused::Answer(said, text.to_owned()));
        }
        lines.push(text.to_owned());
        if is_last {
            return Ok(lines);
        }
    }
    Err(io::Error::from(io::ErrorKind::InvalidData).into())
}
