//! Reads of the Delivery API on replicas: never older than what was acknowledged, and on the primary when a replica cannot answer.

use super::{Running, replica_reads, serve, space};
use crate::support::{browser, owner::OwnedSpace, postgres_server::PostgresServer};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use storage::{
    Executor, Mark,
    connect::{self, Target},
};

/// A server that reads on a replica.
async fn pair() -> (PostgresServer, PostgresServer, Running) {
    let primary = PostgresServer::start().await;
    // The server comes first: it makes the tables.
    let standby = {
        let _migrated = serve(&[("APP_DATABASE_URL", &primary.url())]).await;
        primary.standby().await
    };
    let running = serve(&[("APP_DATABASE_URL", &primary.url()), ("APP_DATABASE_READ_URL", &standby.url())]).await;
    (primary, standby, running)
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

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_reads_after_a_publish_are_never_stale_whatever_the_replica_does() {
    let (_primary, standby, running) = pair().await;
    let space = space(&running).await;
    let answer = space.publish("fresh").await;
    let story = answer.json::<Value>().await.unwrap()["story"].take();

    rounds(&running, &space, &story, 0..400).await;
    read_until(&running, &space, "read").await;
    standby.run(&["select pg_wal_replay_pause()"]).await;
    rounds(&running, &space, &story, 400..800).await;
    assert!(replica_reads(&running, "behind").await > 0);
    standby.run(&["select pg_wal_replay_resume()"]).await;
    rounds(&running, &space, &story, 800..1_000).await;
    read_until(&running, &space, "read").await;
    assert_eq!(replica_reads(&running, "away").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_replica_cannot_answer_is_read_on_the_primary_until_it_is_back() {
    let (_primary, standby, running) = pair().await;
    let space = space(&running).await;
    assert_eq!(space.publish("first").await.status(), 201);
    read_until(&running, &space, "read").await;
    // It hangs: a second, once, and then its reads are made on the primary.
    standby.signal_all(Signal::SIGSTOP);
    let began = Instant::now();
    read_until(&running, &space, "away").await;
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    standby.signal_all(Signal::SIGCONT);
    read_until(&running, &space, "read").await;
    standby.crash();
    read_until(&running, &space, "away").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_no_copy_of_the_primary_is_not_read() {
    let (primary, other) = (PostgresServer::start().await, PostgresServer::start().await);
    let foreign = serve(&[("APP_DATABASE_URL", &other.url())]).await;
    let decoy = space(&foreign).await;
    for number in 0..20 {
        assert_eq!(decoy.publish(&format!("decoy-{number}")).await.status(), 201);
    }
    let running = serve(&[("APP_DATABASE_URL", &primary.url()), ("APP_DATABASE_READ_URL", &other.url())]).await;
    let space = space(&running).await;
    assert_eq!(space.publish("first").await.status(), 201);
    read_until(&running, &space, "away").await;
    assert_eq!(replica_reads(&running, "read").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mark_says_whether_a_replica_has_come_further_than_it() {
    let (primary, standby, running) = pair().await;
    let space = space(&running).await;
    assert_eq!(space.publish("first").await.status(), 201);
    let revision = format!("select audit_seq from space_counters where space_id = {}", space.id);
    let reached = primary.value(&revision).await;
    while standby.value(&format!("select coalesce(({revision}), 0)")).await != reached {}
    let reached: i64 = reached.parse().unwrap();

    let target = |server: &PostgresServer| Target { url: server.url().into(), pool_size: 2 };
    let (store, _) = connect::open(&target(&primary)).await.unwrap();
    let replicas = connect::replicas(&store, &target(&standby)).await.unwrap();
    let store = store.with_replicas(replicas);
    let read = async |at: i64| {
        let mark = Mark::new(space.id, at);
        let reader = store.reader("test", mark.clone()).await.unwrap();
        let rows = reader.rows("select pg_is_in_recovery() as is_replica", &[]).await.unwrap();
        (rows[0].get::<_, bool>("is_replica"), mark.is_passed())
    };
    assert_eq!(read(reached).await, (true, false));
    assert_eq!(read(reached - 1).await, (true, true), "newer than what the mark belongs to, so it is not kept under it");
    assert_eq!(read(reached + 1).await, (false, false), "the primary is asked");
}
