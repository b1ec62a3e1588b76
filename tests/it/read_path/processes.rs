//! Two servers on one database.

use super::{name, publish, read, rename};
use actors::content::SpaceEvent;
use support::{POOL, prelude::*};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const CUT: &str = "select pg_terminate_backend(pid) from pg_stat_activity
                   where datname = current_database() and application_name = 'lectern listener'";

/// A server, another one on its database, and the events of the other one.
async fn pair() -> (SpaceFixture, TestApp, UnboundedReceiver<SpaceEvent>) {
    let fixture = SpaceFixture::new().await;
    let other = fixture.beside(&[]).await;
    let notifications = &other.actors.handles().notifications;
    notifications.until(true).await;
    fixture.actors.handles().notifications.until(true).await;
    let (send, heard) = unbounded_channel();
    // The cache of the other server subscribed earlier, so it has each event before this test.
    notifications.subscribe_spaces(move |news| {
        let _ = send.send(news);
    });
    (fixture, other, heard)
}

/// Waits until the other server has the event of the newest commit.
async fn told(fixture: &SpaceFixture, heard: &mut UnboundedReceiver<SpaceEvent>) {
    let row = fixture.row("select revision from space_counters where space_id = $1", &[&fixture.space]).await;
    let newest: i64 = row.get("revision");
    loop {
        if matches!(heard.recv().await.unwrap(), SpaceEvent::Committed { version, .. } if version.revision == newest) {
            return;
        }
    }
}

#[tokio::test]
async fn the_other_server_follows_within_one_notification() {
    let (fixture, other, mut heard) = pair().await;
    let story = publish(&fixture, "s", "").await;
    told(&fixture, &mut heard).await;
    for round in 0..20 {
        assert_eq!(
            name(&other, &fixture.preview, "published").await,
            if round == 0 { "s".into() } else { format!("round {}", round - 1) }
        );
        let new = format!("round {round}");
        rename(&fixture, story, &new, true).await;
        told(&fixture, &mut heard).await;
        assert_eq!(name(&other, &fixture.public, "published").await, new);
        rename(&fixture, story, "draft", false).await;
        told(&fixture, &mut heard).await;
        assert_eq!(name(&other, &fixture.preview, "draft").await, "draft");
    }
}

#[tokio::test]
async fn a_revoked_token_and_a_deleted_space_end_on_the_other_server_too() {
    let (fixture, other, mut heard) = pair().await;
    publish(&fixture, "s", "").await;
    told(&fixture, &mut heard).await;
    assert_eq!(name(&other, &fixture.public, "published").await, "s");
    let keys = fixture.admin().get("/api_keys").await.expect(200);
    let public = keys["api_keys"].as_array().unwrap().iter().find(|value| value["access"] == "public").unwrap();
    fixture.admin().delete(&format!("/api_keys/{}", public["id"])).await;
    told(&fixture, &mut heard).await;
    assert_eq!(read(&other, &fixture.public, "stories/s").await.status(), 401);
    assert_eq!(name(&other, &fixture.preview, "published").await, "s");
    fixture.delete(Caller::Owner, &fixture.path("")).await;
    told(&fixture, &mut heard).await;
    assert_eq!(read(&other, &fixture.preview, "stories/s").await.status(), 401);
}

#[tokio::test]
async fn without_notifications_the_other_server_asks_the_database() {
    let (fixture, other, _heard) = pair().await;
    let pool = &fixture.database.store;
    let story = publish(&fixture, "s", "").await;
    assert_eq!(name(&other, &fixture.public, "published").await, "s");
    // All connections of the pool are opened, because no further ones are admitted below.
    drop(join_all((0..POOL).map(|_| pool.connection("test"))).await);
    let connection = pool.connection("test").await.unwrap();
    fixture.database.refuse_connections().await;
    let notifications = &other.actors.handles().notifications;
    let (cut, ()) = tokio::join!(connection.rows(CUT, &[]), notifications.until(false));
    assert_eq!(cut.unwrap().len(), 2);

    for round in 0..5 {
        let new = format!("round {round}");
        rename(&fixture, story, &new, true).await;
        assert_eq!(name(&other, &fixture.public, "published").await, new);
        rename(&fixture, story, "draft", false).await;
        assert_eq!(name(&other, &fixture.preview, "draft").await, "draft");
        assert!(!notifications.is_up());
    }
    fixture.delete(Caller::Owner, &fixture.path("")).await;
    assert_eq!(read(&other, &fixture.public, "stories/s").await.status(), 401);
}

#[tokio::test]
async fn after_missed_notifications_nothing_older_is_served() {
    let (fixture, other, _heard) = pair().await;
    let story = publish(&fixture, "s", "").await;
    let notifications = &other.actors.handles().notifications;
    let connection = fixture.connection().await;
    for round in 0..5 {
        let (cut, ()) = tokio::join!(connection.rows(CUT, &[]), notifications.until(false));
        assert!(!cut.unwrap().is_empty());
        let new = format!("round {round}");
        rename(&fixture, story, &new, true).await;
        notifications.until(true).await;
        assert_eq!(name(&other, &fixture.public, "published").await, new);
        fixture.actors.handles().notifications.until(true).await;
    }
}
