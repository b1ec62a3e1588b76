//! `GET /api/admin/actors`.

use super::{administrator, app};
use crate::support::TestApp;
use serde_json::Value;
use std::time::{Duration, Instant};
use storage::Executor;

const ACTORS: &str = "/api/admin/actors";

fn find<'a>(actors: &'a Value, name: &str) -> &'a Value {
    let all = actors["actors"].as_array().unwrap();
    all.iter().find(|actor| actor["name"] == name).unwrap_or_else(|| panic!("{name}: {actors}"))
}

#[tokio::test]
async fn every_actor_tells_what_it_is_doing() {
    let app = app().await;
    let admin = administrator(&app).await;
    assert_eq!(admin.post("/api/v1/spaces", &serde_json::json!({ "name": "Ours" })).await.status, 201);
    let body = admin.get(ACTORS).await.body;
    let observed = app.actors.handles().observe_all().await;
    for name in observed.keys() {
        let actor = find(&body, name);
        assert_eq!((&actor["state"], &actor["restarts"]), (&"running".into(), &0.into()), "{actor}");
        assert!(actor["observed"].is_object() && actor["mailbox"].is_u64(), "{actor}");
    }
    assert_eq!(body["actors"].as_array().unwrap().len(), observed.len());
    let spaces = find(&body, "spaces")["children"].as_array().map_or(0, Vec::len);
    assert_eq!(spaces, app.actors.handles().spaces.active());
}

/// Its statement waits for a lock.
#[tokio::test]
async fn an_actor_that_does_not_answer_is_reported_in_time() {
    let app: TestApp = app().await;
    let admin = administrator(&app).await;
    let mut connection = app.database.store.connection("test").await.unwrap();
    let tx = connection.begin();
    tx.execute("lock table signing_keys in access exclusive mode", &[]).await.unwrap();
    app.actors.handles().notifications.wake_all();
    let waiting = "select count(*) as waiting from pg_locks where relation = 'signing_keys'::regclass and not granted";
    let asking = async {
        while tx.row(waiting, &[]).await.unwrap().get::<_, i64>("waiting") == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), asking).await.expect("the rotator waits");
    let began = Instant::now();
    let response = admin.get(ACTORS).await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let rotator = find(&response.body, "key_rotator");
    assert_eq!((response.status, &rotator["state"], &rotator["observed"]), (200, &"unresponsive".into(), &Value::Null));
    assert_eq!(find(&response.body, "janitor")["state"], "running");
    drop(tx);
    app.actors.handles().observe_all().await;
    assert_eq!(find(&admin.get(ACTORS).await.body, "key_rotator")["state"], "running");
}
