//! A deleted space sends nothing, and what waited is cancelled until it is redelivered.

use super::{fixture, retries::attempted, with_webhook};
use support::{Dns, NEVER_IDLE, Record, prelude::*, short_wait};

fn results(delivery: &Value) -> Vec<&str> {
    delivery["attempts"].as_array().unwrap().iter().map(|attempt| attempt["result"].as_str().unwrap()).collect()
}

/// One waits for its second attempt, one behind it for its turn, one for its webhook to be active again.
#[tokio::test]
async fn what_waits_is_cancelled_and_can_be_sent_again_when_the_space_is_back() {
    let (fixture, receiver, paused) = (fixture().await, Receiver::start().await, Receiver::start().await);
    let (webhook, quiet) = (fixture.webhook(&receiver).await, fixture.webhook(&paused).await);
    fixture.change_webhook(quiet, json!({ "active": false })).await;
    receiver.will([Reaction::Status(500)]);
    let story = fixture.publish("a").await;
    receiver.got(1).await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    fixture.until_number("select count(*) from delivery_queue", 4).await;
    fixture.until_number("select count(*) from delivery_attempts", 1).await;

    fixture.delete_space().await;
    for _ in 0..5 {
        fixture.later(SignedDuration::from_hours(1));
        fixture.settle().await;
    }
    assert_eq!(fixture.count("select count(*) from delivery_queue where dead_at is null").await, 0);
    assert_eq!((receiver.so_far().len(), paused.so_far().len()), (1, 0));

    fixture.undelete_space().await;
    fixture.change_webhook(quiet, json!({ "active": true })).await;
    let cancelled = fixture.until(webhook, "cancelled", 2).await;
    assert_eq!((results(&cancelled[0]), results(&cancelled[1])), (vec![], vec!["rejected"]));
    assert_eq!((&cancelled[1]["event"], &cancelled[1]["next_attempt_at"]), (&json!("story.published"), &json!(null)));
    fixture.until(quiet, "cancelled", 2).await;
    assert_eq!(fixture.deliveries(webhook, "?status=dead").await, Vec::<Value>::new());
    let log = fixture.admin().get("/audit_log?types=space.delete").await.expect(200);
    assert_eq!(log["audit_log"][0]["meta"], json!({ "cancelled_deliveries": 4 }));

    // What happens from now on is delivered, and it does not wait for what was cancelled.
    fixture.act_on("POST", &format!("/stories/{story}/publish"), json!({}), 200).await;
    assert_eq!(receiver.got(2).await[1].json()["action"], "story.published");
    paused.got(1).await;
    fixture.until(webhook, "delivered", 1).await;

    let again = |below: String| fixture.path(&format!("/webhooks/{webhook}{below}"));
    let one = again(format!("/deliveries/{}/redeliver", cancelled[1]["id"].as_str().unwrap()));
    fixture.post(Caller::Token(&fixture.admin), &one, json!({})).await.expect(202);
    fixture.until(webhook, "cancelled", 1).await;
    let range = json!({ "from": "2026-03-01", "to": "2026-03-02", "status": "cancelled" });
    let sent = fixture.post(Caller::Token(&fixture.admin), &again("/redeliver".to_owned()), range).await.expect(202);
    assert_eq!(sent, json!({ "redelivering": 1 }));
    fixture.until(webhook, "delivered", 3).await;
    assert_eq!(receiver.got(4).await.len(), 4);
}

/// The fan-out has not come to the event when the space is deleted.
#[tokio::test]
async fn an_event_that_is_no_delivery_yet_is_cancelled_too() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.publish("a").await;
    fixture.until(webhook, "delivered", 1).await;
    // Once the cursor is free the fan-out may still be first. What it makes of the event is not sent.
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    let mut connection = fixture.connection().await;
    let tx = connection.begin();
    tx.execute(NEVER_IDLE, &[]).await.unwrap();
    tx.execute("select from fan_outs for update", &[]).await.unwrap();
    fixture.publish("b").await;
    let released = async {
        support::until_waited_for(&tx).await;
        tx.commit().await.unwrap();
    };
    tokio::join!(fixture.delete_space(), released);
    for _ in 0..5 {
        fixture.later(SignedDuration::from_hours(1));
        fixture.settle().await;
    }
    fixture.undelete_space().await;
    fixture.settle().await;
    let cancelled = fixture.until(webhook, "cancelled", 1).await;
    assert_eq!((&cancelled[0]["story"]["full_slug"], results(&cancelled[0])), (&json!("b"), vec![]));
    assert_eq!(receiver.so_far().len(), 1);
}

/// Waits until the dispatchers of these servers are at `wanted` attempts. The time that a silent receiver has
/// is longer than this waits.
async fn until_running(apps: &[&TestApp], wanted: u64) {
    let began = std::time::Instant::now();
    loop {
        let mut running = 0;
        for app in apps {
            running += app.actors.handles().observe_all().await["dispatcher"]["running"].as_u64().unwrap();
        }
        if running == wanted {
            return;
        }
        assert!(began.elapsed() < std::time::Duration::from_mins(1), "{running} attempts are under way, and not {wanted}");
        short_wait().await;
    }
}

/// A second server on the database of the first one.
async fn beside(fixture: &SpaceFixture, variables: &[(&str, &str)]) -> TestApp {
    let database = Some(fixture.database.clone());
    let other = TestApp::with(Setup { variables, database, ..Setup::default() }).await;
    for app in [&fixture.app, &other] {
        app.actors.handles().notifications.until(true).await;
    }
    other
}

/// Whichever of the two servers sends: the other one deletes the space.
#[tokio::test]
async fn an_attempt_of_another_process_is_cut_off() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let other = beside(&fixture, &[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")]).await;
    let webhook = fixture.webhook(&receiver).await;
    receiver.will([Reaction::Silence]);
    fixture.publish("a").await;
    receiver.got(1).await;
    let sends = fixture.actors.handles().observe_all().await["dispatcher"]["running"] == 1;
    let deletes = if sends { other.url("") } else { fixture.url("") };
    let deleting = fixture.app.client.delete(format!("{deletes}{}", fixture.path(""))).bearer_auth(&fixture.admin);
    assert_eq!(deleting.send().await.unwrap().status(), 200);
    until_running(&[&fixture.app, &other], 0).await;
    fixture.undelete_space().await;
    let cancelled = fixture.until(webhook, "cancelled", 1).await;
    assert_eq!(results(&cancelled[0]), ["cancelled"]);
    assert_eq!(receiver.so_far().len(), 1);
    let health = fixture.admin().get(&format!("/webhooks/{webhook}")).await.expect(200);
    assert_eq!((&health["webhook"]["health"]["status"], &health["webhook"]["health"]["failures"]), (&json!("new"), &json!(0)));
}

/// It was claimed, and its receiver's name is being resolved: the request never leaves.
#[tokio::test]
async fn what_was_claimed_and_not_yet_sent_is_never_sent() {
    let (dns, receiver) = (Dns::start().await, Receiver::start().await);
    dns.set("hooks.lectern-test.org", Record::Silence);
    let server = dns.address.to_string();
    let variables = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1"), ("APP_DNS_SERVERS", server.as_str())];
    let fixture = super::desk_with(&variables[1..]).await;
    let other = beside(&fixture, &variables).await;
    let url = format!("http://hooks.lectern-test.org:{}/hook", receiver.address.port());
    let body = super::registration(&url, &super::ALL);
    let made = fixture.admin().post("/webhooks", body).await.expect(201);
    let webhook = made["webhook"]["id"].as_i64().unwrap();
    // The resolver gives a silent server up after some seconds.
    let timers = StoppedTimers::now();
    fixture.publish("a").await;
    until_running(&[&fixture.app, &other], 1).await;
    fixture.delete_space().await;
    until_running(&[&fixture.app, &other], 0).await;
    drop(timers);
    dns.points("hooks.lectern-test.org", &["127.0.0.1"]);
    fixture.undelete_space().await;
    let cancelled = fixture.until(webhook, "cancelled", 1).await;
    assert_eq!((results(&cancelled[0]), receiver.so_far().len()), (vec!["cancelled"], 0));
    fixture.publish("b").await;
    fixture.until(webhook, "delivered", 1).await;
    assert_eq!(receiver.so_far().len(), 1);
}

/// Such as by an administrator of the server, who sends everything again that is dead.
#[tokio::test]
async fn what_is_queued_again_while_the_space_is_deleted_waits_until_it_is_back() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will([Reaction::Status(500)]);
    fixture.publish("a").await;
    receiver.got(1).await;
    fixture.until_number("select count(*) from delivery_attempts", 1).await;
    fixture.delete_space().await;
    fixture.sql("update delivery_queue set dead_at = null, cancelled = false").await;
    for _ in 0..5 {
        fixture.later(SignedDuration::from_hours(1));
        fixture.settle().await;
    }
    assert_eq!(receiver.so_far().len(), 1);
    fixture.undelete_space().await;
    fixture.until(webhook, "delivered", 1).await;
    assert_eq!(receiver.so_far().len(), 2);
}

/// The deletion comes while the last attempt is under way: it is cut off, or its failure is recorded, and
/// nothing follows.
#[tokio::test]
async fn a_fifth_failure_that_comes_after_the_deletion_is_recorded_and_nothing_more() {
    let (fixture, receiver) = (super::desk_with(&[("APP_WEBHOOK_BACKOFF", "1ms,1ms,1ms,1ms")]).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    receiver.will(std::iter::repeat_n(Reaction::Status(500), 4));
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    receiver.will([Reaction::Gate(gate.clone(), 500)]);
    fixture.publish("a").await;
    for attempt in 1..=4 {
        attempted(&fixture, webhook, "a", attempt).await;
        fixture.later(SignedDuration::from_secs(31));
    }
    receiver.got(5).await;
    fixture.delete_space().await;
    gate.add_permits(1);
    until_running(&[&fixture.app], 0).await;
    fixture.undelete_space().await;
    // A task of its own records that it is dead.
    let delivery = attempted(&fixture, webhook, "a", 5).await;
    fixture.settle().await;
    assert_eq!((fixture.deliveries(webhook, "").await.len(), receiver.so_far().len()), (1, 5), "{delivery}");
    assert!(["cancelled", "dead"].contains(&delivery["status"].as_str().unwrap()), "{delivery}");
}
