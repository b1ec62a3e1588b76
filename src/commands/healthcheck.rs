//! `lectern healthcheck`: asks the configured server whether it is alive, for containers whose image has no
//! other HTTP client.

use crate::config::Config;
use anyhow::{Context, Result};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

/// Longer than a healthy server takes, shorter than the limits of container runtimes.
const TIMEOUT: Duration = Duration::from_secs(3);

pub(super) async fn run(config: &Config) -> Result<()> {
    let server = local(config.listen);
    egress::probe::get(server, "/api/health", TIMEOUT).await.with_context(|| format!("the server at {server} is not healthy"))
}

/// The address to connect to: a server that listens on every address is asked on the loopback address.
fn local(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
