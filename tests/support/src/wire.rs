//! A raw HTTP/1.1 client, for requests that no library sends.

use crate::PATIENCE;
use std::net::{IpAddr, SocketAddr};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// A connection.
pub struct Wire(TcpStream);

/// A received response.
#[derive(Debug, PartialEq, Eq)]
pub struct Raw {
    pub status: u16,
    /// The head's lines after the first, in lower case.
    pub head: String,
    pub body: String,
}

impl Wire {
    /// Opens one.
    pub async fn open(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    /// Opens one from an address of this machine.
    pub async fn open_from(source: IpAddr, address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((source, 0).into()).unwrap();
        Self(socket.connect(address).await.unwrap())
    }

    /// Sends bytes as they are. A connection that the server closed meanwhile shows when the response is
    /// read.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        let _ = self.0.write_all(bytes.as_ref()).await;
        self
    }

    /// Reads only the head of a response.
    pub async fn head(&mut self) -> Option<String> {
        self.until("\r\n\r\n").await.map(|u| u.to_lowercase())
    }

    /// Reads up to this text.
    pub async fn until(&mut self, end: &str) -> Option<String> {
        let mut text = String::new();
        while !text.ends_with(end) {
            text.push(char::from(self.byte().await?));
        }
        Some(text)
    }

    /// Reads a response with a `Content-Length`; `None` when the connection was closed.
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

    /// Reads this many bytes; `None` when the connection was closed before.
    pub async fn bytes(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; count];
        timeout(PATIENCE, self.0.read_exact(&mut bytes)).await.expect("bytes or the end of the connection").ok()?;
        Some(bytes)
    }

    /// Waits until the server closes the connection, and discards what it still sends.
    pub async fn closed(&mut self) {
        while self.byte().await.is_some() {}
    }

    /// Whether no byte has arrived so far.
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
