//! Receivers that fail for an hour of the test's clock and come back, and one that never does.

use super::{fixture, with_webhook};
use std::iter::repeat_n;
use support::prelude::*;
use tokio::sync::Semaphore;

const FAILS: Reaction = Reaction::Status(500);
const TAKES: Reaction = Reaction::Status(200);

/// The waits before the probes of an hour, in seconds.
const PROBES: [i64; 9] = [30, 60, 120, 240, 480, 600, 600, 600, 600];
/// How much later than planned a probe goes out here.
const MARGIN: i64 = 10;

/// The first receiver that was made.
const FIRST: &str = "(select min(id) from receivers)";

/// Deliveries to the first receiver, due at once: two each of `stories`.
async fn owe(fixture: &SpaceFixture, stories: usize) {
    fixture
        .sql(&format!(
            "with made as (
                 insert into deliveries (public_id, receiver_id, event, key, content_type, body, created_at)
                 select gen_random_uuid(), {FIRST}, 'story.published', number % {stories}, 'text/plain', number::text::bytea, '2026-03-01T12:00:00Z'
                 from generate_series(0, {last}) number
                 returning id, receiver_id, key
             )
             insert into delivery_queue (delivery_id, receiver_id, key, due_at, age_from)
             select id, receiver_id, key, '2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z' from made order by id",
            last = 2 * stories - 1
        ))
        .await;
}

/// Waits until the first receiver has failed until its circuit is open.
async fn opened(fixture: &SpaceFixture, receiver: &Receiver) {
    let _timers = StoppedTimers::now();
    fixture.until_number(&format!("select count(*) from receivers where id = {FIRST} and circuit = 'open'"), 1).await;
    assert_eq!(receiver.so_far().len(), 10);
}

/// Time goes by in which the receiver fails: until `probes` have failed, and not one more was sent.
async fn fails_on(fixture: &SpaceFixture, receiver: &Receiver, probes: usize) {
    // Between two looks at the clock, which stands still, a dispatcher goes by them. A clock that is a second
    // behind has been set back for it, and a probe is due.
    let _timers = StoppedTimers::now();
    for (number, wait) in PROBES[..probes].iter().enumerate() {
        fixture.later(SignedDuration::from_secs(wait + MARGIN));
        let failed = format!("select failed_probes from receivers where id = {FIRST}");
        fixture.until_number(&failed, i64::try_from(number).unwrap() + 1).await;
        assert_eq!(receiver.so_far().len(), 10 + number + 1);
    }
}

/// Asserts that two deliveries of each story came once, in their order, and that none has had five attempts.
async fn all_came(fixture: &SpaceFixture, came: &[(String, String)], stories: usize) {
    let mut by_story: HashMap<&str, Vec<&str>> = HashMap::new();
    for (story, delivery) in came {
        by_story.entry(story).or_default().push(delivery);
    }
    assert_eq!((by_story.len(), came.len()), (stories, 2 * stories));
    assert!(by_story.values().all(|came| came.len() == 2 && came[0] < came[1]), "{by_story:?}");
    assert!(fixture.count("select max(number) from delivery_attempts").await < 5);
    assert_eq!(fixture.count("select count(*) from audit_log where action = 'webhook.dead_lettered'").await, 0);
}

#[tokio::test]
async fn twenty_deliveries_outlive_an_hour_in_which_their_receiver_fails() {
    let (fixture, receiver, good) = (fixture().await, Receiver::start().await, Receiver::start().await);
    receiver.answers(FAILS);
    let (webhook, other) = (fixture.webhook(&receiver).await, fixture.webhook(&good).await);
    for number in 0..10 {
        let story = fixture.publish(&format!("s{number}")).await;
        fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    }
    fixture.until(other, "delivered", 20).await;
    opened(&fixture, &receiver).await;
    fails_on(&fixture, &receiver, PROBES.len()).await;
    receiver.answers(TAKES);
    fixture.later(SignedDuration::from_secs(600 + MARGIN));
    fixture.until(webhook, "delivered", 20).await;
    let story = |event: serde_json::Value| (event["full_slug"].to_string(), event["action"].to_string());
    let came: Vec<_> = receiver.so_far()[10 + PROBES.len()..].iter().map(|got| story(got.json())).collect();
    all_came(&fixture, &came, 10).await;
}

#[tokio::test]
async fn two_thousand_deliveries_outlive_it_too_and_hold_up_no_other_receiver() {
    let (fixture, receiver, good) = (fixture().await, Receiver::start().await, Receiver::start().await);
    receiver.answers(FAILS);
    fixture.webhook_for(&receiver, &["story.deleted"]).await;
    let other = fixture.webhook_for(&good, &["story.published"]).await;
    owe(&fixture, 1000).await;
    opened(&fixture, &receiver).await;
    fixture.publish("a").await;
    fixture.until(other, "delivered", 1).await;
    fails_on(&fixture, &receiver, PROBES.len()).await;

    // It is back, and slow: first the probe, and then as many as it may have at a time.
    let gate = Arc::new(Semaphore::new(0));
    receiver.will(repeat_n(Reaction::Gate(gate.clone(), 200), 5));
    receiver.answers(TAKES);
    fixture.later(SignedDuration::from_secs(600 + MARGIN));
    fixture.settle().await;
    let before = 10 + PROBES.len();
    receiver.got(before + 1).await;
    fixture.publish("b").await;
    fixture.until(other, "delivered", 2).await;
    gate.add_permits(1);
    receiver.got(before + 5).await;
    fixture.publish("c").await;
    fixture.until(other, "delivered", 3).await;
    assert_eq!(receiver.so_far().len(), before + 5, "four at a time");
    gate.add_permits(4);
    fixture.until_number("select count(*) from delivery_queue", 0).await;
    let story = |number: &str| {
        let number: usize = number.parse().unwrap();
        (format!("{}", number % 1000), format!("{number:04}"))
    };
    let came: Vec<_> = receiver.so_far()[before..].iter().map(|got| story(got.text())).collect();
    all_came(&fixture, &came, 1000).await;
}

#[tokio::test]
async fn what_waits_for_a_receiver_that_never_comes_back_dies_of_its_age() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    receiver.answers(FAILS);
    let webhook = fixture.webhook(&receiver).await;
    owe(&fixture, 1000).await;
    opened(&fixture, &receiver).await;
    fails_on(&fixture, &receiver, 2).await;
    fixture.later(SignedDuration::from_hours(72));
    fixture.until_number("select count(*) from delivery_queue where dead_at is not null", 2000).await;
    let audited = "select count(*) from audit_log where action = 'webhook.dead_lettered' and meta ->> 'reason' = 'age'
                   and meta ->> 'result' is null and (meta ->> 'attempts')::int <= 1";
    assert_eq!(fixture.count(audited).await, 2000);
    assert_eq!((receiver.so_far().len(), fixture.count("select count(*) from delivery_attempts").await), (12, 12));
    let dead = fixture.deliveries(webhook, "?status=dead").await.remove(0);
    assert_eq!((&dead["attempts"], &dead["waiting_since"]), (&json!([]), &json!(null)));
}

/// The receiver takes everything but four deliveries, so its circuit stays closed.
#[tokio::test]
async fn four_deliveries_that_fail_among_others_die_of_five_attempts_each() {
    let (fixture, receiver, webhook) = with_webhook().await;
    let mut others = 0;
    for (round, wait) in (1..).zip([0, 12, 72, 360, 2160]) {
        for _ in 0..4 {
            fixture.publish(&format!("good{others}")).await;
            others += 1;
            fixture.until(webhook, "delivered", others).await;
        }
        receiver.will(repeat_n(FAILS, 4));
        if round == 1 {
            for number in 0..4 {
                fixture.publish(&format!("bad{number}")).await;
            }
        }
        fixture.later(SignedDuration::from_secs(wait));
        fixture.until_number("select count(*) from delivery_attempts where result = 'rejected'", 4 * round).await;
        assert_eq!(fixture.count("select count(*) from receivers where circuit <> 'closed'").await, 0);
    }
    let dead = fixture.until(webhook, "dead", 4).await;
    assert!(dead.iter().all(|dead| dead["attempts"].as_array().unwrap().len() == 5));
    let audited = "select count(*) from audit_log where action = 'webhook.dead_lettered' and meta ->> 'reason' = 'attempts'";
    assert_eq!(fixture.count(audited).await, 4);
}

/// Four deliveries are all that there is, and all fail: after ten failures they take turns as probes, and
/// each has its five requests.
#[tokio::test]
async fn a_probe_is_an_attempt_like_any_other() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    receiver.answers(FAILS);
    let webhook = fixture.webhook(&receiver).await;
    for number in 0..4 {
        fixture.publish(&format!("s{number}")).await;
    }
    let requests = "select count(*) from delivery_attempts";
    for _ in 0..200 {
        if fixture.count(requests).await == 20 {
            break;
        }
        fixture.later(SignedDuration::from_mins(5));
        fixture.settle().await;
    }
    let dead = fixture.until(webhook, "dead", 4).await;
    assert!(dead.iter().all(|dead| dead["attempts"].as_array().unwrap().len() == 5));
    assert_eq!(receiver.so_far().len(), 20);
}

/// Of two processes one sends each probe, and both know when it is over.
#[tokio::test]
async fn two_processes_send_one_probe_at_a_time() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let variables = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let setup = Setup { variables: &variables, database: Some(fixture.database.clone()), ..Setup::default() };
    let other = TestApp::with(setup).await;
    receiver.answers(FAILS);
    fixture.webhook(&receiver).await;
    owe(&fixture, 10).await;
    let both = async || {
        other.actors.handles().notifications.wake_all();
        other.actors.handles().observe_all().await;
        fixture.settle().await;
    };
    let open = format!("select count(*) from receivers where id = {FIRST} and circuit = 'open'");
    while fixture.count(&open).await == 0 {
        both().await;
    }
    // What both had under way when it opened has ended.
    while fixture.count("select count(*) from delivery_queue where lease_until > clock_timestamp()").await > 0 {
        both().await;
    }
    let before = receiver.so_far().len();
    let timers = StoppedTimers::now();
    for (number, wait) in PROBES.iter().enumerate() {
        fixture.later(SignedDuration::from_secs(wait + MARGIN));
        while fixture.count(&format!("select failed_probes from receivers where id = {FIRST}")).await
            <= i64::try_from(number).unwrap()
        {
            both().await;
        }
        assert_eq!(receiver.so_far().len(), before + number + 1);
    }
    drop(timers);
    receiver.answers(TAKES);
    fixture.later(SignedDuration::from_secs(600 + MARGIN));
    while fixture.count("select count(*) from delivery_queue").await > 0 {
        both().await;
        fixture.later(SignedDuration::from_secs(10));
    }
    assert_eq!(fixture.count("select count(*) from audit_log where action = 'webhook.dead_lettered'").await, 0);
}
