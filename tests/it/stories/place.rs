//! Where stories stand: paths, folders, start pages, order.

use super::{Desk, each, id, page};
use serde_json::json;

#[tokio::test]
async fn a_story_stands_below_its_folder_and_blocks_get_uids() {
    let desk = Desk::new().await;
    let blog = desk.folder("Blog", "blog", 0).await;
    let body = json!([{ "component": "teaser" }, { "component": "teaser", "_uid": "kept" }]);
    let content = json!({ "component": "post", "body": body });
    let post =
        desk.story(page("Post", "post", json!({ "parent_id": blog, "content": content, "tag_list": ["a", "b", "a"] }))).await;
    assert_eq!(post["full_slug"], "blog/post");
    assert_eq!(post["parent"]["slug"], "blog");
    assert_eq!(post["breadcrumbs"][0]["name"], "Blog");
    assert_eq!(post["content_type"], "post");
    assert_eq!(post["tag_list"], json!(["a", "b"]));
    assert_eq!(post["content"]["_uid"].as_str().unwrap().len(), 36);
    assert_eq!(post["content"]["body"][0]["_uid"].as_str().unwrap().len(), 36);
    assert_eq!(post["content"]["body"][1]["_uid"], "kept");
    assert_eq!((&post["published"], &post["unpublished_changes"]), (&json!(false), &json!(true)));
    assert_eq!(desk.read(id(&post)).await, post);
}

#[tokio::test]
async fn a_place_is_taken_once() {
    let desk = Desk::new().await;
    let blog = desk.folder("Blog", "blog", 0).await;
    let other = desk.folder("Other", "other", 0).await;
    let post = id(&desk.story(page("Post", "post", json!({ "parent_id": blog }))).await);
    let again = json!({ "story": page("Post", "post", json!({ "parent_id": blog })) });
    let refused = desk.refused("POST", "/stories", again, 422).await;
    assert_eq!(refused["fields"], json!({ "slug": ["has already been taken"] }));
    assert_eq!(refused["details"][0]["code"], "taken");

    let elsewhere = id(&desk.story(page("Post", "post", json!({ "parent_id": other }))).await);
    let before = desk.audit_count().await;
    desk.refused("PUT", &format!("/stories/{elsewhere}"), json!({ "story": { "parent_id": blog } }), 422).await;
    assert_eq!(desk.read(elsewhere).await["full_slug"], "other/post");
    assert_eq!(desk.audit_count().await, before);

    desk.act("DELETE", post, "").await;
    desk.update(elsewhere, json!({ "parent_id": blog })).await;
    assert_eq!(desk.read(elsewhere).await["full_slug"], "blog/post");
}

#[tokio::test]
async fn a_start_page_answers_for_its_folder_and_there_is_one() {
    let desk = Desk::new().await;
    let blog = desk.folder("Blog", "blog", 0).await;
    let start = desk.published(page("Start", "blog", json!({ "parent_id": blog, "is_startpage": true }))).await;
    assert_eq!(start["full_slug"], "blog/");
    desk.published(page("Blog in blog", "blog", json!({ "parent_id": blog }))).await;
    for path in ["stories/blog", "stories/blog/"] {
        assert_eq!(desk.cdn(path).await.expect(200)["story"]["name"], "Start", "{path}");
    }
    let second = json!({ "story": page("Second", "x", json!({ "parent_id": blog, "is_startpage": true })) });
    desk.refused("POST", "/stories", second, 422).await;
}

#[tokio::test]
async fn renaming_a_folder_moves_everything_below_it_for_every_reader() {
    let desk = Desk::new().await;
    let blog = desk.folder("Blog", "blog", 0).await;
    let year = desk.folder("2026", "2026", blog).await;
    desk.published(page("Post", "post", json!({ "parent_id": year }))).await;
    desk.published(page("Start", "s", json!({ "parent_id": blog, "is_startpage": true }))).await;
    desk.published(page("Blogger", "blogger", json!({}))).await;
    let (seen, events) = (desk.cv().await, desk.events().await.len());

    let renamed = desk.update(blog, json!({ "slug": "news" })).await;
    assert_eq!(renamed["full_slug"], "news");
    for copy in ["published", "draft"] {
        let stories = desk.cdn(&format!("stories?version={copy}")).await.expect(200);
        let mut slugs = each(&stories, "full_slug");
        slugs.sort_unstable();
        assert_eq!(slugs, ["blogger", "news/", "news/2026/post"], "{copy}");
    }
    assert_eq!(desk.cdn("stories/blog/2026/post").await.status, 404);
    assert!(desk.cv().await > seen);
    let moved: Vec<_> = desk.events().await.split_off(events);
    let moved: Vec<_> = moved.iter().map(|(action, new, old)| (action.as_str(), new.as_str(), old.as_deref().unwrap())).collect();
    assert_eq!(
        moved,
        [
            ("story.moved", "news", "blog"),
            ("story.moved", "news/", "blog/"),
            ("story.moved", "news/2026", "blog/2026"),
            ("story.moved", "news/2026/post", "blog/2026/post"),
        ]
    );
}

#[tokio::test]
async fn a_folder_cannot_stand_below_itself_and_a_story_has_no_children() {
    let desk = Desk::new().await;
    let a = desk.folder("A", "a", 0).await;
    let b = desk.folder("B", "b", a).await;
    let story = id(&desk.story(page("Story", "story", json!({}))).await);
    for parent in [a, b, story, 999_999] {
        let refused = desk.refused("PUT", &format!("/stories/{a}"), json!({ "story": { "parent_id": parent } }), 422).await;
        assert_eq!(refused["details"][0]["field"], "parent_id", "{parent}");
    }
    assert_eq!(desk.read(a).await["full_slug"], "a");
    assert_eq!(desk.read(b).await["full_slug"], "a/b");
}

#[tokio::test]
async fn newcomers_come_first_and_moves_put_them_behind_a_sibling() {
    let desk = Desk::new().await;
    let folder = desk.folder("F", "f", 0).await;
    let mut ids = Vec::new();
    for slug in ["a", "b", "c"] {
        ids.push(id(&desk.story(page(slug, slug, json!({ "parent_id": folder }))).await));
    }
    let order = async || {
        let list = desk.cdn("stories?version=draft&starts_with=f/").await.expect(200);
        each(&list, "slug").join("")
    };
    assert_eq!(order().await, "cba");
    desk.act("PUT", ids[2], &format!("move?after_id={}", ids[1])).await;
    assert_eq!(order().await, "bca");
    desk.act("PUT", ids[0], "move").await;
    assert_eq!(order().await, "abc");
    let moved = desk.act("PUT", ids[0], "move?to_folder=0").await;
    assert_eq!(moved["full_slug"], "a");
    assert_eq!(order().await, "bc");
}

#[tokio::test]
async fn a_bulk_move_is_whole_or_not_at_all() {
    let desk = Desk::new().await;
    let folder = desk.folder("F", "f", 0).await;
    let a = id(&desk.story(page("A", "a", json!({}))).await);
    let b = id(&desk.story(page("B", "b", json!({}))).await);
    desk.refused("POST", "/stories/bulk_move", json!({ "story_ids": [a, 999_999], "to_folder": folder }), 404).await;
    assert_eq!(desk.read(a).await["full_slug"], "a");
    desk.story(page("Taken", "b", json!({ "parent_id": folder }))).await;
    desk.refused("POST", "/stories/bulk_move", json!({ "story_ids": [a, b], "to_folder": folder }), 422).await;
    assert_eq!(desk.read(a).await["full_slug"], "a");

    let c = id(&desk.story(page("C", "c", json!({}))).await);
    let body = json!({ "story_ids": [c, a], "to_folder": folder });
    let moved = desk.json(super::Caller::Token(&desk.editor), "POST", &desk.path("/stories/bulk_move"), body).await;
    assert_eq!(moved.status, 204);
    let list = desk.cdn("stories?version=draft&starts_with=f/").await.expect(200);
    assert_eq!(each(&list, "slug"), ["c", "a", "b"]);
}

#[tokio::test]
async fn a_path_that_would_become_too_long_is_refused_wherever_it_grows() {
    let desk = Desk::new().await;
    // Letters of two bytes, none like the last: what compresses well would fit into an index however long it is.
    let long = |from: u32, count: u32| (0..count).map(|step| char::from_u32(from + step * 7 % 1_000).unwrap()).collect::<String>();
    let mut deep = 0;
    for from in [0x100, 0x181, 0x203] {
        deep = desk.folder("Deep", &long(from, 255), deep).await;
    }
    let small = desk.folder("Small", "small", 0).await;
    let folder = desk.folder("Folder", &long(0x2a1, 200), small).await;
    desk.story(page("Below", &long(0x1a3, 40), json!({ "parent_id": folder }))).await;
    let before = desk.audit_count().await;
    let refused = async |path: String, body| {
        let refused = desk.refused("PUT", &path, body, 422).await;
        assert_eq!(refused["fields"]["slug"][0], "makes a path longer than 2000 bytes", "{path}");
    };
    for (id, parent) in [(folder, deep), (small, deep)] {
        refused(format!("/stories/{id}"), json!({ "story": { "parent_id": parent } })).await;
    }
    assert_eq!((desk.read(folder).await["parent_id"].clone(), desk.audit_count().await), (json!(small), before));

    desk.act("DELETE", folder, "").await;
    desk.update(small, json!({ "parent_id": deep })).await;
    refused(format!("/stories/{folder}/undelete"), json!({})).await;
}

#[tokio::test]
async fn a_draft_that_moves_between_others_changes_cv_only_when_it_moves_what_is_published() {
    let desk = Desk::new().await;
    let drafts = [id(&desk.story(page("A", "a", json!({}))).await), id(&desk.story(page("B", "b", json!({}))).await)];
    let cv = desk.cv().await;
    desk.act("PUT", drafts[0], &format!("move?after_id={}", drafts[1])).await;
    assert_eq!(desk.cv().await, cv, "nobody who reads published content sees that");

    let last = desk.published(page("Last", "last", json!({ "position": 1_000 }))).await;
    let position = async || desk.cdn("stories/last").await.expect(200)["story"]["position"].clone();
    let (cv, before) = (desk.cv().await, position().await);
    desk.act("PUT", drafts[1], &format!("move?after_id={}", drafts[0])).await;
    assert_ne!(position().await, before);
    assert!(desk.cv().await > cv);

    desk.act("DELETE", id(&last), "").await;
    let folder = desk.folder("Folder", "folder", 0).await;
    desk.update(folder, json!({ "position": 1_000 })).await;
    let cv = desk.cv().await;
    desk.act("PUT", drafts[0], &format!("move?after_id={}", drafts[1])).await;
    assert!(desk.cv().await > cv, "links show folders");
}
