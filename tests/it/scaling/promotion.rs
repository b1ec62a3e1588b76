//! What goes on by itself when another host becomes the primary, and what is told apart from that.

use super::{Running, rounds, serve, space, url_of};
use crate::support::{
    browser,
    owner::OwnedSpace,
    postgres_server::PostgresServer,
    receiver::{Reaction, Receiver},
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{sync::Semaphore, time::timeout};

/// Publishes until that is acknowledged.
async fn publish(space: &OwnedSpace, slug: &str) -> Value {
    let publishing = async {
        loop {
            let answer = space.publish(slug).await;
            match answer.status().as_u16() {
                201 => return answer.json::<Value>().await.unwrap()["story"].take(),
                other => assert_eq!(other, 503),
            }
        }
    };
    timeout(Duration::from_secs(30), publishing).await.expect("it can be written")
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_promotion_webhooks_go_on_and_no_process_shows_what_is_old() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    primary.wait_for_standby().await;
    let receiver = Receiver::start().await;
    let (url, target) = (url_of(&[primary.address, standby.address]), receiver.address.to_string());
    let variables = [("APP_DATABASE_URL", url.as_str()), ("APP_ALLOWED_PRIVATE_TARGETS", &target)];
    let (one, other) = (serve(&variables).await, serve(&variables).await);
    let space = space(&one).await;
    let webhook = json!({ "name": "w", "url": receiver.url(), "events": ["story.published"], "secret": "a secret of the tests" });
    assert_eq!(space.post("/webhooks", webhook).await.status(), 201);
    // The primary is lost while this is being delivered, and before its outcome can be written.
    let gate = Arc::new(Semaphore::new(0));
    receiver.will([Reaction::Gate(gate.clone(), 200)]);
    publish(&space, "delivered-meanwhile").await;
    receiver.got(1).await;
    primary.crash();
    standby.promote().await;
    gate.add_permits(1);

    let story = publish(&space.at(&other.server), "fresh").await;
    let published = |slug: &str, all: &[crate::support::receiver::Got]| all.iter().any(|got| got.text().contains(slug));
    for count in 2.. {
        if published("fresh", &receiver.got(count).await) {
            break;
        }
    }
    for running in [&one, &other] {
        rounds(running, &space.at(&running.server), &story, 0..20).await;
    }
    // Each process hears what the other one writes, by a notification.
    for (writes, reads, name) in [(&one, &other, "by one"), (&other, &one, "by the other")] {
        let change = json!({ "publish": 1, "story": { "name": name } });
        let answer = space.at(&writes.server).put(&format!("/stories/{}", story["id"]), change).await;
        assert_eq!(answer.status(), 200);
        let read =
            async || browser().get(reads.server.url(&space.read("fresh"))).send().await.unwrap().json::<Value>().await.unwrap();
        let hearing = async { while read().await["story"]["name"] != name {} };
        timeout(Duration::from_secs(30), hearing).await.expect("it is told");
    }
}

/// The new primary waits for a standby that there is not: nothing can be written, but everything can be read, and the process hears what happens.
#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_waits_for_a_standby_is_listened_to() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    let running = serve(&[("APP_DATABASE_URL", &url_of(&[primary.address, standby.address]))]).await;
    let space = space(&running).await;
    publish(&space, "fresh").await;
    primary.wait_for_replay(&standby).await;
    standby.run(&["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"]).await;
    primary.crash();
    standby.promote().await;
    standby.until("select count(*) from timelines where number = 2", "1").await;
    let listening = "select count(*) from pg_stat_activity where application_name = 'lectern listener'";
    assert_eq!(standby.value(listening).await, "1");
    assert_eq!(read(&running, &space, "").await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_is_locked_is_read_until_another_one_can_be_written() {
    let primary = PostgresServer::start().await;
    let standby = primary.standby().await;
    let running = serve(&[("APP_DATABASE_URL", &url_of(&[primary.address, standby.address]))]).await;
    let space = space(&running).await;
    publish(&space, "fresh").await;
    primary.wait_for_replay(&standby).await;
    primary.lock().await;
    for number in 0..10 {
        assert_eq!(space.publish(&format!("refused-{number}")).await.status(), 503);
        assert_eq!(read(&running, &space, &number.to_string()).await, 200);
    }
    standby.promote().await;
    // Also by a process that writes nothing.
    let connected = "select count(*) from pg_stat_activity where application_name like 'lectern%' and state is not null";
    primary.until(connected, "0").await;
    publish(&space, "goes-on").await;
}

/// The status of a read that no memory has.
async fn read(running: &Running, space: &OwnedSpace, what: &str) -> u16 {
    let list = format!("/api/v2/cdn/stories?token={}&starts_with=fresh&filter_query[field][not_in]={what}", space.public);
    browser().get(running.server.url(&list)).send().await.unwrap().status().as_u16()
}
