//! `GET /api/admin/actors`.

use super::{administrator, app, with_administrator};
use support::{NEVER_IDLE, prelude::*};

const ACTORS: &str = "/api/admin/actors";
fn find<'a>(actors: &'a Value, name: &str) -> &'a Value {
    let all = actors["actors"].as_array().unwrap();
    all.iter().find(|actor| actor["name"] == name).unwrap_or_else(|| panic!("{name}: {actors}"))
}

#[tokio::test]
async fn every_actor_tells_what_it_is_doing() {
    let (app, admin) = with_administrator().await;
    assert_eq!(admin.post("/api/v1/spaces", &serde_json::json!({ "name": "Ours" })).await.status, 201);
    let observed = app.actors.handles().observe_all().await;
    // On a busy machine one may be slower than the report waits.
    let began = Instant::now();
    let body = loop {
        let body = admin.get(ACTORS).await.body;
        let is_late = observed.keys().any(|name| find(&body, name)["state"] == "unresponsive");
        if !is_late || began.elapsed() > PATIENCE {
            break body;
        }
    };
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
    let mut connection = app.connection().await;
    let tx = connection.begin();
    tx.execute(NEVER_IDLE, &[]).await.unwrap();
    tx.execute("lock table signing_keys in access exclusive mode", &[]).await.unwrap();
    let reported = async {
        // Its statement gives up waiting after five seconds, which may be over on a busy machine before it is
        // asked: it is woken again.
        loop {
            app.actors.handles().notifications.wake_all();
            support::until_waited_for(&tx).await;
            let response = admin.get(ACTORS).await.expect(200);
            let rotator = find(&response, "key_rotator");
            if rotator["state"] == "unresponsive" && find(&response, "janitor")["state"] == "running" {
                assert_eq!(rotator["observed"], Value::Null);
                break;
            }
        }
    };
    tokio::time::timeout(PATIENCE, reported).await.expect("an actor that waits is reported, beside one that does not");
    drop(tx);
    app.actors.handles().observe_all().await;
    assert_eq!(find(&admin.get(ACTORS).await.body, "key_rotator")["state"], "running");
}
