//! The versions of a story: their list, and going back to one.

use super::{id, page};
use support::prelude::*;

async fn versions(fixture: &SpaceFixture, story: i64, query: &str) -> Vec<Value> {
    let path = fixture.path(&format!("/story_versions?by_story_id={story}&{query}"));
    let body = fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(200);
    body["story_versions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn every_save_publish_and_unpublish_is_a_version_without_a_gap() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.story(page("1", "s", json!({}))).await);
    fixture.update(story, json!({ "name": "2" })).await;
    fixture.update(story, json!({ "position": 7 })).await; // a place is no version
    fixture.act("POST", story, "publish").await;
    fixture.act("POST", story, "unpublish").await;
    let found = versions(&fixture, story, "").await;
    let seen: Vec<_> = found.iter().map(|f| (f["number"].as_i64().unwrap(), f["status"].as_str().unwrap())).collect();
    assert_eq!(seen, [(4, "unpublished"), (3, "published"), (2, "draft"), (1, "draft")]);
    assert!(found[0].get("content").is_none());

    let with_content = versions(&fixture, story, "show_content=1&per_page=1").await;
    assert_eq!(with_content.len(), 1);
    assert_eq!(with_content[0]["content"]["title"], "1");
    let one = fixture.viewer().get(&format!("/story_versions/{}", found[3]["id"])).await.expect(200);
    assert_eq!(one["story_versions"]["name"], "1");
    let of_story = fixture.viewer().get(&format!("/stories/{story}/versions")).await;
    assert_eq!(of_story.header("total"), "4");
    let past_the_end = fixture.viewer().get(&format!("/stories/{story}/versions?page=9")).await;
    assert_eq!(past_the_end.header("total"), "4");

    let of_model = |query: String| fixture.path(&format!("/versions?{query}"));
    let same = fixture.get(Caller::Token(&fixture.viewer), &of_model(format!("model=stories&model_id={story}"))).await;
    assert_eq!(same.expect(200), of_story.expect(200));
    for wrong in [format!("model=pages&model_id={story}"), format!("model_id={story}"), "model=stories".to_owned()] {
        assert_eq!(fixture.get(Caller::Token(&fixture.viewer), &of_model(wrong)).await.status, 422);
    }
}

#[tokio::test]
async fn an_older_version_becomes_the_draft_and_what_is_published_stays() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.published(page("Old", "s", json!({}))).await);
    fixture.write("PUT", &format!("/stories/{story}"), json!({ "story": { "name": "New" }, "publish": 1 }), 200).await;
    let old = versions(&fixture, story, "").await[1]["id"].clone();
    let restored = fixture.act("PUT", story, &format!("restore_with?version={old}")).await;
    assert_eq!((&restored["name"], &restored["unpublished_changes"]), (&json!("Old"), &json!(true)));
    assert_eq!(fixture.cdn("stories/s").await.expect(200)["story"]["name"], "New");

    let other = id(&fixture.story(page("Other", "other", json!({}))).await);
    fixture.refused("PUT", &format!("/stories/{other}/restore_with?version={old}"), json!({}), 422).await;
    fixture.refused("PUT", &format!("/stories/{other}/restore_with"), json!({}), 422).await;
}
