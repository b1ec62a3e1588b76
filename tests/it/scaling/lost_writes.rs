//! A standby that is promoted without the last writes. Acknowledged writes are lost then, and nothing may show them again: neither memory nor a replica, although
//! the next writes get the numbers that the lost ones had.

use super::{Running, replica_reads, rounds, serve, url_of};
use crate::support::{
    browser,
    link::Link,
    owner::{OwnedSpace, Owner},
    postgres_server::PostgresServer,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A server on a primary whose standby has not received the last ten writes of two spaces. The server reads on both as its replicas, too, if `are_read` says so.
struct Fork {
    primary: PostgresServer,
    standby: PostgresServer,
    running: Running,
    sites: [Site; 2],
}

/// A space with one story.
struct Site {
    space: OwnedSpace,
    story: Value,
}

impl Fork {
    async fn new(are_read: bool) -> Self {
        let primary = PostgresServer::start().await;
        let link = Link::to(primary.address).await;
        let standby = PostgresServer::standby_of(link.address).await;
        let replicas = format!("postgres://lectern@{},{}/postgres", primary.address, standby.address);
        let url = url_of(&[primary.address, standby.address]);
        let running = serve(&[("APP_DATABASE_URL", &url), ("APP_DATABASE_READ_URL", if are_read { &replicas } else { "" })]).await;
        let owner = Owner::new(&running.server, "ann@example.org").await;
        let sites = [Site::new(&owner).await, Site::new(&owner).await];
        primary.wait_for_replay(&standby).await;
        drop(link);
        for site in &sites {
            site.rounds(&running, 0..10).await;
        }
        Self { primary, standby, running, sites }
    }

    /// Promotes the standby, and writes a site past the numbers of what was lost.
    async fn go_on(&self, site: &Site) {
        site.go_on(&self.standby).await;
        site.rounds(&self.running, 100..120).await;
    }
}

impl Site {
    async fn new(owner: &Owner) -> Self {
        let space = owner.space().await;
        let story = space.publish("fresh").await.json::<Value>().await.unwrap()["story"].take();
        Self { space, story }
    }

    /// Promotes a standby, and waits until the server writes there.
    async fn go_on(&self, standby: &PostgresServer) {
        standby.promote().await;
        let change = json!({ "publish": 1, "story": { "name": "first" } });
        loop {
            match self.space.put(&format!("/stories/{}", self.story["id"]), change.clone()).await.status().as_u16() {
                200 => return,
                other => assert_eq!(other, 503),
            }
        }
    }

    async fn rounds(&self, running: &Running, range: std::ops::Range<usize>) {
        rounds(running, &self.space, &self.story, range).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_promoted_standby_never_received_is_not_served_from_memory() {
    let fork = Fork::new(false).await;
    let [site, _] = &fork.sites;
    let key = json!({ "api_key": { "access": "public", "name": "Site" } });
    fork.primary.crash();
    fork.go_on(site).await;
    // What is revoked at a number that the lost writes had is revoked at once.
    let other = &fork.sites[1].space;
    let made = loop {
        let answer = other.post("/api_keys", key.clone()).await;
        if answer.status() == 201 {
            break answer.json::<Value>().await.unwrap();
        }
    };
    let read = fork.running.server.url(&format!("/api/v2/cdn/stories?token={}", made["api_key"]["token"].as_str().unwrap()));
    let status = async || browser().get(&read).send().await.unwrap().status().as_u16();
    assert_eq!(status().await, 200);
    assert_eq!(other.delete(&format!("/api_keys/{}", made["api_key"]["id"])).await.status(), 200);
    assert_eq!(status().await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_former_primary_is_not_believed_as_a_replica() {
    let fork = Fork::new(true).await;
    assert!(replica_reads(&fork.running, "read").await > 0);
    let away = replica_reads(&fork.running, "away").await;
    fork.primary.lock().await;
    fork.go_on(&fork.sites[0]).await;
    assert!(replica_reads(&fork.running, "away").await > away);
}

/// Its number there is higher than at the new primary, which alone would look as if the former one were only ahead.
#[tokio::test(flavor = "multi_thread")]
async fn a_former_primary_is_not_believed_of_a_space_that_was_not_written_since() {
    let fork = Fork::new(true).await;
    fork.primary.lock().await;
    fork.go_on(&fork.sites[0]).await;
    let public = &fork.sites[1].space.public;
    let before = (replica_reads(&fork.running, "read").await, replica_reads(&fork.running, "away").await);
    let began = Instant::now();
    for number in 0.. {
        let list = format!("/api/v2/cdn/stories?token={public}&starts_with=fresh&filter_query[field][not_in]={number}");
        let read = browser().get(fork.running.server.url(&list)).send().await.unwrap();
        assert_eq!(read.json::<Value>().await.unwrap()["stories"][0]["name"], "fresh", "what was lost does not come back");
        let now = (replica_reads(&fork.running, "read").await, replica_reads(&fork.running, "away").await);
        if now.0 > before.0 && now.1 > before.1 {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{before:?} {now:?}");
    }
}

/// Both begin the same timeline, because the second one has never heard of the first.
#[tokio::test(flavor = "multi_thread")]
async fn two_standbys_that_are_promoted_one_after_the_other_are_told_apart() {
    let primary = PostgresServer::start().await;
    let standbys = [primary.standby().await, primary.standby().await];
    let [first, second] = &standbys;
    let replicas = format!("postgres://lectern@{},{}/postgres", first.address, second.address);
    let url = url_of(&[primary.address, first.address, second.address]);
    let running = serve(&[("APP_DATABASE_URL", &url), ("APP_DATABASE_READ_URL", &replicas)]).await;
    let site = Site::new(&Owner::new(&running.server, "ann@example.org").await).await;
    for standby in &standbys {
        primary.wait_for_replay(standby).await;
    }
    primary.crash();
    site.go_on(first).await;
    site.rounds(&running, 0..10).await;
    first.lock().await;
    site.go_on(second).await;
    site.rounds(&running, 100..120).await;
    for standby in &standbys {
        assert_eq!(standby.value("select max(number) from timelines").await, "2");
    }
}
