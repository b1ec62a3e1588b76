//! When sessions were last seen, and the end of idle ones.

use super::{app, registered, signed_in};
use domain::shared::SessionId;
use storage::shared::sessions::{self, SEEN_EVERY};
use support::prelude::*;

/// What the writer says, as soon as it does: an actor that does not answer within some seconds is left out.
async fn touched(app: &TestApp) -> Value {
    let answered = async {
        loop {
            let touched = app.actors.handles().observe_all().await["last_seen_writer"].clone();
            if !touched.is_null() {
                return touched;
            }
        }
    };
    timeout(PATIENCE, answered).await.expect("the writer answers")
}

/// Waits until `number` sessions were written as seen.
async fn until_written(app: &TestApp, number: u64) {
    let began = Instant::now();
    while touched(app).await["written"] != number {
        assert!(began.elapsed() < PATIENCE, "{}", touched(app).await);
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_session_that_is_used_lives_on_and_one_that_is_not_ends_after_a_week() {
    let (app, _) = registered().await;
    let (used, left) = (Person::elsewhere(&app, "ann@example.org").await, Person::elsewhere(&app, "ann@example.org").await);
    for days in [6, 6] {
        app.clock.advance(SignedDuration::from_hours(24 * days));
        let before = touched(&app).await["written"].as_u64().unwrap();
        used.get("/api/me/sessions").await.expect(200);
        until_written(&app, before + 1).await;
    }
    assert_eq!(left.get("/api/me").await.refusal(), (401, "unauthorized"), "twelve days");
    let listed = used.get("/api/me/sessions").await.body["sessions"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 1, "the idle one is not listed: {listed}");
    assert_eq!(
        (&listed[0]["createdAt"], &listed[0]["lastSeenAt"]),
        (&json!("2026-03-01T12:00:00.000Z"), &json!("2026-03-13T12:00:00.000Z"))
    );
    app.clock.advance(SignedDuration::from_hours(48));
    assert_eq!(used.get("/api/me").await.status, 401, "fourteen days are fourteen days");
}

#[tokio::test]
async fn a_session_that_is_used_much_is_noted_once_in_five_minutes() {
    let (app, ann) = signed_in().await;
    app.clock.advance(SEEN_EVERY - SignedDuration::from_secs(1));
    for _ in 0..20 {
        assert_eq!(ann.get("/api/me").await.status, 200);
    }
    assert_eq!(touched(&app).await, json!({ "waiting": 0, "written": 0, "failures": 0 }));
    app.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(ann.get("/api/me").await.status, 200);
    until_written(&app, 1).await;
    for _ in 0..20 {
        assert_eq!(ann.get("/api/me").await.status, 200);
    }
    assert_eq!(touched(&app).await, json!({ "waiting": 0, "written": 1, "failures": 0 }));
}

#[tokio::test]
async fn a_touch_never_waits_and_never_goes_back() {
    let app = app().await;
    Person::signed_in(&app, "ann@example.org").await;
    Person::signed_in(&app, "bob@example.org").await;
    let store = &app.database.store;
    let rows = store.connection("test").await.unwrap().rows("select id from sessions order by id", &[]).await.unwrap();
    let [first, second] = [0, 1].map(|at| SessionId(rows[at].get::<_, Uuid>("id")));
    let now = support::clock().now();
    let touch = async |seen: &[(SessionId, SignedDuration)]| {
        let seen: Vec<_> = seen.iter().map(|(id, after)| (*id, now + *after)).collect();
        sessions::touch(&store.connection("test").await.unwrap(), &seen).await.unwrap()
    };
    let (soon, later) = (SignedDuration::from_secs(1), SignedDuration::from_secs(2));

    let mut other = store.connection("test").await.unwrap();
    let tx = other.begin();
    tx.execute("update sessions set revoked_at = now() where id = $1", &[&first.0]).await.unwrap();
    assert_eq!(touch(&[(first, later), (second, later), (SessionId(Uuid::nil()), later)]).await, 1, "the locked one is left out");
    drop(tx);
    // The rollback was sent without waiting for it; this statement runs after it.
    other.row("select 1", &[]).await.unwrap();
    assert_eq!(touch(&[(first, soon), (second, soon)]).await, 1, "the second was seen later than that");
    assert_eq!(touch(&[]).await, 0);
    let seen = "select count(*) from sessions where last_seen_at = '2026-03-01T12:00:02Z'";
    assert_eq!(app.count(seen).await, 1);
}

#[tokio::test]
async fn what_could_not_be_noted_is_noted_with_the_next_request() {
    let (app, ann) = signed_in().await;
    app.clock.advance(SEEN_EVERY);
    app.sql("alter table sessions rename column last_seen_at to away").await;
    app.actors.handles().last_seen.note(SessionId(Uuid::nil()), app.clock.now());
    let began = Instant::now();
    while touched(&app).await["failures"] == 0 {
        assert!(began.elapsed() < PATIENCE);
        tokio::task::yield_now().await;
    }
    app.sql("alter table sessions rename column away to last_seen_at").await;
    assert_eq!(ann.get("/api/me").await.status, 200);
    until_written(&app, 1).await;
}
