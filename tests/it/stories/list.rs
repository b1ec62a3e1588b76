//! The list of stories in the Management API: filters, orders, paging.

use super::{each, id, page};
use support::prelude::*;

#[tokio::test]
async fn editors_sort_by_type_state_and_author() {
    let fixture = SpaceFixture::new().await;
    let draft = |slug: &str, component: &str| page(slug, slug, json!({ "content": { "component": component } }));
    fixture.story(draft("draft", "b")).await;
    fixture.story(page("planned", "planned", json!({ "content": { "component": "c" }, "publish_at": "2026-03-01 13:00" }))).await;
    let changed = fixture.published(draft("changed", "a")).await;
    fixture.update(id(&changed), json!({ "content": { "component": "a", "title": "x" } })).await;
    fixture.published(draft("published", "d")).await;
    fixture.folder("Folder", "folder", 0).await;
    let admin = json!({ "story": { "name": "Draft" } });
    fixture.admin().put(&format!("/stories/{}", id(&changed)), admin).await.expect(200);
    for (query, expected) in [
        ("sort_by=state:asc&story_only=1", "draft planned changed published"),
        ("sort_by=state:desc&story_only=1", "published changed planned draft"),
        ("sort_by=content_type", "changed draft planned published folder"),
        ("sort_by=content_type:desc", "published planned draft changed folder"),
        ("sort_by=content_type:desc:nulls_first", "folder published planned draft changed"),
        ("sort_by=last_author:asc,slug:desc&story_only=1", "changed published planned draft"),
    ] {
        let body = fixture.viewer().get(&format!("/stories?{query}")).await.expect(200);
        assert_eq!(each(&body, "slug").join(" "), expected, "{query}");
    }
    // A plan beside the story's own time counts as well; its unpublish does not.
    let plan = async |slug: &str, action: &str| {
        let id = &fixture.viewer().get(&format!("/stories?with_slug={slug}")).await.expect(200)["stories"][0]["id"];
        let body = json!({ "story_id": id, "publish_at": "2026-03-02T12:00:00Z", "action": action });
        fixture.editor().post("/story_schedulings", json!({ "story_scheduling": body })).await.expect(201);
    };
    plan("draft", "publish").await;
    plan("published", "unpublish").await;
    let body = fixture.viewer().get("/stories?sort_by=slug&story_only=1").await.expect(200);
    let scheduled: Vec<_> = body["stories"].as_array().unwrap().iter().map(|story| story["is_scheduled"] == true).collect();
    assert_eq!(scheduled, [false, true, true, false], "changed, draft, planned, published");
    let body = fixture.viewer().get("/stories?sort_by=state:asc,slug:desc&story_only=1").await.expect(200);
    assert_eq!(each(&body, "slug").join(" "), "planned draft changed published", "it is sorted as it is shown");
    // Readers are not told by whom, and in which state a story is.
    for key in ["state", "content_type", "last_author"] {
        assert_eq!(fixture.cdn(&format!("stories?sort_by={key}:asc")).await.status, 422);
    }
}

#[tokio::test]
async fn filters_narrow_the_list_and_combine() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let a = fixture.published(page("Alpha", "alpha", json!({ "parent_id": blog, "tag_list": ["x", "y"] }))).await;
    let b = fixture.story(page("Beta", "beta", json!({ "parent_id": blog, "content": { "component": "post" } }))).await;
    fixture.story(page("Gamma_1", "gamma", json!({ "tag_list": ["y"] }))).await;
    let (first, second) = (id(&a), id(&b));
    for (query, expected) in [
        (String::new(), "alpha beta blog gamma"),
        ("folder_only=1".into(), "blog"),
        ("root_folders_only=1".into(), "blog"),
        ("story_only=1".into(), "alpha beta gamma"),
        (format!("with_parent={blog}"), "alpha beta"),
        ("with_parent=0".into(), "blog gamma"),
        ("starts_with=blog/".into(), "alpha beta"),
        ("with_slug=blog/beta".into(), "beta"),
        ("by_slugs=blog/*,gamma".into(), "alpha beta gamma"),
        ("excluding_slugs=blog*".into(), "gamma"),
        (format!("by_ids={first},{second}"), "alpha beta"),
        (format!("excluding_ids={first}&story_only=1"), "beta gamma"),
        (format!("by_uuids={}", a["uuid"].as_str().unwrap()), "alpha"),
        ("with_tag=y".into(), "alpha gamma"),
        ("with_tag=x,nope".into(), "alpha"),
        ("is_published=true".into(), "alpha"),
        ("is_published=false&story_only=1".into(), "beta gamma"),
        ("content_type=post".into(), "beta"),
        ("search=BET".into(), "beta"),
        ("search=a_1".into(), "gamma"),
        ("search=%25".into(), ""),
        ("with_tag=y&starts_with=blog".into(), "alpha"),
    ] {
        let body = fixture.viewer().get(&format!("/stories?{query}")).await.expect(200);
        let mut slugs = each(&body, "slug");
        slugs.sort_unstable();
        assert_eq!(slugs.join(" "), expected, "{query}");
    }
}

#[tokio::test]
async fn the_list_is_paged_ordered_and_without_content() {
    let fixture = SpaceFixture::new().await;
    for slug in ["b", "c", "a"] {
        fixture.story(page(&format!("Page {slug}"), slug, json!({}))).await;
    }
    // A search counts and finds by one statement, everything else by two.
    for narrowed in ["", "&search=PAGE"] {
        let reply = fixture.viewer().get(&format!("/stories?sort_by=name:desc&per_page=2&page=2{narrowed}")).await;
        assert_eq!((reply.header("total"), reply.header("per-page")), ("3", "2"), "{narrowed}");
        let body = reply.expect(200);
        assert_eq!(each(&body, "slug"), ["a"], "{narrowed}");
        assert!(body["stories"][0].get("content").is_none());
        let beyond = fixture.viewer().get(&format!("/stories?page=9{narrowed}")).await;
        assert_eq!(beyond.header("total"), "3", "{narrowed}");
        assert_eq!(beyond.expect(200)["stories"], json!([]));
    }
    let nothing = fixture.viewer().get("/stories?search=none").await;
    assert_eq!(nothing.header("total"), "0");
    assert_eq!(nothing.expect(200)["stories"], json!([]));
}

#[tokio::test]
async fn what_the_list_does_not_know_is_refused_and_named() {
    let fixture = SpaceFixture::new().await;
    for (query, named) in [
        ("nope=1", "nope"),
        ("page=0", "page"),
        ("per_page=x", "per_page"),
        ("sort_by=content:asc", "sort_by"),
        ("folder_only=maybe", "folder_only"),
        ("folder_only=1&story_only=1", "story_only"),
    ] {
        let body = fixture.viewer().get(&format!("/stories?{query}")).await.expect(422);
        assert!(body["message"].as_str().unwrap().contains(named), "{query}: {body}");
    }
    assert_eq!(fixture.viewer().get("/stories?search=%00").await.status, 400);
}
