//! A deleted space is silent: nothing that was scheduled happens in it, and no import goes on. When it is
//! undeleted everything comes back.

use crate::import::{
    folder::Folder,
    vendor::{wanted, world_of},
};
use support::{prelude::*, short_wait};
use vendor_stand_in::{Fault, What};

async fn draft(fixture: &SpaceFixture, slug: &str, more: Value) -> i64 {
    let mut story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = fixture.editor().post("/stories", json!({ "story": story })).await;
    made.expect(201)["story"]["id"].as_i64().unwrap()
}

/// Lets the actors do what is due.
async fn settle(fixture: &SpaceFixture) {
    for _ in 0..3 {
        fixture.actors.handles().notifications.wake_all();
        fixture.actors.handles().observe_all().await;
    }
}

/// The published stories by name, and who published or unpublished what, in order.
async fn happened(fixture: &SpaceFixture) -> Vec<String> {
    let sql = "select action || ' ' || full_slug as line from story_events order by seq";
    fixture.column(sql).await
}

#[tokio::test]
async fn what_was_scheduled_for_that_time_happens_when_the_space_is_back_and_in_its_order() {
    let fixture = SpaceFixture::new().await;
    let late = draft(&fixture, "late", json!({})).await;
    let early = draft(&fixture, "early", json!({ "publish_at": "2026-03-01T13:00:00Z" })).await;
    let expiring = draft(&fixture, "expiring", json!({ "expire_at": "2026-03-01T14:00:00Z" })).await;
    fixture.editor().post(&format!("/stories/{expiring}/publish"), json!({})).await.expect(200);
    let future = draft(&fixture, "future", json!({ "publish_at": "2026-03-09T12:00:00Z" })).await;
    let body = json!({ "story_scheduling": { "story_id": late, "publish_at": "2026-03-01T15:00:00Z" } });
    fixture.editor().post("/story_schedulings", body).await.expect(201);
    fixture.delete(Caller::Owner, &fixture.path("")).await.expect(200);
    // An hour at a time, so that each would happen.
    for _ in 0..5 {
        fixture.clock.advance(SignedDuration::from_hours(1));
        settle(&fixture).await;
    }
    assert_eq!(happened(&fixture).await, ["story.published expiring"]);

    fixture.undelete_space().await;
    let wanted = ["story.published expiring", "story.published early", "story.unpublished expiring", "story.published late"];
    for _ in 0..500 {
        if happened(&fixture).await.len() >= wanted.len() {
            break;
        }
        short_wait().await;
    }
    settle(&fixture).await;
    assert_eq!(happened(&fixture).await, wanted);
    for (story, is_published) in [(early, true), (late, true), (expiring, false), (future, false)] {
        let path = fixture.path(&format!("/stories/{story}"));
        assert_eq!(fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(200)["story"]["published"], is_published);
    }
    fixture.clock.advance(SignedDuration::from_hours(24 * 8));
    settle(&fixture).await;
    assert_eq!(happened(&fixture).await.last().unwrap(), "story.published future");
}

/// The lease is long, so that it is not the end of a lease that ends the import.
#[tokio::test]
async fn a_running_import_ends_at_once_and_can_be_resumed_when_the_space_is_back() {
    let folder = Folder::new();
    let setup = Setup { import_lease: Some(Duration::from_mins(9)), ..Setup::default() };
    let (stand_in, fixture) = world_of([folder.path().to_owned()], None, setup).await;
    let admin = Caller::Token(&fixture.admin);
    stand_in.control.fault(Fault::of("/stories/", What::Silence));
    let made = fixture.post(admin, &fixture.path("/import/vendor"), wanted(folder.path())).await.expect(202);
    let import = fixture.path(&format!("/imports/{}", made["import"]["id"]));
    stand_in.control.faulted(1).await;
    fixture.delete(Caller::Owner, &fixture.path("")).await.expect(200);
    let running = async || fixture.actors.handles().observe_all().await["importer"]["running"].as_u64();
    let began = std::time::Instant::now();
    while running().await != Some(0) {
        assert!(began.elapsed() < Duration::from_secs(15), "the import still asks its source");
        short_wait().await;
    }
    let requests = stand_in.control.counters().admitted;
    settle(&fixture).await;
    assert_eq!(stand_in.control.counters().admitted, requests);

    fixture.undelete_space().await;
    let ended = fixture.get(admin, &import).await.expect(200)["import"].clone();
    assert_eq!((&ended["status"], &ended["error"]), (&json!("cancelled"), &json!(null)), "{ended}");
    let log = fixture.get(admin, &fixture.path("/audit_log?per_page=3")).await.expect(200);
    let actions: Vec<_> = log["audit_log"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["space.undelete", "space.delete", "import.cancelled"]);
    stand_in.control.set_faults(Vec::new());
    let body = json!({ "oauth_token": vendor_stand_in::TOKEN });
    fixture.post(admin, &format!("{import}/resume"), body).await.expect(202);
    // The process that was cut off has given the job back, or this one would wait for nine minutes.
    let began = std::time::Instant::now();
    loop {
        settle(&fixture).await;
        let now = fixture.get(admin, &import).await.expect(200)["import"].clone();
        if now["status"] == "succeeded" {
            break;
        }
        assert!(["queued", "running"].contains(&now["status"].as_str().unwrap()), "{now}");
        assert!(began.elapsed() < Duration::from_mins(1), "{now}");
        short_wait().await;
    }
}

#[tokio::test]
async fn an_import_that_waits_is_cancelled_with_its_space() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    // All slots are taken by imports that no worker does.
    let connection = fixture.connection().await;
    let taken = "insert into jobs (queue, key, payload, due_at, created_at, lease_token, lease_until)
                 select 'import', 'taken ' || n, '{}', now(), now(), gen_random_uuid(), clock_timestamp() + interval '9 minutes' from generate_series(1, 8) n";
    storage::Executor::execute(&connection, taken, &[]).await.unwrap();
    let body = json!({ "source_space_id": 1, "oauth_token": "x", "region": "eu" });
    let made = fixture.post(admin, &fixture.path("/import/vendor"), body).await.expect(202);
    let import = fixture.path(&format!("/imports/{}", made["import"]["id"]));
    assert_eq!(fixture.get(admin, &import).await.expect(200)["import"]["status"], "queued");
    fixture.delete(Caller::Owner, &fixture.path("")).await.expect(200);
    fixture.undelete_space().await;
    assert_eq!(fixture.get(admin, &import).await.expect(200)["import"]["status"], "cancelled");
    let sealed = storage::Executor::row(&connection, "select count(sealed_token) as kept from import_jobs", &[]).await.unwrap();
    assert_eq!(sealed.get::<_, i64>("kept"), 0, "the token of the source is gone");
}
