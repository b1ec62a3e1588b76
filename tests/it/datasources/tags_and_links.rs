//! The tags of published stories, and single links.

use super::cdn;
use support::prelude::*;

/// A story or folder, published unless `more` says that it is a folder or a draft.
async fn story(fixture: &SpaceFixture, slug: &str, more: Value) -> Value {
    let mut story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let publish = i32::from(story["is_folder"] != true && story["draft"] != true);
    fixture.editor().post("/stories", json!({ "story": story, "publish": publish })).await.expect(201)["story"].clone()
}

#[tokio::test]
async fn tags_are_counted_below_a_path_and_in_a_version() {
    let fixture = SpaceFixture::new().await;
    let blog = story(&fixture, "blog", json!({ "is_folder": true })).await["id"].clone();
    story(
        &fixture,
        "a",
        json!({ "parent_id": blog, "tag_list": ["news", "x y"], "content": { "component": "page", "kind": "long", "stars": 3 } }),
    )
    .await;
    story(&fixture, "b", json!({ "parent_id": blog, "tag_list": ["news"] })).await;
    story(&fixture, "blog_2", json!({ "tag_list": ["other", "news"] })).await;
    story(&fixture, "hidden", json!({ "draft": true, "tag_list": ["secret", "news"] })).await;
    for (query, expected) in [
        ("", json!([["news", 3], ["other", 1], ["x y", 1]])),
        ("?starts_with=blog/", json!([["news", 2], ["x y", 1]])),
        ("?starts_with=blog_", json!([["news", 1], ["other", 1]])),
        ("?starts_with=news", json!([])),
        ("?starts_with=%25", json!([])),
        ("?filter_query[kind][in]=long", json!([["news", 1], ["x y", 1]])),
        ("?filter_query[stars][gt_int]=3", json!([])),
        (
            "?starts_with=blog&filter_query[__or][][kind][like]=l*&filter_query[__or][][stars][exists]=false",
            json!([["news", 3], ["other", 1], ["x y", 1]]),
        ),
        ("?starts_with=blog_&filter_query[kind][in]=long", json!([])),
        ("?version=draft", json!([["news", 4], ["other", 1], ["secret", 1], ["x y", 1]])),
    ] {
        let joint = if query.is_empty() { '?' } else { '&' };
        let reply = fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/tags{query}{joint}token={}", fixture.preview)).await;
        assert!(!reply.header("etag").is_empty() && !reply.header("cache-control").is_empty());
        let body = reply.expect(200);
        assert_eq!(body.as_object().unwrap().len(), 1, "no cv here");
        let found: Value = body["tags"].as_array().unwrap().iter().map(|b| json!([b["name"], b["taggings_count"]])).collect();
        assert_eq!(found, expected, "{query}");
    }
    assert_eq!(cdn(&fixture, "tags?version=draft").await.status, 401);
    for wrong in ["filter_query[a][is_like]=b", "filter_query[a]=b", "with_tags=news"] {
        assert_eq!(cdn(&fixture, &format!("tags?{wrong}")).await.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn one_link_is_read_by_uuid() {
    let fixture = SpaceFixture::new().await;
    let blog = story(&fixture, "blog", json!({ "is_folder": true })).await;
    let post = story(&fixture, "post", json!({ "parent_id": blog["id"] })).await;
    let draft = story(&fixture, "draft", json!({ "draft": true })).await;
    let uuid = |value: &Value| value["uuid"].as_str().unwrap().to_owned();
    let map = cdn(&fixture, "links").await.expect(200);
    for it in [&blog, &post] {
        let body = cdn(&fixture, &format!("links/{}", uuid(it))).await.expect(200);
        assert_eq!(body, json!({ "link": map["links"][uuid(it)] }));
    }
    let dated = cdn(&fixture, "links?include_dates=1").await.expect(200);
    let body = cdn(&fixture, &format!("links/{}?include_dates=1", uuid(&post))).await.expect(200);
    assert_eq!(body["link"], dated["links"][uuid(&post)]);
    assert!(body["link"]["published_at"].is_string());

    assert_eq!(cdn(&fixture, &format!("links/{}", uuid(&draft))).await.status, 404);
    let preview = format!("/api/v2/cdn/links/{}?version=draft&token={}", uuid(&draft), fixture.preview);
    assert_eq!(fixture.get(Caller::Anonymous, &preview).await.expect(200)["link"]["published"], false);
    for missing in ["00000000-0000-4000-8000-000000000000", "post"] {
        let body = cdn(&fixture, &format!("links/{missing}")).await.expect(404);
        assert!(body["error"].is_string(), "{body}");
    }
    assert_eq!(cdn(&fixture, &format!("links/{}?startswith=a", uuid(&post))).await.status, 422);
}
