//! Tags over all stories: listed, renamed, merged, removed, put on many stories at once.

use super::{each, story};
use support::prelude::*;

/// The tags of the Management API with their counts.
async fn tags(fixture: &SpaceFixture, query: &str) -> Value {
    let listed = fixture.viewer().get(&format!("/tags{query}")).await.expect(200);
    listed["tags"].as_array().unwrap().iter().map(|tag| json!([tag["name"], tag["taggings_count"]])).collect()
}

/// The tags that readers of a version see.
async fn seen(fixture: &SpaceFixture, version: &str) -> Value {
    let listed = fixture.cdn(&format!("tags?version={version}")).await.expect(200);
    listed["tags"].as_array().unwrap().iter().map(|tag| json!([tag["name"], tag["taggings_count"]])).collect()
}

#[tokio::test]
async fn tags_are_listed_with_the_stories_that_have_them() {
    let fixture = SpaceFixture::new().await;
    story(&fixture, "a", json!({ "tag_list": ["news", "x/y"] }), true).await;
    let b = story(&fixture, "b", json!({ "tag_list": ["news"] }), false).await;
    assert_eq!(tags(&fixture, "?all_tags=true").await, json!([["news", 2], ["x/y", 1]]));
    assert_eq!(tags(&fixture, "?search=EW").await, json!([["news", 2]]));
    let paged = fixture.viewer().get("/tags?page=2&per_page=1").await;
    assert_eq!((paged.header("total"), paged.header("per-page")), ("2", "1"));
    assert_eq!(each(&paged.expect(200)["tags"], "id"), ["x/y"]);
    fixture.viewer().get("/tags?nonsense=1").await.expect(422);

    // What only the published edition has is a tag; what only a deleted story has is none.
    fixture.editor().put(&format!("/stories/{}", b["id"]), json!({ "story": { "tag_list": ["draft"] } })).await.expect(200);
    assert_eq!(tags(&fixture, "").await, json!([["draft", 1], ["news", 1], ["x/y", 1]]));
    fixture.editor().delete(&format!("/stories/{}", b["id"])).await.expect(200);
    assert_eq!(tags(&fixture, "").await, json!([["news", 1], ["x/y", 1]]));
}

#[tokio::test]
async fn a_renamed_tag_has_its_new_name_everywhere_at_once() {
    let fixture = SpaceFixture::new().await;
    let a = story(&fixture, "a", json!({ "tag_list": ["x", "old/name", "z"] }), true).await;
    let b = story(&fixture, "b", json!({ "tag_list": ["old/name"] }), false).await;
    story(&fixture, "folder", json!({ "is_folder": true, "tag_list": ["old/name"] }), false).await;
    let gone = story(&fixture, "gone", json!({ "tag_list": ["old/name"] }), false).await;
    fixture.editor().delete(&format!("/stories/{}", gone["id"])).await.expect(200);
    let before = fixture.cv().await;
    assert_eq!(seen(&fixture, "published").await, json!([["old/name", 1], ["x", 1], ["z", 1]]));

    let body = json!({ "id": "old/name", "tag": { "name": " new " } });
    let renamed = fixture.editor().put("/tags/old%2Fname", body.clone()).await.expect(200);
    assert_eq!(renamed["tag"], json!({ "id": "new", "name": "new", "taggings_count": 2 }));
    assert_eq!(fixture.newest_entry().await, ["tag.rename", "tag", "new"]);
    assert!(fixture.cv().await > before);
    for version in ["published", "draft"] {
        let read = fixture.cdn(&format!("stories/a?version={version}")).await.expect(200);
        assert_eq!(read["story"]["tag_list"], json!(["x", "new", "z"]), "{version}");
    }
    assert_eq!(seen(&fixture, "published").await, json!([["new", 1], ["x", 1], ["z", 1]]));
    assert_eq!(seen(&fixture, "draft").await, json!([["new", 2], ["x", 1], ["z", 1]]));
    assert_eq!(each(&fixture.cdn("stories?version=draft&with_tag=new").await.expect(200)["stories"], "slug").len(), 2);
    assert_eq!(fixture.cdn("stories?version=draft&with_tag=old/name").await.expect(200)["stories"], json!([]));
    let read = fixture.viewer().get(&format!("/stories/{}", a["id"])).await.expect(200);
    assert_eq!((&read["story"]["unpublished_changes"], &read["story"]["updated_at"]), (&json!(false), &a["updated_at"]));

    // The story in the trash has it too when it comes back.
    fixture.editor().put(&format!("/stories/{}/undelete", gone["id"]), json!({})).await.expect(200);
    assert_eq!(tags(&fixture, "").await, json!([["new", 3], ["x", 1], ["z", 1]]));
    fixture.editor().put("/tags/old%2Fname", body).await.expect(404);
    let published = fixture.editor().put(&format!("/stories/{}/publish", b["id"]), json!({})).await.expect(200);
    assert_eq!(published["story"]["tag_list"], json!(["new"]));
}

#[tokio::test]
async fn a_tag_that_takes_the_name_of_another_is_merged_with_it() {
    let fixture = SpaceFixture::new().await;
    story(&fixture, "both", json!({ "tag_list": ["a", "x", "b"] }), true).await;
    story(&fixture, "one", json!({ "tag_list": ["a"] }), true).await;
    story(&fixture, "other", json!({ "tag_list": ["b"] }), true).await;
    let merged = fixture.editor().put("/tags/b", json!({ "tag": { "name": "a" } })).await.expect(200);
    assert_eq!(merged["tag"]["taggings_count"], 3);
    assert_eq!(seen(&fixture, "published").await, json!([["a", 3], ["x", 1]]));
    assert_eq!(fixture.cdn("stories/both").await.expect(200)["story"]["tag_list"], json!(["a", "x"]));
    let entries = fixture.audit_count().await;
    fixture.editor().put("/tags/a", json!({ "tag": { "name": "a" } })).await.expect(200);
    assert_eq!(fixture.audit_count().await, entries, "nothing has changed");
}

#[tokio::test]
async fn a_removed_tag_is_on_no_story() {
    let fixture = SpaceFixture::new().await;
    story(&fixture, "a", json!({ "tag_list": ["old", "kept"] }), true).await;
    let before = fixture.cv().await;
    let removed = fixture.editor().delete("/tags/old").await;
    assert_eq!((removed.status, removed.text.as_str()), (204, ""));
    assert_eq!(fixture.newest_entry().await, ["tag.delete", "tag", "old"]);
    assert!(fixture.cv().await > before);
    assert_eq!(seen(&fixture, "published").await, json!([["kept", 1]]));
    assert_eq!(fixture.cdn("stories/a").await.expect(200)["story"]["tag_list"], json!(["kept"]));
    fixture.editor().delete("/tags/old").await.expect(404);
    fixture.viewer().delete("/tags/kept").await.expect(403);
}

#[tokio::test]
async fn many_stories_get_tags_at_once() {
    let fixture = SpaceFixture::new().await;
    let a = story(&fixture, "a", json!({ "tag_list": ["x"] }), true).await["id"].clone();
    let b = story(&fixture, "b", json!({}), false).await["id"].clone();
    let before = fixture.cv().await;
    let stories = json!([{ "story_id": a, "tag_list": ["x", " new ", "y"] }, { "story_id": b, "tag_list": ["new"] }]);
    let body = |stories: Value| json!({ "tags": { "stories": stories } });
    fixture.editor().post("/tags/bulk_association", body(stories.clone())).await.expect(200);
    assert!(fixture.cv().await > before);
    assert_eq!(fixture.cdn("stories/a").await.expect(200)["story"]["tag_list"], json!(["x", "new", "y"]));
    assert_eq!(seen(&fixture, "published").await, json!([["new", 1], ["x", 1], ["y", 1]]));
    assert_eq!(seen(&fixture, "draft").await, json!([["new", 2], ["x", 1], ["y", 1]]));
    assert_eq!(fixture.newest_entry().await, ["story.tag", "story", "b"]);

    let entries = fixture.audit_count().await;
    fixture.editor().post("/tags/bulk_association", body(stories)).await.expect(200);
    assert_eq!(fixture.audit_count().await, entries, "they have them already");
    let many: Vec<String> = (0..499).map(|number| format!("t{number}")).collect();
    for (stories, status) in [
        (json!([{ "story_id": a, "tag_list": ["q"] }, { "story_id": 999_999, "tag_list": ["q"] }]), 404),
        (json!([{ "story_id": a, "tag_list": many }]), 422),
        (json!([{ "story_id": a, "tag_list": ["z".repeat(256)] }]), 422),
        (json!([]), 422),
        (json!([{ "story_id": a }]), 422),
    ] {
        fixture.editor().post("/tags/bulk_association", body(stories)).await.expect(status);
    }
    fixture.viewer().post("/tags/bulk_association", json!({})).await.expect(403);
    assert_eq!(fixture.audit_count().await, entries);
    assert_eq!(tags(&fixture, "").await, json!([["new", 2], ["x", 1], ["y", 1]]));

    let made = fixture.editor().post("/tags", json!({ "tag": { "name": "one", "story_id": b } })).await.expect(200);
    assert_eq!(made["tag"], json!({ "id": "one", "name": "one", "taggings_count": 1 }));
    fixture.editor().post("/tags", json!({ "tag": { "name": "one" } })).await.expect(422);
    fixture.editor().post("/tags", json!({ "tag": { "name": " ", "story_id": b } })).await.expect(422);
    fixture.editor().put("/tags/one", json!({ "tag": { "name": " " } })).await.expect(422);
}

#[tokio::test]
async fn renames_and_tagging_at_the_same_time_leave_every_story_with_each_tag_once() {
    let fixture = SpaceFixture::new().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(story(&fixture, &format!("s{number}"), json!({ "tag_list": ["a", "b"] }), true).await["id"].clone());
    }
    let tagged: Vec<Value> = ids.iter().map(|id| json!({ "story_id": id, "tag_list": ["c"] })).collect();
    let (rename, associate) = (json!({ "tag": { "name": "c" } }), json!({ "tags": { "stories": tagged } }));
    let merging = ["/tags/a", "/tags/b"].map(|path| fixture.editor().put(path, rename.clone()));
    let tagging = (0..5).map(|_| fixture.editor().post("/tags/bulk_association", associate.clone()));
    let (first, second) = tokio::join!(join_all(merging), join_all(tagging));
    assert!(first.iter().chain(&second).all(|reply| reply.status == 200));
    assert_eq!(tags(&fixture, "").await, json!([["c", 5]]));
    for version in ["draft", "published"] {
        assert_eq!(seen(&fixture, version).await, json!([["c", 5]]), "{version}");
        let listed = fixture.cdn(&format!("stories?version={version}")).await.expect(200);
        assert_eq!(each(&listed["stories"], "tag_list"), vec![json!(["c"]); 5], "{version}");
    }
}
