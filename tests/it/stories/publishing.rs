//! Drafts and published editions: which readers see which.

use super::{id, page};
use support::prelude::*;

#[tokio::test]
async fn a_draft_is_not_seen_until_it_is_published_and_then_until_it_is_taken_offline() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.story(page("First", "s", json!({}))).await);
    assert_eq!(fixture.cdn("stories/s").await.status, 404);
    assert_eq!(fixture.cdn("stories/s?version=draft").await.expect(200)["story"]["published_at"], json!(null));

    let published = fixture.act("GET", story, "publish").await;
    assert_eq!((&published["published"], &published["unpublished_changes"]), (&json!(true), &json!(false)));
    let first = published["first_published_at"].clone();
    assert!(first.is_string());

    let saved = fixture.update(story, json!({ "name": "Second", "content": { "component": "page", "only": "this" } })).await;
    assert_eq!((&saved["published"], &saved["unpublished_changes"]), (&json!(true), &json!(true)));
    assert!(saved["content"].get("title").is_none(), "content is replaced entirely");
    assert_eq!(fixture.cdn("stories/s").await.expect(200)["story"]["name"], "First");
    assert_eq!(fixture.cdn("stories/s?version=draft").await.expect(200)["story"]["name"], "Second");

    let offline = fixture.act("POST", story, "unpublish").await;
    assert_eq!((&offline["published"], &offline["published_at"]), (&json!(false), &json!(null)));
    assert_eq!(offline["first_published_at"], first);
    assert_eq!(fixture.cdn("stories/s").await.status, 404);
    fixture.refused("POST", &format!("/stories/{story}/unpublish"), json!({}), 422).await;
    let actions: Vec<_> = fixture.events().await.into_iter().map(|(action, ..)| action).collect();
    assert_eq!(actions, ["story.published", "story.unpublished"]);
}

#[tokio::test]
async fn publish_is_read_from_body_and_query_in_three_spellings() {
    let fixture = SpaceFixture::new().await;
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
        let made = fixture.write("POST", &format!("/stories{query}"), body, 201).await;
        assert_eq!(made["published"], expected, "{query} {publish}");
    }
}

#[tokio::test]
async fn cv_strictly_increases_with_what_the_public_sees_and_stays_with_drafts() {
    let fixture = SpaceFixture::new().await;
    let mut seen = fixture.cv().await;
    let story = id(&fixture.published(page("S", "s", json!({}))).await);
    for change in ["publish", "unpublish", "publish"] {
        let before = seen;
        seen = fixture.cv().await;
        assert!(seen > before);
        fixture.act("POST", story, change).await;
    }
    let before = fixture.cv().await;
    fixture.update(story, json!({ "name": "Draft" })).await;
    assert_eq!(fixture.cv().await, before);
}

#[tokio::test]
async fn discarding_goes_back_to_what_is_published() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.published(page("Published", "s", json!({ "tag_list": ["a"] }))).await);
    fixture.update(story, json!({ "name": "Draft", "tag_list": [], "content": { "component": "page" } })).await;
    let discarded = fixture.act("POST", story, "discard_changes").await;
    assert_eq!(discarded["name"], "Published");
    assert_eq!(discarded["tag_list"], json!(["a"]));
    assert_eq!(discarded["content"]["title"], "Published");
    assert_eq!(discarded["unpublished_changes"], false);
    let draft = id(&fixture.story(page("Never", "never", json!({}))).await);
    fixture.refused("POST", &format!("/stories/{draft}/discard_changes"), json!({}), 422).await;
}

#[tokio::test]
async fn a_copy_is_a_draft_of_its_own() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.published(page("Original", "s", json!({ "tag_list": ["a"] }))).await);
    let body = json!({ "story": { "name": "Copy", "slug": "copy" } });
    let copy = fixture.write("PUT", &format!("/stories/{story}/duplicate"), body, 200).await;
    assert_ne!(copy["uuid"], fixture.read(story).await["uuid"]);
    assert_eq!(
        (&copy["published"], &copy["content"]["title"], &copy["tag_list"][0]),
        (&json!(false), &json!("Original"), &json!("a"))
    );
    fixture.refused("PUT", &format!("/stories/{story}/duplicate"), json!({ "story": { "slug": "copy" } }), 422).await;
}

#[tokio::test]
async fn alternates_share_a_group() {
    let fixture = SpaceFixture::new().await;
    let one = fixture.published(page("One", "one", json!({}))).await;
    let two = fixture.published(page("Two", "two", json!({ "group_id": one["group_id"] }))).await;
    assert_eq!(two["alternates"][0]["id"], one["id"]);
    let delivered = fixture.cdn("stories/one").await.expect(200);
    assert_eq!(delivered["story"]["alternates"][0]["full_slug"], "two");
    let response = fixture.viewer().get(&format!("/stories/{}", id(&one))).await.expect(200);
    assert_eq!(response["story"]["alternates"][0]["id"], two["id"]);
}

#[tokio::test]
async fn content_whose_keys_come_in_another_order_is_no_change_and_is_kept_as_it_was_written() {
    let fixture = SpaceFixture::new().await;
    let content = r#"{"_uid":"u","component":"page","seo":{"title":"T","text":"x"},"list":[{"a":1,"b":2}]}"#;
    let turned = r#"{"list":[{"b":2,"a":1}],"seo":{"text":"x","title":"T"},"component":"page","_uid":"u"}"#;
    let data = [r#"{"one":1,"two":2}"#, r#"{"two":2,"one":1}"#];
    let put = async |method: &str, path: &str, content: &str, data: &str, status: u16| {
        let body = format!(r#"{{"story":{{"name":"S","slug":"s","content":{content},"meta_data":{data}}}}}"#);
        let reply =
            fixture.send(Caller::Token(&fixture.editor), method, &fixture.path(path), "application/json", body.into()).await;
        reply.expect(status)["story"].clone()
    };
    let story = id(&put("POST", "/stories", content, data[0], 201).await);
    fixture.act("POST", story, "publish").await;
    let versions = async || {
        let path = fixture.path(&format!("/story_versions?by_story_id={story}"));
        fixture.get(Caller::Token(&fixture.editor), &path).await.expect(200)["story_versions"].as_array().unwrap().len()
    };
    let before = versions().await;

    let path = format!("/stories/{story}");
    let saved = put("PUT", &path, turned, data[1], 200).await;
    assert_eq!((&saved["published"], &saved["unpublished_changes"]), (&json!(true), &json!(false)));
    assert_eq!(versions().await, before, "nothing was changed that a version could keep");
    // As written last: the draft turned, what is published as it was when it was published.
    let told = fixture.editor().get(&path).await.text;
    assert!(told.contains(turned) && told.contains(data[1]), "{told}");
    let public = fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/stories/s?token={}", fixture.public)).await.text;
    assert!(public.contains(content), "{public}");

    let edited = put("PUT", &path, &turned.replace("\"x\"", "\"y\""), data[1], 200).await;
    assert_eq!(edited["unpublished_changes"], true);
    let back = put("PUT", &path, turned, data[1], 200).await;
    assert_eq!(back["unpublished_changes"], false);
    // Items of a list have an order.
    let lists = put("PUT", &path, &turned.replace(r#"[{"b":2,"a":1}]"#, r#"[{"b":2,"a":1},{"b":3}]"#), data[1], 200).await;
    let swapped = put("PUT", &path, &turned.replace(r#"[{"b":2,"a":1}]"#, r#"[{"b":3},{"b":2,"a":1}]"#), data[1], 200).await;
    assert_eq!((&lists["unpublished_changes"], &swapped["unpublished_changes"]), (&json!(true), &json!(true)));
    assert_eq!(versions().await, before + 4);
}
