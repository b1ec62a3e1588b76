//! Past one machine (docs/scaling.md): a primary with standbys that it fails over to, replicas that are read, poolers in front of the database.

mod drills;
mod failover;
mod lost_writes;
mod poolers;
mod promotion;
mod replicas;

use crate::support::{
    Scratch, browser,
    owner::{OwnedSpace, Owner},
    scratch,
    server::Server,
};
use serde_json::{Value, json};
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

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

/// Reads what is in no cache until a statement for a replica had this outcome.
async fn read_until(running: &Running, space: &OwnedSpace, outcome: &str) {
    let before = replica_reads(running, outcome).await;
    let began = Instant::now();
    for number in 0.. {
        let list = format!("/api/v2/cdn/stories?token={}&per_page=1&filter_query[field][in]={outcome}-{number}", space.public);
        assert_eq!(browser().get(running.server.url(&list)).send().await.unwrap().status(), 200);
        if replica_reads(running, outcome).await > before {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "no read was {outcome}");
    }
}

/// Publishes a story under a name and reads it at once, again and again. Each read has to show what was just acknowledged.
async fn rounds(running: &Running, space: &OwnedSpace, story: &Value, rounds: std::ops::Range<usize>) {
    let path = running.server.url(&format!("{}&version=published", space.read("fresh")));
    let list = running.server.url(&format!("/api/v2/cdn/stories?token={}&starts_with=fresh", space.public));
    for round in rounds {
        let name = format!("round {round}");
        let change = json!({ "publish": 1, "story": { "name": name } });
        let answer = space.put(&format!("/stories/{}", story["id"]), change).await;
        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
        let read = async |url: &str| -> Value { browser().get(url).send().await.unwrap().json().await.unwrap() };
        let (one, all) = tokio::join!(read(&path), read(&list));
        assert_eq!((&one["story"]["name"], &all["stories"][0]["name"]), (&json!(name), &json!(name)), "stale");
    }
}
