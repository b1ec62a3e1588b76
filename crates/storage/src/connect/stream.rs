//! The bytes between this process and PostgreSQL: a socket with a buffer for reading.

use super::address::Address;
use crate::{GONE, IsThere};
use socket2::{SockRef, TcpKeepalive};
use std::io;
use tokio::{
    io::BufReader,
    net::{TcpStream, UnixStream},
};
use tokio_postgres::Config;
use tokio_util::either::Either;

/// How much of an answer is read at once. tokio-postgres asks for at most 8 KB, and a page of stories has a
/// hundred.
const BUFFER: usize = 64 * 1024;

/// A socket of either kind. Only what is read has a buffer of its own: tokio-postgres collects what it
/// writes.
pub(crate) type Stream = BufReader<Either<TcpStream, UnixStream>>;

/// Connects to an address, with the limits of the configuration for a network that falls silent.
///
/// A socket below a data directory is that of its own PostgreSQL only while `is_there` says so. That is asked
/// when the connection has been made: before, the directory could still be replaced by another server's.
pub(crate) async fn connect(address: &Address, config: &Config, is_there: Option<&IsThere>) -> io::Result<Stream> {
    let socket = match address {
        Address::Tcp(address) => Either::Left(tcp(TcpStream::connect(address).await?, config)?),
        Address::Unix(file) => Either::Right(UnixStream::connect(file).await?),
    };
    if is_there.is_some_and(|is_there| !is_there()) {
        return Err(io::Error::other(GONE));
    }
    Ok(BufReader::with_capacity(BUFFER, socket))
}

fn tcp(stream: TcpStream, config: &Config) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(&stream);
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(config.get_tcp_user_timeout().copied())?;
    if config.get_keepalives() {
        let mut keepalive = TcpKeepalive::new().with_time(config.get_keepalives_idle());
        if let Some(interval) = config.get_keepalives_interval() {
            keepalive = keepalive.with_interval(interval);
        }
        if let Some(retries) = config.get_keepalives_retries() {
            keepalive = keepalive.with_retries(retries);
        }
        socket.set_tcp_keepalive(&keepalive)?;
    }
    Ok(stream)
}
