//! Open circuits.

use super::{desk_with, fixture, retries::attempted};
use domain::shared::{Clock, ReceiverId, delivery::Circuit};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::time::{Duration, Instant};
use storage::shared::receivers::{self, CircuitUpdate};
use support::receiver::Receiver;

/// A delivery that follows an unfinished one of its story is due and cannot be sent. It must not use up the probes.
#[tokio::test]
async fn a_probe_is_kept_for_what_can_be_sent() {
    let (fixture, receiver) = (desk_with(&[("APP_WEBHOOK_BACKOFF", "1h,1h,1h,1h")]).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    fixture.open_circuits().await;
    let story = fixture.publish("a").await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    let counted = attempted(&fixture, webhook, "a", 1).await;
    let due: Timestamp = counted["next_attempt_at"].as_str().unwrap().parse().unwrap();
    fixture.later(due.duration_since(fixture.app().clock.now()) - SignedDuration::from_secs(5));
    for _ in 0..20 {
        fixture.settle().await;
    }
    assert_eq!(receiver.so_far().len(), 0, "nothing can be sent yet");
    fixture.later(SignedDuration::from_secs(13));
    let delivered = fixture.until(webhook, "delivered", 2).await;
    let results: Vec<_> =
        delivered[1]["attempts"].as_array().unwrap().iter().map(|value| value["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["circuit_open", "delivered"]);
}

/// Behind an open circuit a portion fails at a time, and the next one right after it.
#[tokio::test]
async fn failing_fast_goes_on_without_a_pause() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    fixture.webhook(&receiver).await;
    fixture.open_circuits().await;
    fixture
        .sql(
            "with made as (
             insert into deliveries (public_id, receiver_id, event, key, content_type, body, created_at)
             select gen_random_uuid(), receiver.id, 'story.published', number, 'text/plain', '', '2026-03-01T12:00:00Z'
             from receivers receiver, generate_series(1, 2500) number
             returning id, receiver_id, key
         )
         insert into delivery_queue (delivery_id, receiver_id, key, due_at)
         select id, receiver_id, key, '2026-03-01T12:00:00Z' from made",
        )
        .await;
    let began = Instant::now();
    fixture.settle().await;
    // Nothing wakes the dispatcher from here on. A pause after each of the ten portions would be one of five seconds.
    while fixture.number("select count(*) from delivery_attempts").await < 2500 {
        assert!(began.elapsed() < Duration::from_secs(30), "it pauses between portions");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// What another process has written meanwhile is not overwritten.
#[tokio::test]
async fn of_two_processes_that_change_a_circuit_the_first_one_wins() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    fixture.webhook(&receiver).await;
    let id = ReceiverId(fixture.number("select id from receivers").await);
    let connection = fixture.app().database.store.connection("test").await.unwrap();
    let from = receivers::find_circuit(&connection, id).await.unwrap().unwrap();
    let mut well = from;
    well.succeeded(Timestamp::UNIX_EPOCH);
    let mut failing = from;
    failing.failed(Timestamp::UNIX_EPOCH);
    let save =
        async |to: Circuit| receivers::save_circuits(&connection, &[CircuitUpdate { receiver: id, from, to }]).await.unwrap();
    assert_eq!((save(well).await, save(failing).await), (vec![id], vec![]));
    assert_eq!(receivers::find_circuit(&connection, id).await.unwrap().unwrap().health, well.health);
}
