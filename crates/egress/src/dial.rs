//! Opens connections to one of several addresses, in clear text or over TLS.

use crate::dns::Resolver;
use rustls::{ClientConfig, ProtocolVersion, pki_types::ServerName};
use std::{
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpStream, lookup_host},
    time::timeout,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

/// How many addresses of one host are tried, and how long each may take.
const MAX_ADDRESSES: usize = 4;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A byte stream, in clear text or over TLS.
pub(crate) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Stream {
    /// The version of TLS, such as `TLSv1.3`; `None` in clear text.
    pub(crate) fn tls_version(&self) -> Option<&'static str> {
        match self {
            Self::Plain(_) => None,
            Self::Tls(stream) => match stream.get_ref().1.protocol_version()? {
                ProtocolVersion::TLSv1_2 => Some("TLSv1.2"),
                ProtocolVersion::TLSv1_3 => Some("TLSv1.3"),
                _ => Some("unknown"),
            },
        }
    }
}

/// The addresses of a host that the operator configured, asked of the resolver, or of the system without one,
/// since the name may be known to this machine only.
pub(crate) async fn addresses(resolver: Option<&Resolver>, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    match resolver {
        None => Ok(lookup_host((host, port)).await?.collect()),
        Some(resolver) => {
            let addresses = resolver.addresses(host).await.map_err(io::Error::other)?;
            Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
        }
    }
}

/// Connects to the first address that accepts.
pub(crate) async fn tcp(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in addresses.iter().take(MAX_ADDRESSES) {
        match timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Ok(Err(error)) => last = error,
            Err(_) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(last)
}

/// Performs the TLS handshake. The name is sent to the server, and its certificate must be for it.
pub(crate) async fn tls(stream: TcpStream, config: Arc<ClientConfig>, name: ServerName<'static>) -> io::Result<Stream> {
    let stream = TlsConnector::from(config).connect(name, stream).await?;
    Ok(Stream::Tls(Box::new(stream)))
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(stream.as_mut()).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream.as_mut()).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream.as_mut()).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream.as_mut()).poll_shutdown(context),
        }
    }
}
