//! Queries for which PostgreSQL would work for seconds.

use super::{fixture, publish, read};
use futures_util::FutureExt;
use std::pin::pin;
use support::{NEVER_IDLE, prelude::*};

/// A list of a space by a pattern that is looked for in every story.
const PATTERN: &str = "filter_query%5Btext%5D%5Blike%5D=*a*";

/// Lets the space of a test look as large as one of `stories`.
async fn pretend(fixture: &SpaceFixture, stories: i64) {
    fixture.execute("update edition_counts set stories = $1", &[&stories]).await;
}

/// The status of a read, and its message.
async fn refusal(fixture: &SpaceFixture, path: &str) -> (u16, String) {
    let response = read(&fixture.app, &fixture.public, path).await;
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
    let store = &fixture.database.store;
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

#[tokio::test]
async fn patterns_and_the_texts_that_they_are_compared_with_are_bounded() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "long", &format!("{}b{}", "a".repeat(9_999), "c".repeat(100_000))).await;
    let long = format!("*{}b*", "a".repeat(30_000));
    for (name, pattern) in [
        ("filter_query%5Btext%5D%5Blike%5D", long.as_str()),
        ("filter_query%5Btext%5D%5Bnot_like%5D", "*a*b*c*d*e*f*g*h*"),
        ("by_slugs", &long[..202]),
        ("excluding_slugs", "*a*b*c*d*e*f*g*h*"),
    ] {
        let (status, message) = refusal(&fixture, &format!("stories?{name}={pattern}")).await;
        assert_eq!(status, 422, "{name}");
        assert!(message.contains("has a pattern "), "{message}");
    }
    for (pattern, total) in [("*****aa****b", 1), ("*c", 0), ("*a*", 1)] {
        let path = format!("stories?filter_query%5Btext%5D%5Blike%5D={pattern}");
        let response = read(&fixture.app, &fixture.public, &path).await;
        assert_eq!(response.headers()["total"], total.to_string(), "{pattern}");
    }
}

#[tokio::test]
async fn what_no_index_answers_is_estimated() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    pretend(&fixture, 200_000).await;
    let missing = (0..50).map(|number| format!("filter_query%5Bz{number}%5D%5Bin%5D=,")).collect::<Vec<_>>().join("&");
    let keys = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|key| format!("content.x.{key}:asc")).join(",");
    for path in [
        format!("stories?{missing}"),
        "stories?sort_by=content.a:asc:nulls_first,content.b.c:asc".to_owned(),
        "stories?search_term=a".to_owned(),
        format!("links?sort_by={keys}"),
        format!("links?paginated=1&sort_by={keys}"),
    ] {
        let before = fixture.database.store.round_trips_of("delivery.render");
        let (status, message) = refusal(&fixture, &path).await;
        assert_eq!(status, 422, "{path}");
        assert!(message.starts_with("This query takes too long"), "{message}");
        assert_eq!(fixture.database.store.round_trips_of("delivery.render"), before);
    }
    assert_eq!(refusal(&fixture, "links?sort_by=name:asc").await.0, 200);
    let (status, message) = refusal(&fixture, "stories?search_term=a%20b%20c%20d%20e%20f%20g%20h%20i").await;
    assert_eq!((status, message.as_str()), (422, "search_term has more than 8 words"));
}

#[tokio::test]
async fn the_list_of_the_management_api_has_the_same_bounds() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    let ask = async |query: &str| {
        let reply = fixture.viewer().get(&format!("/stories?{query}")).await;
        reply.expect(422).to_string()
    };
    let many = (0..501).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    for name in ["by_ids", "excluding_ids", "by_slugs", "excluding_slugs", "with_tag", "content_type"] {
        assert!(ask(&format!("{name}={many}")).await.contains("has more than 500 values"), "{name}");
    }
    let long = "x".repeat(201);
    assert!(ask(&format!("search={long}")).await.contains("is longer than 200 characters"));
    assert!(ask(&format!("by_slugs=*{long}")).await.contains("has a pattern of more than 200 characters"));
    let patterns = |count: usize| (0..count).map(|number| format!("*a*b*c*d*e*f*g*{number}")).collect::<Vec<_>>().join(",");
    assert!(ask(&format!("by_slugs={}", patterns(21))).await.contains("has more than 20 values with *"));
    let path = fixture.path(&format!("/stories?by_slugs={}", patterns(20)));
    fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(200);
    pretend(&fixture, 20_000).await;
    assert!(ask(&format!("by_slugs={}", patterns(20))).await.contains("This list takes too long in a space of this size."));
    let listed = fixture.viewer().get("/stories?by_slugs=nope,s*").await.expect(200);
    assert_eq!(listed["stories"][0]["slug"], "s");
}

/// The statement waits for a lock here, as a slow one would for the processor.
#[tokio::test]
async fn who_runs_out_of_time_is_told_whether_to_try_again() {
    let fixture = fixture(&[("APP_DELIVERY_STATEMENT_TIMEOUT", "1")]).await;
    publish(&fixture, "s", "").await;
    pretend(&fixture, 10_000).await;
    let mut session = fixture.connection().await;
    let lock = session.begin();
    lock.execute(NEVER_IDLE, &[]).await.unwrap();
    lock.execute("lock table editions in access exclusive mode", &[]).await.unwrap();
    // The database is there, as the server sees by its other answers.
    let observer = fixture.connection().await;
    let answering = async { while observer.execute("select 1", &[]).await.is_ok() {} };
    let refused = async {
        let (status, message) = refusal(&fixture, &format!("stories?{PATTERN}")).await;
        assert_eq!(status, 422, "{message}");
        assert!(message.starts_with("This query takes too long"), "{message}");
        assert_eq!(refusal(&fixture, "stories?per_page=1").await.0, 422, "whatever it was estimated at");
        assert_eq!(refusal(&fixture, "links?paginated=1").await.0, 422);
    };
    tokio::select! {
        () = answering => panic!("it is not"),
        () = refused => {}
    }
    let fixed = read(&fixture.app, &fixture.public, "stories/s").await;
    assert_eq!(fixed.status(), 503, "it asks for nothing that could be less");
    assert!(fixed.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn pages_do_not_wait_for_expensive_queries() {
    let fixture = fixture(&[("APP_DELIVERY_AT_ONCE", "1"), ("APP_DELIVERY_STATEMENT_TIMEOUT", "30")]).await;
    publish(&fixture, "s", "").await;
    pretend(&fixture, 100_000).await;
    let mut session = fixture.connection().await;
    let lock = session.begin();
    lock.execute(NEVER_IDLE, &[]).await.unwrap();
    lock.execute("lock table edition_tags in access exclusive mode", &[]).await.unwrap();
    let path = format!("stories?with_tag=a&{PATTERN}");
    let mut expensive = pin!(read(&fixture.app, &fixture.public, &path));
    while support::waiting_for(&lock).await == 0 {
        assert!((&mut expensive).now_or_never().is_none());
        tokio::task::yield_now().await;
    }
    assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 200);
    drop(lock);
    assert_eq!(expensive.await.status(), 200);
}
