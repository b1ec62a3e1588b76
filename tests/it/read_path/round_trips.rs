//! How many round trips reads cost, and how often responses are rendered.

use super::{fixture, name, publish, read, rename};
use support::prelude::*;

/// Waits until the server is connected to the NOTIFY channel; before, it does not use its token cache.
async fn hearing(fixture: &SpaceFixture) {
    fixture.actors.handles().notifications.until(true).await;
}

/// The round trips of a read.
async fn cost(fixture: &SpaceFixture, token: &str, path: &str) -> u64 {
    let store = &fixture.database.store;
    let before = store.round_trips();
    assert_eq!(read(&fixture.app, token, path).await.status(), 200, "{path}");
    store.round_trips() - before
}

#[tokio::test]
async fn a_cached_read_asks_nothing_and_a_read_after_a_write_asks_twice() {
    let fixture = fixture(&[]).await;
    let story = publish(&fixture, "s", "").await;
    hearing(&fixture).await;
    for (token, path) in
        [(&fixture.public, "stories/s"), (&fixture.preview, "stories/s?version=draft"), (&fixture.public, "stories?page=1")]
    {
        assert!(cost(&fixture, token, path).await > 0, "{path}");
        for again in [path.to_owned(), format!("{path}{}cv=5", if path.contains('?') { "&" } else { "?" })] {
            assert_eq!(cost(&fixture, token, &again).await, 0, "{again}");
        }
    }
    assert_eq!(cost(&fixture, &fixture.private, "stories/s").await, 1, "the token only");
    rename(&fixture, story, "new", true).await;
    assert_eq!(cost(&fixture, &fixture.public, "stories/s").await, 2, "the token, the story");
    rename(&fixture, story, "newer", false).await;
    assert_eq!(cost(&fixture, &fixture.public, "stories/s").await, 1, "a draft does not change what is published");
}

#[tokio::test]
async fn a_cold_read_is_one_round_trip() {
    let fixture = fixture(&[("APP_DELIVERY_CACHE_MB", "0")]).await;
    publish(&fixture, "s", "").await;
    hearing(&fixture).await;
    name(&fixture.app, &fixture.public, "published").await;
    for path in
        ["stories/s", "stories", "stories?starts_with=s&sort_by=name:asc", "stories?filter_query[text][in]=x", "links", "tags"]
    {
        assert_eq!(cost(&fixture, &fixture.public, path).await, 1, "{path}");
    }
    assert_eq!(cost(&fixture, &fixture.public, "spaces/me").await, 0);
}

/// A published post that refers to others: its UUID.
async fn refer(fixture: &SpaceFixture, slug: &str, content: Value) -> Value {
    let story = json!({ "name": slug, "slug": slug, "content": content, "translated_slugs_attributes": [{ "lang": "de", "slug": format!("{slug}-de") }] });
    let body = json!({ "story": story, "publish": 1 });
    fixture.editor().post("/stories", body).await.expect(201)["story"]["uuid"].clone()
}

#[tokio::test]
async fn a_cold_read_with_all_that_is_resolved_is_one_round_trip() {
    let fixture = fixture(&[("APP_DELIVERY_CACHE_MB", "0")]).await;
    let languages = json!({ "space": { "name": "S", "languages": [{ "code": "de", "name": "Deutsch" }] } });
    fixture.json(Caller::Token(&fixture.admin), "PUT", &format!("/api/v1/spaces/{}", fixture.space), languages).await.expect(200);
    let link = |target: &Value| json!({ "fieldtype": "multilink", "linktype": "story", "id": target });
    let nobody = "00000000-0000-4000-8000-00000000000a";
    let last = refer(&fixture, "last", json!({ "component": "post" })).await;
    let next = refer(&fixture, "next", json!({ "component": "post", "related": [last, nobody], "cta": link(&last) })).await;
    refer(&fixture, "s", json!({ "component": "post", "related": [nobody], "related__i18n__de": [next], "cta": link(&next) }))
        .await;
    hearing(&fixture).await;
    name(&fixture.app, &fixture.public, "published").await;
    let resolved = "resolve_relations=post.related&resolve_links=url&resolve_links_level=2";
    for (path, rels) in [
        ("stories/next?resolve_relations=post.related", 1),
        ("stories/s?resolve_relations=post.related", 0),
        ("stories/s?resolve_relations=post.related&language=de", 2),
        ("stories?resolve_relations=post.related", 1),
        ("stories?resolve_relations=post.related&resolve_level=2&language=de&sort_by=name:desc", 2),
        ("stories/s?resolve_links=story", 0),
        ("stories?resolve_links=link&with_tag=none", 0),
        (&format!("stories/s?{resolved}"), 0),
        (&format!("stories?{resolved}&resolve_level=2"), 1),
        ("stories/de/s-de?language=de", 0),
        ("stories/s-de?language=de", 0),
        ("stories/de/s?language=de", 0),
        (&format!("stories/de/s-de?language=de&{resolved}"), 2),
        ("links?page=2&per_page=1", 0),
    ] {
        assert_eq!(cost(&fixture, &fixture.public, path).await, 1, "{path}");
        let body: Value = serde_json::from_str(&read(&fixture.app, &fixture.public, path).await.text().await.unwrap()).unwrap();
        assert_eq!(body.get("rels").and_then(Value::as_array).map_or(0, Vec::len), rels, "{path} {body}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_for_the_same_response_share_one_rendering() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    hearing(&fixture).await;
    name(&fixture.app, &fixture.public, "published").await;
    let store = &fixture.database.store;
    for page in 1..=20 {
        let before = store.round_trips();
        let path = format!("stories?page={page}&per_page=1");
        let all = join_all((0..50).map(|_| read(&fixture.app, &fixture.public, &path))).await;
        assert!(all.iter().all(|value| value.status() == 200));
        // The second page works out the keys of all pages, and then reads its own.
        assert_eq!(store.round_trips() - before, if page == 2 { 2 } else { 1 }, "{path}");
    }
}

#[tokio::test]
async fn an_error_is_not_cached() {
    let fixture = fixture(&[]).await;
    assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 404);
    publish(&fixture, "s", "").await;
    assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 200);
    for (query, status) in [("version=draft", 401), ("version=x", 422), ("nope=1", 422), ("a=%ff", 400)] {
        assert_eq!(read(&fixture.app, &fixture.public, &format!("stories/s?{query}")).await.status(), status, "{query}");
    }
}

#[tokio::test]
async fn a_cached_response_is_like_the_first_one() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    for path in ["stories/s", "stories?page=2", "links", "spaces/me", "stories/s?version=draft"] {
        let mut seen = Vec::new();
        for _ in 0..2 {
            let response = read(&fixture.app, &fixture.preview, path).await;
            let mut headers = response.headers().clone();
            headers.remove("x-request-id").unwrap();
            headers.remove("date");
            seen.push((response.status(), headers, response.text().await.unwrap()));
        }
        assert_eq!(seen[0], seen[1], "{path}");
    }
    let head =
        fixture.app.client.head(fixture.url(&format!("/api/v2/cdn/stories/s?token={}", fixture.preview))).send().await.unwrap();
    assert_ne!(head.headers()["content-length"], "0");
}

#[tokio::test]
async fn the_bound_in_bytes_holds_and_is_measured() {
    const BOUND: i64 = 1 << 20;
    let variables = [("APP_DELIVERY_CACHE_MB", "1"), ("APP_METRICS_TOKEN", "sixteen bytes or more")];
    let fixture = fixture(&variables).await;
    publish(&fixture, "s", &"x".repeat(50_000)).await;
    let measured = async || -> [i64; 3] {
        let metrics = fixture.app.get("/metrics").bearer_auth("sixteen bytes or more").send().await.unwrap().text().await.unwrap();
        let value = |name: &str| metrics.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().parse::<i64>().unwrap();
        ["svc_delivery_cache_hits_total ", "svc_delivery_cache_misses_total ", "svc_delivery_cache_bytes "].map(value)
    };
    for number in 1..=60 {
        let path = format!("stories?by_slugs=s,{number}");
        let body = read(&fixture.app, &fixture.public, &path).await.text().await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["stories"].as_array().unwrap().len(), 1);
        let [hits, misses, bytes] = measured().await;
        assert_eq!((hits, misses), (0, number));
        assert!(bytes > 50_000 && bytes <= BOUND, "{bytes}");
    }
    read(&fixture.app, &fixture.public, "stories?by_slugs=s,60").await;
    assert_eq!(measured().await[0], 1);
}
