//! `lectern healthcheck`: for containers, whose image has no other HTTP client.

use crate::config::Config;
use anyhow::{Context, Result};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

/// Longer than a living server ever takes, shorter than what container runtimes allow.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) async fn run(config: &Config) -> Result<()> {
    let server = local(config.listen);
    egress::probe::get(server, "/api/health", PATIENCE).await.with_context(|| format!("the server at {server} is not healthy"))
}

/// Who listens everywhere is asked here.
fn local(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
