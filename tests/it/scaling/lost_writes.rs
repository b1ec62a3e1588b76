//! A standby that is promoted without the last writes. Acknowledged writes are lost then, and nothing may
//! show them again: neither memory nor a replica, although the next writes get the numbers that the lost ones
//! had.

use super::{NEW_TIMELINE, Running, Site, read_until, replica_reads, serve, settled, url_of};
use support::{link::Link, postgres_server::PostgresServer, prelude::*};

/// A server on a primary whose standby has not received the last ten writes of two spaces. The server reads
/// on both as its replicas, too, if `are_read` says so.
struct Fork {
    primary: PostgresServer,
    standby: PostgresServer,
    running: Running,
    sites: [Site; 2],
}

impl Fork {
    async fn new(are_read: bool) -> Self {
        let primary = PostgresServer::start().await;
        let link = Link::to(primary.address).await;
        let standby = PostgresServer::standby_of(link.address).await;
        let replicas = format!("postgres://lectern@{},{}/postgres", primary.address, standby.address);
        let url = url_of(&[primary.address, standby.address]);
        let running = serve(&[("APP_DATABASE_URL", &url), ("APP_DATABASE_READ_URL", if are_read { &replicas } else { "" })]).await;
        let owner = running.server.person("ann@example.org").await;
        let sites = [Site::new(&owner).await, Site::new(&owner).await];
        primary.wait_for_replay(&standby).await;
        drop(link);
        for site in &sites {
            site.rounds(0..10).await;
        }
        Self { primary, standby, running, sites }
    }

    /// Promotes the standby, and writes a site past the numbers of what was lost.
    async fn go_on(&self, site: &Site) {
        self.standby.promote().await;
        site.rename("first").await;
        site.rounds(100..110).await;
        self.standby.until(NEW_TIMELINE, "1").await;
        site.rounds(110..130).await;
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
    let made = settled(async || other.post("/api_keys", key.clone()).await).await.body;
    let read = format!("/api/v2/cdn/stories?token={}", made["api_key"]["token"].as_str().unwrap());
    let status = async || settled(async || other.get(&read).await).await.status;
    assert_eq!(status().await, 200);
    let revoke = async || other.delete(&format!("/api_keys/{}", made["api_key"]["id"])).await;
    assert_eq!(settled(revoke).await.status, 200);
    assert_eq!(status().await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_former_primary_is_not_believed_as_a_replica() {
    let fork = Fork::new(true).await;
    let [site, _] = &fork.sites;
    read_until(&fork.running, &site.space, "read").await;
    fork.primary.lock().await;
    fork.go_on(site).await;
    read_until(&fork.running, &site.space, "away").await;
}

/// Its number there is higher than at the new primary, which alone would look as if the former one were only
/// ahead.
#[tokio::test(flavor = "multi_thread")]
async fn a_former_primary_is_not_believed_of_a_space_that_was_not_written_since() {
    let fork = Fork::new(true).await;
    fork.primary.lock().await;
    fork.go_on(&fork.sites[0]).await;
    let other = &fork.sites[1].space;
    let before = (replica_reads(&fork.running, "read").await, replica_reads(&fork.running, "away").await);
    let began = Instant::now();
    for number in 0.. {
        let list = format!("/api/v2/cdn/stories?token={}&starts_with=fresh&filter_query[field][not_in]={number}", other.public);
        let read = settled(async || other.get(&list).await).await;
        assert_eq!(read.body["stories"][0]["name"], "fresh", "what was lost does not come back");
        let now = (replica_reads(&fork.running, "read").await, replica_reads(&fork.running, "away").await);
        if now.0 > before.0 && now.1 > before.1 {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{before:?} {now:?}");
    }
}

/// A primary with two standbys, which are promoted one after the other: the second one when the first one has
/// gone on, of which it has never heard. So both begin the same timeline, which has so many rows then. The
/// story of a site is read through all of this, and must never be stale.
async fn promote_two(before: &[&str], rows: &str) -> (PostgresServer, Running, Site) {
    let primary = PostgresServer::start().await;
    let standbys = [primary.standby().await, primary.standby().await];
    let [first, second] = &standbys;
    let replicas = format!("postgres://lectern@{},{}/postgres", first.address, second.address);
    let url = url_of(&[primary.address, first.address, second.address]);
    let running = serve(&[("APP_DATABASE_URL", &url), ("APP_DATABASE_READ_URL", &replicas)]).await;
    let site = Site::new(&running.server.person("ann@example.org").await).await;
    primary.until("select count(*) from timelines", "1").await;
    primary.run(before).await;
    for standby in &standbys {
        primary.wait_for_replay(standby).await;
    }
    primary.crash();
    first.promote().await;
    site.rename("first").await;
    first.until(NEW_TIMELINE, rows).await;
    site.rounds(0..10).await;
    first.lock().await;
    second.promote().await;
    site.rename("second").await;
    second.until(NEW_TIMELINE, rows).await;
    site.rounds(100..120).await;
    let [_, second] = standbys;
    (second, running, site)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_standbys_that_are_promoted_one_after_the_other_are_told_apart() {
    promote_two(&[], "1").await;
}

/// The row that tells them apart cannot be written, so nothing is kept in memory.
#[tokio::test(flavor = "multi_thread")]
async fn two_standbys_that_cannot_be_told_apart_are_not_mixed_up() {
    let refuse = [
        "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$",
        "create trigger refuse before insert on timelines for each row execute function refuse()",
    ];
    let (primary, _running, site) = promote_two(&refuse, "0").await;
    // It is tried again until it can be written, also while notifications come all the time.
    primary.run(&["drop trigger refuse on timelines"]).await;
    let writing = async {
        for number in 200.. {
            site.rename(&format!("round {number}")).await;
        }
    };
    tokio::select! {
        () = primary.until(NEW_TIMELINE, "1") => {}
        () = writing => {}
    }
}
