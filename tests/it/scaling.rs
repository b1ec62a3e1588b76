//! Past one machine (docs/scaling.md): a primary with standbys that it fails over to, replicas that are read, poolers in front of the database.

mod drills;
mod failover;
mod poolers;
mod replicas;

use crate::support::{
    Scratch, browser,
    owner::{OwnedSpace, Owner},
    scratch,
    server::Server,
};
use std::net::SocketAddr;

/// A server on a database, with its data directory.
struct Running {
    server: Server,
    _data: Scratch,
}

const METRICS_TOKEN: &str = "0123456789abcdef";
/// Of all servers on one database.
const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// Starts a server with these variables.
async fn serve(variables: &[(&str, &str)]) -> Running {
    let data = scratch();
    let fixed = [("APP_RATE_LIMITS", "off"), ("APP_SECRET", SECRET), ("APP_METRICS_TOKEN", METRICS_TOKEN)];
    let variables: Vec<_> = fixed.iter().chain(variables).copied().collect();
    Running { server: Server::start(data.path(), &variables).await, _data: data }
}

/// A URL that names several hosts of this machine.
fn url_of(hosts: &[SocketAddr]) -> String {
    let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
    format!("postgres://lectern@{}/postgres?target_session_attrs=read-write", hosts.join(","))
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

async fn space(running: &Running) -> OwnedSpace {
    Owner::new(&running.server, "ann@example.org").await.space().await
}

/// How many statements for a replica had this outcome.
async fn replica_reads(running: &Running, outcome: &str) -> u64 {
    let request = browser().get(running.server.url("/metrics")).bearer_auth(METRICS_TOKEN);
    let metrics = request.send().await.unwrap().text().await.unwrap();
    let name = format!("svc_replica_reads{{outcome=\"{outcome}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
}
