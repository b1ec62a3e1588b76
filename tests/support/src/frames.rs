//! Raw HTTP/2 frames, for requests that no client library sends.

use crate::Wire;
use std::net::SocketAddr;

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RESET: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GO_AWAY: u8 = 7;
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;

pub const END_STREAM: u8 = 1;
pub const END_HEADERS: u8 = 4;

/// The error code `ENHANCE_YOUR_CALM`.
pub const ENHANCE_YOUR_CALM: u32 = 11;

/// A received frame.
#[derive(Debug)]
pub struct Frame {
    pub stream: u32,
    pub payload: Vec<u8>,
}

/// A connection after the preface and settings.
pub struct Frames(Wire);

impl Frames {
    /// Opens one.
    pub async fn open(address: SocketAddr) -> Self {
        let mut wire = Wire::open(address).await;
        wire.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.send(frame(SETTINGS, 0, 0, b"")).await;
        Self(wire)
    }

    /// Sends frames.
    pub async fn send(&mut self, frames: impl AsRef<[u8]>) -> &mut Self {
        self.0.send(frames).await;
        self
    }

    /// Reads up to the next frame of a kind; `None` when the connection is closed before.
    pub async fn next(&mut self, kind: u8) -> Option<Frame> {
        loop {
            let head = self.0.bytes(9).await?;
            let payload = self.0.bytes(usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2])).await?;
            if head[3] == kind {
                return Some(Frame { stream: u32::from_be_bytes(head[5..9].try_into().unwrap()), payload });
            }
        }
    }

    /// The error code of GOAWAY; `None` when the connection was closed without one.
    pub async fn farewell(&mut self) -> Option<u32> {
        let farewell = self.next(GO_AWAY).await?;
        Some(u32::from_be_bytes(farewell.payload[4..8].try_into().unwrap()))
    }

    /// Waits until the server closes the connection.
    pub async fn closed(&mut self) {
        self.0.closed().await;
    }
}

/// A frame.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The header lines of a GET.
pub fn get(path: &str) -> Vec<u8> {
    [&[0x82, 0x86, 0x01, 1, b'x', 0x04, u8::try_from(path.len()).unwrap()], path.as_bytes()].concat()
}

/// One more header line.
pub fn line(name: &str, value: &str) -> Vec<u8> {
    let length = |value: &str| u8::try_from(value.len()).ok().filter(|value| *value < 127).unwrap();
    [&[0, length(name)], name.as_bytes(), &[length(value)], value.as_bytes()].concat()
}
