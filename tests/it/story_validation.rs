//! What the schemas of a space say about its stories: when a caller asks, and before something is published.

mod asking;
mod by_schedule;
mod example_spaces;
mod publishing;

use support::prelude::*;

/// A space with the components `page` (a required title, blocks, an author) and `teaser`.
async fn space() -> SpaceFixture {
    let fixture = SpaceFixture::new().await;
    let page = json!({
        "title": { "type": "text", "required": true, "max_length": 10, "translatable": true },
        "body": { "type": "bloks", "restrict_components": true, "component_whitelist": ["teaser"] },
        "author": { "type": "option", "source": "internal_stories", "filter_content_type": ["author"] },
    });
    fixture.create("component", json!({ "name": "page", "is_root": true, "schema": page })).await;
    fixture.create("component", json!({ "name": "teaser", "schema": { "label": { "type": "text", "regex": "^[A-Z]" } } })).await;
    fixture
}

/// The same, which publishes valid stories only.
async fn strict_space() -> SpaceFixture {
    let fixture = space().await;
    let body = json!({ "space": { "publish_requires_valid": true } });
    fixture.put(Caller::Token(&fixture.admin), &fixture.path(""), body).await.expect(200);
    fixture
}

/// A draft with this content of `page`; its number.
async fn draft(fixture: &SpaceFixture, slug: &str, content: Value) -> i64 {
    fixture.draft(slug, json!({ "content": page(content) })).await
}

fn page(mut content: Value) -> Value {
    content["component"] = "page".into();
    content["_uid"] = "root".into();
    content
}

/// Problems as `field code`.
fn lines(problems: &Value) -> Vec<String> {
    let line = |problem: &Value| format!("{} {}", problem["field"].as_str().unwrap(), problem["code"].as_str().unwrap());
    problems.as_array().unwrap().iter().map(line).collect()
}
