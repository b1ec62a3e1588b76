//! Queries for which PostgreSQL would work for seconds.

use super::{fixture, publish, read};
use crate::support::space_fixture::SpaceFixture;
use futures_util::FutureExt;
use serde_json::Value;
use std::pin::pin;
use storage::Executor;

/// A list of a space by a pattern that is looked for in every story.
const PATTERN: &str = "filter_query%5Btext%5D%5Blike%5D=*a*";

/// Lets the space of a test look as large as one of so many stories.
async fn pretend(fixture: &SpaceFixture, stories: i64) {
    let connection = fixture.app().database.store.connection("test").await.unwrap();
    connection.execute("update edition_counts set stories = $1", &[&stories]).await.unwrap();
}

/// The status of a read, and its message.
async fn refusal(fixture: &SpaceFixture, path: &str) -> (u16, String) {
    let response = read(fixture.app(), &fixture.public, path).await;
    let (status, text) = (response.status().as_u16(), response.text().await.unwrap());
    let body: Value = serde_json::from_str(&text).unwrap();
    (status, body["error"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_query_that_would_take_too_long_is_refused_before_it_runs() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    pretend(&fixture, 4_000).await;
    assert_eq!(refusal(&fixture, &format!("stories?{PATTERN}")).await.0, 200, "one pattern is no trouble");
    let store = &fixture.app().database.store;
    let before = store.round_trips_of("delivery.render");
    let term = |number: i32| format!("filter_query%5B__or%5D%5B%5D%5Bf{number}%5D%5Blike%5D=*a*b*c*");
    let flat = (0..50).map(term).collect::<Vec<_>>().join("&");
    let deep = "filter_query%5Bbody.*.items.*.text%5D%5Bexists%5D=true&filter_query%5Bbody.*.items.*.title%5D%5Bexists%5D=true";
    for path in [format!("stories?{flat}"), format!("tags?{flat}"), format!("stories?{deep}")] {
        let (status, message) = refusal(&fixture, &path).await;
        assert_eq!(status, 422, "{message}");
        assert!(message.starts_with("This query takes too long in a space of this size."), "{message}");
    }
    assert_eq!(store.round_trips_of("delivery.render"), before);
    pretend(&fixture, 40).await;
    publish(&fixture, "t", "").await;
    assert_eq!(refusal(&fixture, &format!("stories?{flat}")).await.0, 200, "in a small space the same is no trouble");
}

/// The statement waits for a lock here, as a slow one would for the processor.
#[tokio::test]
async fn who_runs_out_of_time_is_told_whether_to_try_again() {
    let fixture = fixture(&[("APP_DELIVERY_STATEMENT_TIMEOUT", "1")]).await;
    publish(&fixture, "s", "").await;
    pretend(&fixture, 10_000).await;
    let mut session = fixture.app().database.store.connection("test").await.unwrap();
    let lock = session.begin();
    lock.execute("lock table editions in access exclusive mode", &[]).await.unwrap();
    let (status, message) = refusal(&fixture, &format!("stories?{PATTERN}")).await;
    assert_eq!(status, 422, "{message}");
    assert!(message.starts_with("This query takes too long"), "{message}");
    let cheap = read(fixture.app(), &fixture.public, "stories?per_page=1").await;
    assert_eq!(cheap.status(), 503);
    assert!(cheap.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn pages_do_not_wait_for_expensive_queries() {
    let fixture = fixture(&[("APP_DELIVERY_AT_ONCE", "1")]).await;
    publish(&fixture, "s", "").await;
    pretend(&fixture, 100_000).await;
    let mut session = fixture.app().database.store.connection("test").await.unwrap();
    let lock = session.begin();
    lock.execute("lock table edition_tags in access exclusive mode", &[]).await.unwrap();
    let path = format!("stories?with_tag=a&{PATTERN}");
    let mut expensive = pin!(read(fixture.app(), &fixture.public, &path));
    let waiting = "select count(*) as number from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while lock.row(waiting, &[]).await.unwrap().get::<_, i64>("number") == 0 {
        assert!((&mut expensive).now_or_never().is_none());
        tokio::task::yield_now().await;
    }
    assert_eq!(read(fixture.app(), &fixture.public, "stories/s").await.status(), 200);
    drop(lock);
    assert_eq!(expensive.await.status(), 200);
}
