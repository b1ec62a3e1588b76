//! Soft deletion and undelete.

use super::{each, id, page};
use support::prelude::*;

#[tokio::test]
async fn deleting_a_folder_takes_what_is_below_and_undelete_brings_it_back_as_drafts() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let post = id(&fixture.published(page("Post", "post", json!({ "parent_id": blog }))).await);
    let early = id(&fixture.published(page("Early", "early", json!({ "parent_id": blog }))).await);
    fixture.act("DELETE", early, "").await;
    let seen = fixture.cv().await;
    fixture.clock.advance(jiff::SignedDuration::from_secs(1));
    let deleted = fixture.write("DELETE", &format!("/stories/{blog}"), json!({}), 200).await;
    assert!(deleted["deleted_at"].is_string());
    assert!(fixture.cv().await > seen);
    for copy in ["draft", "published"] {
        assert_eq!(fixture.cdn(&format!("stories/blog/post?version={copy}")).await.status, 404);
        let links = fixture.cdn(&format!("links?version={copy}")).await.expect(200);
        assert_eq!(links["links"], json!({}));
    }
    let trash = fixture.viewer().get("/stories?in_trash=1").await.expect(200);
    assert_eq!(trash["stories"].as_array().unwrap().len(), 3);
    for (method, action) in [("PUT", ""), ("POST", "publish"), ("PUT", "move"), ("DELETE", "")] {
        fixture.refused(method, format!("/stories/{post}/{action}").trim_end_matches('/'), json!({ "story": {} }), 404).await;
    }

    fixture.refused("POST", &format!("/stories/{post}/undelete"), json!({}), 422).await;
    let restored = fixture.act("GET", blog, "undelete").await;
    assert_eq!(restored["deleted_at"], json!(null));
    let drafts = fixture.cdn("stories?version=draft").await.expect(200);
    assert_eq!(each(&drafts, "full_slug"), ["blog/post"], "what was deleted before stays deleted");
    assert_eq!(fixture.cdn("stories/blog/post").await.status, 404, "nothing is published by an undelete");
    fixture.refused("POST", &format!("/stories/{blog}/undelete"), json!({}), 422).await;
    let deleted: Vec<_> =
        fixture.events().await.into_iter().filter(|(action, ..)| action == "story.deleted").map(|(_, slug, _)| slug).collect();
    assert_eq!(deleted, ["blog/early", "blog", "blog/post"]);
}

#[tokio::test]
async fn an_undeleted_story_stands_where_its_folder_stands_today_unless_the_place_is_taken() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let post = id(&fixture.story(page("Post", "post", json!({ "parent_id": blog }))).await);
    fixture.act("DELETE", post, "").await;
    fixture.update(blog, json!({ "slug": "news" })).await;
    let squatter = id(&fixture.story(page("Squatter", "post", json!({ "parent_id": blog }))).await);
    let refused = fixture.refused("POST", &format!("/stories/{post}/undelete"), json!({}), 422).await;
    assert_eq!(refused["details"][0]["field"], "slug");
    fixture.act("DELETE", squatter, "").await;
    assert_eq!(fixture.act("POST", post, "undelete").await["full_slug"], "news/post");
    assert_eq!(fixture.cdn("stories/news/post?version=draft").await.status, 200);
}
