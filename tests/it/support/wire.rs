//! A client that sends what no library would.

use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Longer than anything here takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(15);

/// A connection.
pub struct Wire(TcpStream);

/// An answer as it came.
#[derive(Debug, PartialEq, Eq)]
pub struct Raw {
    /// The status.
    pub status: u16,
    /// The head's lines after the first, in lower case.
    pub head: String,
    /// What followed.
    pub body: String,
}

impl Wire {
    /// Opens one.
    pub async fn open(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    /// Sends bytes as they are. The other side may have hung up in the middle: that shows when the answer is read.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        let _ = self.0.write_all(bytes.as_ref()).await;
        self
    }

    /// Reads only the head of an answer.
    pub async fn head(&mut self) -> Option<String> {
        self.until("\r\n\r\n").await.map(|u| u.to_lowercase())
    }

    /// Reads to the end of a text.
    pub async fn until(&mut self, end: &str) -> Option<String> {
        let mut text = String::new();
        while !text.ends_with(end) {
            text.push(char::from(self.byte().await?));
        }
        Some(text)
    }

    /// Reads one answer with a `Content-Length`, or none when the connection was closed.
    pub async fn answer(&mut self) -> Option<Raw> {
        let text = self.head().await?;
        let (first, head) = text.split_once("\r\n").unwrap();
        let status = first.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_owned();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |map| map.parse().unwrap());
        let mut body = vec![0; length];
        timeout(PATIENCE, self.0.read_exact(&mut body)).await.unwrap().unwrap();
        Some(Raw { status, head, body: String::from_utf8(body).unwrap() })
    }

    /// Reads so many bytes, or none when the connection was closed before.
    pub async fn bytes(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; count];
        timeout(PATIENCE, self.0.read_exact(&mut bytes)).await.expect("bytes or the end of the connection").ok()?;
        Some(bytes)
    }

    /// Waits until the other side closes, and drops what it still says.
    pub async fn closed(&mut self) {
        while self.byte().await.is_some() {}
    }

    /// Whether nothing has come so far.
    pub fn is_silent(&self) -> bool {
        self.0.try_read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    }

    async fn byte(&mut self) -> Option<u8> {
        match timeout(PATIENCE, self.0.read_u8()).await {
            Ok(byte) => byte.ok(),
            Err(elapsed) => panic!("neither an answer nor the end of the connection: {elapsed}"),
        }
    }
}
