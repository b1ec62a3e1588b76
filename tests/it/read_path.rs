//! The cache of the Delivery API: nothing stale, few round trips, one rendering for concurrent requests, and
//! its bound in bytes.

mod coding;
mod expensive;
mod freshness;
mod hanging_up;
mod limits;
mod list_rows;
mod memory;
mod paging;
mod processes;
mod round_trips;
mod scopes;
mod statements;
mod too_large;
mod without_statistics;

use support::prelude::*;

/// A space on a server with these variables.
async fn fixture(variables: &[(&str, &str)]) -> SpaceFixture {
    let fixture = SpaceFixture::with_variables(variables).await;
    // With its first connection it forgets what it has read.
    fixture.actors.handles().notifications.until(true).await;
    fixture
}

/// A published story; its number.
async fn publish(fixture: &SpaceFixture, slug: &str, text: &str) -> i64 {
    let content = json!({ "component": "page", "text": text });
    let body = json!({ "story": { "name": slug, "slug": slug, "content": content }, "publish": 1 });
    let made = fixture.editor().post("/stories", body).await.expect(201);
    made["story"]["id"].as_i64().unwrap()
}

/// Gives it another name.
async fn rename(fixture: &SpaceFixture, story: i64, name: &str, publish: bool) {
    let mut body = json!({ "story": { "name": name } });
    if publish {
        body["publish"] = json!(1);
    }
    fixture.editor().put(&format!("/stories/{story}"), body).await.expect(200);
}

/// A read with the preview token, from any server.
async fn read(app: &TestApp, token: &str, path: &str) -> reqwest::Response {
    let joint = if path.contains('?') { '&' } else { '?' };
    app.get(&format!("/api/v2/cdn/{path}{joint}token={token}")).send().await.unwrap()
}

#[tokio::test]
async fn a_read_that_asks_the_database_counts_as_load_and_a_cached_one_does_not() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "one").await;
    let load = &fixture.actors.handles().read_load;
    let before = load.busy_time();
    read(&fixture.app, &fixture.public, "stories/s").await;
    let asked = load.busy_time();
    assert!(asked > before);
    read(&fixture.app, &fixture.public, "stories/s").await;
    assert_eq!(load.busy_time(), asked);
}

/// The name of the story `s`.
async fn name(app: &TestApp, token: &str, version: &str) -> String {
    let response = read(app, token, &format!("stories/s?version={version}")).await;
    assert_eq!(response.status(), 200);
    let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    body["story"]["name"].as_str().unwrap().to_owned()
}
