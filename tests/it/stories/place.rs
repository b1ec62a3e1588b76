//! The places of stories: paths, folders, start pages, order.

use super::{each, id, page};
use support::prelude::*;

#[tokio::test]
async fn a_story_stands_below_its_folder_and_blocks_get_uids() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let body = json!([{ "component": "teaser" }, { "component": "teaser", "_uid": "kept", "_editable": "<!-- -->" }]);
    let content = json!({ "_editable": "<!-- -->", "component": "post", "body": body });
    let post =
        fixture.story(page("Post", "post", json!({ "parent_id": blog, "content": content, "tag_list": ["a", "b", "a"] }))).await;
    assert_eq!(post["full_slug"], "blog/post");
    assert_eq!(post["parent"]["slug"], "blog");
    assert_eq!(post["breadcrumbs"][0]["name"], "Blog");
    assert_eq!(post["content_type"], "post");
    assert_eq!(post["tag_list"], json!(["a", "b"]));
    assert_eq!(post["content"]["_uid"].as_str().unwrap().len(), 36);
    assert_eq!(post["content"]["body"][0]["_uid"].as_str().unwrap().len(), 36);
    assert_eq!(post["content"]["body"][1]["_uid"], "kept");
    assert!(!post["content"].to_string().contains("_editable"), "the mark of the visual editor is no content");
    assert_eq!((&post["published"], &post["unpublished_changes"]), (&json!(false), &json!(true)));
    assert_eq!(fixture.read(id(&post)).await, post);
}

#[tokio::test]
async fn a_place_is_taken_once() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let other = fixture.folder("Other", "other", 0).await;
    let post = id(&fixture.story(page("Post", "post", json!({ "parent_id": blog }))).await);
    let again = json!({ "story": page("Post", "post", json!({ "parent_id": blog })) });
    let refused = fixture.refused("POST", "/stories", again, 422).await;
    assert_eq!(refused["fields"], json!({ "slug": ["has already been taken"] }));
    assert_eq!(refused["details"][0]["code"], "taken");

    let elsewhere = id(&fixture.story(page("Post", "post", json!({ "parent_id": other }))).await);
    let before = fixture.audit_count().await;
    fixture.refused("PUT", &format!("/stories/{elsewhere}"), json!({ "story": { "parent_id": blog } }), 422).await;
    assert_eq!(fixture.read(elsewhere).await["full_slug"], "other/post");
    assert_eq!(fixture.audit_count().await, before);

    fixture.act("DELETE", post, "").await;
    fixture.update(elsewhere, json!({ "parent_id": blog })).await;
    assert_eq!(fixture.read(elsewhere).await["full_slug"], "blog/post");
}

#[tokio::test]
async fn a_start_page_answers_for_its_folder_and_there_is_one() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let start = fixture.published(page("Start", "blog", json!({ "parent_id": blog, "is_startpage": true }))).await;
    assert_eq!(start["full_slug"], "blog/");
    fixture.published(page("Blog in blog", "blog", json!({ "parent_id": blog }))).await;
    for path in ["stories/blog", "stories/blog/"] {
        assert_eq!(fixture.cdn(path).await.expect(200)["story"]["name"], "Start", "{path}");
    }
    let second = json!({ "story": page("Second", "x", json!({ "parent_id": blog, "is_startpage": true })) });
    fixture.refused("POST", "/stories", second, 422).await;
}

#[tokio::test]
async fn renaming_a_folder_moves_everything_below_it_for_every_reader() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let year = fixture.folder("2026", "2026", blog).await;
    fixture.published(page("Post", "post", json!({ "parent_id": year }))).await;
    fixture.published(page("Start", "s", json!({ "parent_id": blog, "is_startpage": true }))).await;
    fixture.published(page("Blogger", "blogger", json!({}))).await;
    let (seen, events) = (fixture.cv().await, fixture.events().await.len());

    let renamed = fixture.update(blog, json!({ "slug": "news" })).await;
    assert_eq!(renamed["full_slug"], "news");
    for copy in ["published", "draft"] {
        let stories = fixture.cdn(&format!("stories?version={copy}")).await.expect(200);
        let mut slugs = each(&stories, "full_slug");
        slugs.sort_unstable();
        assert_eq!(slugs, ["blogger", "news/", "news/2026/post"], "{copy}");
    }
    assert_eq!(fixture.cdn("stories/blog/2026/post").await.status, 404);
    assert!(fixture.cv().await > seen);
    let moved: Vec<_> = fixture.events().await.split_off(events);
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
    let fixture = SpaceFixture::new().await;
    let a = fixture.folder("A", "a", 0).await;
    let b = fixture.folder("B", "b", a).await;
    let story = id(&fixture.story(page("Story", "story", json!({}))).await);
    for parent in [a, b, story, 999_999] {
        let refused = fixture.refused("PUT", &format!("/stories/{a}"), json!({ "story": { "parent_id": parent } }), 422).await;
        assert_eq!(refused["details"][0]["field"], "parent_id", "{parent}");
    }
    assert_eq!(fixture.read(a).await["full_slug"], "a");
    assert_eq!(fixture.read(b).await["full_slug"], "a/b");
}

#[tokio::test]
async fn newcomers_come_first_and_moves_put_them_behind_a_sibling() {
    let fixture = SpaceFixture::new().await;
    let folder = fixture.folder("F", "f", 0).await;
    let mut ids = Vec::new();
    for slug in ["a", "b", "c"] {
        ids.push(id(&fixture.story(page(slug, slug, json!({ "parent_id": folder }))).await));
    }
    let order = async || {
        let list = fixture.cdn("stories?version=draft&starts_with=f/").await.expect(200);
        each(&list, "slug").join("")
    };
    assert_eq!(order().await, "cba");
    fixture.act("PUT", ids[2], &format!("move?after_id={}", ids[1])).await;
    assert_eq!(order().await, "bca");
    fixture.act("PUT", ids[0], "move").await;
    assert_eq!(order().await, "abc");
    let moved = fixture.act("PUT", ids[0], "move?to_folder=0").await;
    assert_eq!(moved["full_slug"], "a");
    assert_eq!(order().await, "bc");
}

#[tokio::test]
async fn a_bulk_move_is_whole_or_not_at_all() {
    let fixture = SpaceFixture::new().await;
    let folder = fixture.folder("F", "f", 0).await;
    let a = id(&fixture.story(page("A", "a", json!({}))).await);
    let b = id(&fixture.story(page("B", "b", json!({}))).await);
    fixture.refused("POST", "/stories/bulk_move", json!({ "story_ids": [a, 999_999], "to_folder": folder }), 404).await;
    assert_eq!(fixture.read(a).await["full_slug"], "a");
    fixture.story(page("Taken", "b", json!({ "parent_id": folder }))).await;
    fixture.refused("POST", "/stories/bulk_move", json!({ "story_ids": [a, b], "to_folder": folder }), 422).await;
    assert_eq!(fixture.read(a).await["full_slug"], "a");

    let c = id(&fixture.story(page("C", "c", json!({}))).await);
    let body = json!({ "story_ids": [c, a], "to_folder": folder });
    let moved = fixture.json(super::Caller::Token(&fixture.editor), "POST", &fixture.path("/stories/bulk_move"), body).await;
    assert_eq!((moved.status, moved.text.as_str()), (200, "{}"));
    let list = fixture.cdn("stories?version=draft&starts_with=f/").await.expect(200);
    assert_eq!(each(&list, "slug"), ["c", "a", "b"]);
}

#[tokio::test]
async fn a_path_that_would_become_too_long_is_refused_wherever_it_grows() {
    let fixture = SpaceFixture::new().await;
    // Letters of two bytes, none like the last: what compresses well would fit into an index however long it
    // is.
    let long = |from: u32, count: u32| (0..count).map(|step| char::from_u32(from + step * 7 % 1_000).unwrap()).collect::<String>();
    let mut deep = 0;
    for from in [0x100, 0x181, 0x203] {
        deep = fixture.folder("Deep", &long(from, 255), deep).await;
    }
    let small = fixture.folder("Small", "small", 0).await;
    let folder = fixture.folder("Folder", &long(0x2a1, 200), small).await;
    fixture.story(page("Below", &long(0x1a3, 40), json!({ "parent_id": folder }))).await;
    let before = fixture.audit_count().await;
    let refused = async |path: String, body| {
        let refused = fixture.refused("PUT", &path, body, 422).await;
        assert_eq!(refused["fields"]["slug"][0], "makes a path longer than 2000 bytes", "{path}");
    };
    for (id, parent) in [(folder, deep), (small, deep)] {
        refused(format!("/stories/{id}"), json!({ "story": { "parent_id": parent } })).await;
    }
    assert_eq!((fixture.read(folder).await["parent_id"].clone(), fixture.audit_count().await), (json!(small), before));

    fixture.act("DELETE", folder, "").await;
    fixture.update(small, json!({ "parent_id": deep })).await;
    refused(format!("/stories/{folder}/undelete"), json!({})).await;
}

#[tokio::test]
async fn a_draft_that_moves_between_others_changes_cv_only_when_it_moves_what_is_published() {
    let fixture = SpaceFixture::new().await;
    let drafts = [id(&fixture.story(page("A", "a", json!({}))).await), id(&fixture.story(page("B", "b", json!({}))).await)];
    let cv = fixture.cv().await;
    fixture.act("PUT", drafts[0], &format!("move?after_id={}", drafts[1])).await;
    assert_eq!(fixture.cv().await, cv, "published content is the same");

    let last = fixture.published(page("Last", "last", json!({ "position": 1_000 }))).await;
    let position = async || fixture.cdn("stories/last").await.expect(200)["story"]["position"].clone();
    let (cv, before) = (fixture.cv().await, position().await);
    fixture.act("PUT", drafts[1], &format!("move?after_id={}", drafts[0])).await;
    assert_ne!(position().await, before);
    assert!(fixture.cv().await > cv);

    fixture.act("DELETE", id(&last), "").await;
    let folder = fixture.folder("Folder", "folder", 0).await;
    fixture.update(folder, json!({ "position": 1_000 })).await;
    let cv = fixture.cv().await;
    fixture.act("PUT", drafts[0], &format!("move?after_id={}", drafts[1])).await;
    assert!(fixture.cv().await > cv, "links show folders");
}

#[tokio::test]
async fn a_slug_may_hold_everything_but_a_slash_and_its_story_is_found() {
    let fixture = SpaceFixture::new().await;
    let folder = fixture.folder("F", "f o", 0).await;
    for slug in ["a b", "100%", "a%2Fb", "who?", "c#", "under_score", &"x".repeat(300)] {
        let made = fixture.published(page("S", slug, json!({ "parent_id": folder }))).await;
        let path = format!("f o/{slug}");
        assert_eq!(made["full_slug"], path.as_str());
        let encoded = percent_encoding::utf8_percent_encode(&path, percent_encoding::NON_ALPHANUMERIC).to_string();
        assert_eq!(fixture.cdn(&format!("stories/{encoded}")).await.expect(200)["story"]["id"], made["id"], "{path}");
        let found = fixture.cdn(&format!("stories?by_slugs={encoded}")).await.expect(200);
        assert_eq!(found["stories"].as_array().unwrap().len(), 1, "{path}");
    }
    for slug in ["a/b", ".", "..", " ", "line\nbreak", &"x".repeat(2_001)] {
        let refused = fixture.refused("POST", "/stories", json!({ "story": page("S", slug, json!({})) }), 422).await;
        assert_eq!(refused["details"][0]["field"], "slug", "{slug:?}");
    }
}

#[tokio::test]
async fn a_translated_path_that_would_become_too_long_is_refused() {
    let fixture = SpaceFixture::new().await;
    // Letters of two bytes, as above.
    let long = |from: u32| (0..990).map(|step| char::from_u32(from + step * 7 % 1_000).unwrap()).collect::<String>();
    let german = |slug: String| json!({ "translated_slugs_attributes": [{ "lang": "de", "slug": slug }] });
    let folder = fixture.folder("Folder", "folder", 0).await;
    fixture.update(folder, german(long(0x100))).await;
    let story = id(&fixture.story(page("S", "s", json!({ "parent_id": folder }))).await);
    let refused = fixture.refused("PUT", &format!("/stories/{story}"), json!({ "story": german(long(0x203)) }), 422).await;
    assert_eq!(refused["fields"]["slug"][0], "makes a path longer than 2000 bytes");
    assert_eq!(fixture.read(story).await["translated_slugs"], json!([]));
}
