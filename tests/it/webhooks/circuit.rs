//! Open circuits: what waits, what is sent, and what the row of a receiver holds.

use super::{desk_with, fixture, retries::attempted, with_webhook};
use domain::shared::{
    ReceiverId,
    delivery::{CircuitBreaker, Outage},
};
use std::iter::repeat_n;
use storage::shared::receivers::{self, BreakerUpdate};
use support::prelude::*;

async fn health(fixture: &SpaceFixture, webhook: i64) -> Value {
    let path = fixture.path(&format!("/webhooks/{webhook}"));
    fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(200)["webhook"]["health"].clone()
}

/// After ten failures in a row deliveries wait, at no cost of attempts; a probe that succeeds lets everything
/// through again.
#[tokio::test]
async fn behind_an_open_circuit_deliveries_wait_until_a_probe_succeeds() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will(repeat_n(Reaction::Status(500), 10));
    for number in 0..10 {
        fixture.publish(&format!("s{number}")).await;
    }
    fixture.until_number("select count(*) from receivers where circuit = 'open'", 1).await;
    let open = health(&fixture, webhook).await;
    assert_eq!((&open["status"], &open["failures"]), (&json!("open"), &json!(10)));
    let probe: Timestamp = open["next_probe_at"].as_str().unwrap().parse().unwrap();
    let noon = fixture.clock.now();
    assert!((30..60).contains(&probe.duration_since(noon).as_secs()), "{probe}");

    let failed = fixture.deliveries(webhook, "?status=pending&per_page=100").await.pop().unwrap();
    assert_eq!((&failed["waiting_since"], failed["attempts"].as_array().unwrap().len()), (&json!(null), 1), "it is not due");
    fixture.later(SignedDuration::from_secs(20));
    fixture.publish("waiting").await;
    let waiting = loop {
        fixture.settle().await;
        let pending = fixture.deliveries(webhook, "?status=pending").await;
        if let Some(found) = pending.into_iter().find(|found| found["story"]["full_slug"] == "waiting") {
            break found;
        }
    };
    assert_eq!((&waiting["attempts"], &waiting["next_probe_at"]), (&json!([]), &open["next_probe_at"]));
    assert_eq!(waiting["waiting_since"], "2026-03-01T12:00:20.000Z");
    let failed = fixture.deliveries(webhook, "?status=pending&per_page=100").await.pop().unwrap();
    let since: Timestamp = failed["waiting_since"].as_str().unwrap().parse().unwrap();
    assert!((8..20).contains(&since.duration_since(noon).as_secs()), "due before the other one, after its first wait: {since}");
    assert_eq!(receiver.so_far().len(), 10, "not before the time of the probe");

    fixture.later(SignedDuration::from_secs(40));
    fixture.until(webhook, "delivered", 11).await;
    assert_eq!(receiver.so_far()[10].json()["full_slug"], "waiting", "the probe is the one with the fewest attempts");
    // The round that has written the last delivery writes the health after it.
    fixture.settle().await;
    assert_eq!(health(&fixture, webhook).await, json!({ "status": "well", "failures": 0, "next_probe_at": null }));
}

/// A delivery that follows an unfinished one of its story is due and cannot be sent. It must not use up the
/// probes.
#[tokio::test]
async fn a_probe_is_kept_for_what_can_be_sent() {
    let (fixture, receiver) = (desk_with(&[("APP_WEBHOOK_BACKOFF", "1h,1h,1h,1h")]).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    receiver.will([Reaction::Status(500)]);
    let story = fixture.publish("a").await;
    let failed = attempted(&fixture, webhook, "a", 1).await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    fixture.until(webhook, "pending", 2).await;
    fixture.open_circuits().await;
    let due: Timestamp = failed["next_attempt_at"].as_str().unwrap().parse().unwrap();
    fixture.later(due.duration_since(fixture.clock.now()) - SignedDuration::from_secs(5));
    fixture.settle_times(20).await;
    assert_eq!(receiver.so_far().len(), 1, "nothing can be sent yet");
    // But for the moment of each round in which it is taken, and given back.
    let is_due = "select count(*) from receivers where circuit = 'open' and circuit_until = '2026-03-01T12:00:30Z'";
    fixture.until_number(is_due, 1).await;
    fixture.later(SignedDuration::from_secs(6));
    fixture.until(webhook, "delivered", 2).await;
}

#[tokio::test]
async fn what_is_sent_again_waits_for_the_probe_like_any_other() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.publish("a").await;
    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    fixture.open_circuits().await;
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries/{}/redeliver", delivered["id"].as_str().unwrap()));
    let again = fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(202)["delivery"].clone();
    let (noon, probe) = (json!("2026-03-01T12:00:00.000Z"), json!("2026-03-01T12:00:30.000Z"));
    assert_eq!((&again["status"], &again["waiting_since"], &again["next_probe_at"]), (&json!("pending"), &noon, &probe));
    // Between two looks at the clock the dispatcher goes by the time of the machine, so the end is some
    // seconds away.
    for second in [10, 10, 4] {
        fixture.later(SignedDuration::from_secs(second));
        fixture.settle().await;
    }
    let pending = fixture.until(webhook, "pending", 1).await.remove(0);
    assert_eq!((pending["attempts"].as_array().unwrap().len(), receiver.so_far().len()), (1, 1), "no attempt is used up");
    fixture.later(SignedDuration::from_secs(6));
    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    assert_eq!((delivered["attempts"].as_array().unwrap().len(), receiver.so_far().len()), (2, 2));
}

/// What another process has written meanwhile is not overwritten; and a row is read as it was written.
#[tokio::test]
async fn of_two_processes_that_change_a_breaker_the_first_one_wins() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    fixture.webhook(&receiver).await;
    let id = ReceiverId(fixture.count("select id from receivers").await);
    let connection = fixture.connection().await;
    let read = async || receivers::find_breaker(&connection, id).await.unwrap().unwrap();
    let save =
        async |from, to| receivers::save_breakers(&connection, &[BreakerUpdate { receiver: id, from, to }]).await.unwrap().len();
    let noon = fixture.clock.now();
    let new = read().await;
    let (mut well, mut failing) = (new, new);
    well.succeeded(noon);
    failing.failed(noon);
    assert_eq!((save(new, well).await, save(new, failing).await), (1, 0));
    assert_eq!(read().await, well.stored());
    let mut open = well;
    (0..10).for_each(|_| open.failed(noon));
    assert_eq!(save(well, open).await, 1);
    assert_eq!(read().await, open.stored());
    // Two of them are about to send a probe.
    let (probe, other) = (open.probed(noon + SignedDuration::from_secs(20)), open.probed(noon + SignedDuration::from_secs(21)));
    assert_eq!((save(open, probe).await, save(open, other).await), (1, 0));
    assert_eq!(read().await, probe.stored());
}

/// A process of the former version knows nothing of the new columns, and writes `probe_at`.
#[tokio::test]
async fn both_versions_understand_each_other_while_an_upgrade_lasts() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    fixture.webhook(&receiver).await;
    let id = ReceiverId(fixture.count("select id from receivers").await);
    let connection = fixture.connection().await;
    let read = async || receivers::find_breaker(&connection, id).await.unwrap().unwrap();
    let probe_in = "select extract(epoch from probe_at - statement_timestamp()) from receivers";
    let noon = fixture.clock.now();

    fixture.sql("update receivers set health = 'failing', failures = 10, probe_at = '2026-03-01T12:00:17Z'").await;
    let outage = Outage { since: noon, failed_probes: 0 };
    assert_eq!(read().await.circuit.next_probe(), Some(noon + SignedDuration::from_secs(17)));
    assert_eq!(read().await.circuit.outage(), Some(outage));
    fixture.sql("update receivers set health = 'well', failures = 0, probe_at = null").await;
    assert!(read().await.circuit.is_closed());

    let (from, mut to) = (read().await, CircuitBreaker::default());
    (0..10).for_each(|_| to.failed(noon));
    receivers::save_breakers(&connection, &[BreakerUpdate { receiver: id, from, to }]).await.unwrap();
    assert_eq!(fixture.count(probe_in).await, 17);
    let (from, to) = (to, to.probed(noon + SignedDuration::from_secs(20)));
    receivers::save_breakers(&connection, &[BreakerUpdate { receiver: id, from, to }]).await.unwrap();
    assert_eq!(fixture.count(probe_in).await, 30, "one is under way");
    let (from, mut to) = (to, to);
    to.succeeded(noon);
    receivers::save_breakers(&connection, &[BreakerUpdate { receiver: id, from, to }]).await.unwrap();
    assert_eq!(fixture.count("select count(*) from receivers where probe_at is null").await, 1);
}

/// What the migration does with deliveries of the former version, which counted attempts that were not sent.
#[tokio::test]
async fn attempts_that_were_not_sent_are_given_back_by_the_upgrade() {
    let (fixture, _receiver, webhook) = with_webhook().await;
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    for slug in ["mixed", "replayed", "dead", "failed"] {
        fixture.publish(slug).await;
    }
    fixture.until(webhook, "pending", 4).await;
    for (line, failures, attempts, rest) in
        [(1, 3, 3, ""), (2, 2, 7, ", replayed = true"), (3, 5, 5, ", dead_at = now()"), (4, 2, 2, "")]
    {
        let number = format!("delivery_id = (select min(id) + {line} - 1 from deliveries)");
        fixture.sql(&format!("update delivery_queue set failures = {failures}, attempts = {attempts}{rest} where {number}")).await;
    }
    for (line, number, result, replayed) in
        [(1, 1, "rejected", false), (1, 2, "circuit_open", false), (1, 3, "circuit_open", false)]
            .into_iter()
            .chain((1..=7).map(|number| (2, number, "circuit_open", number > 5)))
            .chain((1..=5).map(|number| (3, number, "circuit_open", false)))
            .chain((1..=2).map(|number| (4, number, "rejected", false)))
    {
        fixture
            .sql(&format!(
                "insert into delivery_attempts (delivery_id, number, result, replayed, started_at, took_ms)
                 select min(id) + {line} - 1, {number}, '{result}', {replayed}, now(), 0 from deliveries"
            ))
            .await;
    }
    let (_, migration) = storage::migrate::FILES.iter().find(|(name, _)| *name == "0065_circuits").unwrap();
    let statement = migration.split(';').find(|text| text.contains("update delivery_queue line")).unwrap();
    assert_eq!(fixture.sql(statement).await, 3);
    let line = "select string_agg(failures || case when dead_at is null then '' else ' dead' end, ', ' order by delivery_id) from delivery_queue";
    fixture.database.until(line, "1, 0, 5 dead, 2").await;
    let mixed = fixture.deliveries(webhook, "").await.pop().unwrap();
    assert_eq!((&mixed["story"]["full_slug"], &mixed["attempts"][2]["result"]), (&json!("mixed"), &json!("circuit_open")));
}
