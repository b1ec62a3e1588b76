//! Draft and published: who sees what, when.

use super::{Caller, Desk, id, page};
use serde_json::json;

#[tokio::test]
async fn a_draft_is_not_seen_until_it_is_published_and_then_until_it_is_taken_offline() {
    let desk = Desk::new().await;
    let story = id(&desk.story(page("First", "s", json!({}))).await);
    assert_eq!(desk.cdn("stories/s").await.status, 404);
    assert_eq!(desk.cdn("stories/s?version=draft").await.expect(200)["story"]["published_at"], json!(null));

    let published = desk.act("GET", story, "publish").await;
    assert_eq!((&published["published"], &published["unpublished_changes"]), (&json!(true), &json!(false)));
    let first = published["first_published_at"].clone();
    assert!(first.is_string());

    let saved = desk.update(story, json!({ "name": "Second", "content": { "component": "page", "only": "this" } })).await;
    assert_eq!((&saved["published"], &saved["unpublished_changes"]), (&json!(true), &json!(true)));
    assert!(saved["content"].get("title").is_none(), "content is replaced entirely");
    assert_eq!(desk.cdn("stories/s").await.expect(200)["story"]["name"], "First");
    assert_eq!(desk.cdn("stories/s?version=draft").await.expect(200)["story"]["name"], "Second");

    let offline = desk.act("POST", story, "unpublish").await;
    assert_eq!((&offline["published"], &offline["published_at"]), (&json!(false), &json!(null)));
    assert_eq!(offline["first_published_at"], first);
    assert_eq!(desk.cdn("stories/s").await.status, 404);
    desk.refused("POST", &format!("/stories/{story}/unpublish"), json!({}), 422).await;
    let actions: Vec<_> = desk.events().await.into_iter().map(|(action, ..)| action).collect();
    assert_eq!(actions, ["story.published", "story.unpublished"]);
}

#[tokio::test]
async fn publish_is_read_from_body_and_query_in_three_spellings() {
    let desk = Desk::new().await;
    for (number, (query, publish, expected)) in [
        ("", json!(1), true),
        ("", json!("1"), true),
        ("", json!(true), true),
        ("?publish=true", json!(null), true),
        ("?publish=1", json!(0), true),
        ("", json!(0), false),
        ("", json!(null), false),
    ]
    .into_iter()
    .enumerate()
    {
        let story = page("S", &format!("s{number}"), json!({}));
        let body = json!({ "story": story, "publish": publish });
        let made = desk.write("POST", &format!("/stories{query}"), body, 201).await;
        assert_eq!(made["published"], expected, "{query} {publish}");
    }
    let folder = json!({ "story": { "name": "F", "slug": "f", "is_folder": true }, "publish": 1 });
    desk.refused("POST", "/stories", folder, 422).await;
}

#[tokio::test]
async fn cv_strictly_increases_with_what_the_public_sees_and_stays_with_drafts() {
    let desk = Desk::new().await;
    let mut seen = desk.cv().await;
    let story = id(&desk.published(page("S", "s", json!({}))).await);
    for change in ["publish", "unpublish", "publish"] {
        let before = seen;
        seen = desk.cv().await;
        assert!(seen > before);
        desk.act("POST", story, change).await;
    }
    let before = desk.cv().await;
    desk.update(story, json!({ "name": "Draft" })).await;
    assert_eq!(desk.cv().await, before);
}

#[tokio::test]
async fn discarding_goes_back_to_what_is_published() {
    let desk = Desk::new().await;
    let story = id(&desk.published(page("Published", "s", json!({ "tag_list": ["a"] }))).await);
    desk.update(story, json!({ "name": "Draft", "tag_list": [], "content": { "component": "page" } })).await;
    let discarded = desk.act("POST", story, "discard_changes").await;
    assert_eq!(discarded["name"], "Published");
    assert_eq!(discarded["tag_list"], json!(["a"]));
    assert_eq!(discarded["content"]["title"], "Published");
    assert_eq!(discarded["unpublished_changes"], false);
    let draft = id(&desk.story(page("Never", "never", json!({}))).await);
    desk.refused("POST", &format!("/stories/{draft}/discard_changes"), json!({}), 422).await;
}

#[tokio::test]
async fn a_copy_is_a_draft_of_its_own() {
    let desk = Desk::new().await;
    let story = id(&desk.published(page("Original", "s", json!({ "tag_list": ["a"] }))).await);
    let body = json!({ "story": { "name": "Copy", "slug": "copy" } });
    let copy = desk.write("PUT", &format!("/stories/{story}/duplicate"), body, 200).await;
    assert_ne!(copy["uuid"], desk.read(story).await["uuid"]);
    assert_eq!(
        (&copy["published"], &copy["content"]["title"], &copy["tag_list"][0]),
        (&json!(false), &json!("Original"), &json!("a"))
    );
    desk.refused("PUT", &format!("/stories/{story}/duplicate"), json!({ "story": { "slug": "copy" } }), 422).await;
}

#[tokio::test]
async fn alternates_share_a_group() {
    let desk = Desk::new().await;
    let one = desk.published(page("One", "one", json!({}))).await;
    let two = desk.published(page("Two", "two", json!({ "group_id": one["group_id"] }))).await;
    assert_eq!(two["alternates"][0]["id"], one["id"]);
    let delivered = desk.cdn("stories/one").await.expect(200);
    assert_eq!(delivered["story"]["alternates"][0]["full_slug"], "two");
    let response = desk.get(Caller::Token(&desk.viewer), &desk.path(&format!("/stories/{}", id(&one)))).await.expect(200);
    assert_eq!(response["story"]["alternates"][0]["id"], two["id"]);
}
