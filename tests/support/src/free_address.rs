//! Addresses for programs that cannot choose a port themselves and say which.

use socket2::{Domain, Socket, Type};
use std::net::{Ipv4Addr, SocketAddr};

/// An address of this machine that nothing listens at, and whose port no other program is given while this is
/// there, at whatever address: some programs listen at all of them. A program that is told can listen at it:
/// both allow that (`SO_REUSEADDR`), and this one does not listen.
pub struct FreeAddress {
    pub address: SocketAddr,
    _socket: Socket,
}

impl FreeAddress {
    pub fn new() -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_reuse_address(true).unwrap();
        socket.bind(&SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)).into()).unwrap();
        let port = socket.local_addr().unwrap().as_socket().unwrap().port();
        Self { address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), _socket: socket }
    }
}
