//! Responses that would be larger than one may be.

use super::{fixture, publish, read};
use support::prelude::*;

/// Three stories of 400 KB each, of which two fit into a response.
async fn large_stories() -> (SpaceFixture, Vec<i64>) {
    let fixture = fixture(&[("APP_RESPONSE_MAX_MB", "1"), ("APP_DB_POOL_SIZE", "2")]).await;
    let text = "x".repeat(400 << 10);
    let mut stories = Vec::new();
    for slug in ["a", "b", "c"] {
        stories.push(publish(&fixture, slug, &text).await);
    }
    (fixture, stories)
}

#[tokio::test]
async fn a_page_that_is_too_large_is_refused_and_a_smaller_one_is_answered() {
    let (fixture, _) = large_stories().await;
    for (token, version) in [(&fixture.public, "published"), (&fixture.preview, "draft")] {
        // More often than there are connections: none is left with the rest of a result.
        for number in 0..4 {
            let refused = read(&fixture.app, token, &format!("stories?version={version}&cv={number}")).await;
            assert_eq!(refused.status(), 422);
            let body: Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
            let sentence =
                "The response would have more than 1 MB. Ask for less: a smaller per_page, fewer relations or links to resolve";
            assert_eq!(body, json!({ "error": sentence }));
            let smaller = read(&fixture.app, token, &format!("stories?per_page=2&version={version}&cv={number}")).await;
            assert_eq!(smaller.status(), 200);
            assert_eq!(smaller.headers()["total"], "3");
            assert!(smaller.bytes().await.unwrap().len() > 800 << 10);
        }
    }
}

#[tokio::test]
async fn resolved_relations_count_as_well() {
    let (fixture, _) = large_stories().await;
    let published = read(&fixture.app, &fixture.public, "stories?per_page=3&excluding_fields=text").await;
    assert_eq!(published.status(), 422, "what is left out is read all the same");
    let uuids = read(&fixture.app, &fixture.public, "links").await.text().await.unwrap();
    let links: Value = serde_json::from_str(&uuids).unwrap();
    let uuids: Vec<&String> = links["links"].as_object().unwrap().keys().collect();
    let content = json!({ "component": "page", "related": uuids });
    let body = json!({ "story": { "name": "all", "slug": "all", "content": content }, "publish": 1 });
    fixture.editor().post("/stories", body).await.expect(201);
    assert_eq!(read(&fixture.app, &fixture.public, "stories/all").await.status(), 200);
    assert_eq!(read(&fixture.app, &fixture.public, "stories/all?resolve_relations=page.related").await.status(), 422);
}

#[tokio::test]
async fn a_page_of_versions_that_is_too_large_is_refused_in_the_shape_of_the_management_api() {
    let (fixture, stories) = large_stories().await;
    let editor = Caller::Token(&fixture.editor);
    for letter in ["y", "z"] {
        let body = json!({ "story": { "content": { "component": "page", "text": letter.repeat(400 << 10) } } });
        fixture.json(editor, "PUT", &fixture.path(&format!("/stories/{}", stories[0])), body).await.expect(200);
    }
    let list = |query: &str| fixture.path(&format!("/stories/{}/versions?{query}", stories[0]));
    let body = fixture.get(editor, &list("show_content=1")).await.expect(422);
    assert_eq!(body["error"], "responseTooLarge");
    assert!(body["message"].as_str().unwrap().contains("a smaller per_page"), "{body}");
    assert_eq!(fixture.get(editor, &list("show_content=1&per_page=1")).await.expect(200)["versions"].as_array().unwrap().len(), 1);
    fixture.get(editor, &list("")).await.expect(200);
}
