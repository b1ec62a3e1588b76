//! Soft deletion and undelete.

use super::{Caller, Desk, each, id, page};
use serde_json::json;

#[tokio::test]
async fn deleting_a_folder_takes_what_is_below_and_undelete_brings_it_back_as_drafts() {
    let desk = Desk::new().await;
    let blog = desk.folder("Blog", "blog", 0).await;
    let post = id(&desk.published(page("Post", "post", json!({ "parent_id": blog }))).await);
    let early = id(&desk.published(page("Early", "early", json!({ "parent_id": blog }))).await);
    desk.act("DELETE", early, "").await;
    let seen = desk.cv().await;
    desk.app().clock.advance(jiff::SignedDuration::from_secs(1));
    let deleted = desk.write("DELETE", &format!("/stories/{blog}"), json!({}), 200).await;
    assert!(deleted["deleted_at"].is_string());
    assert!(desk.cv().await > seen);
    for copy in ["draft", "published"] {
        assert_eq!(desk.cdn(&format!("stories/blog/post?version={copy}")).await.status, 404);
        let links = desk.cdn(&format!("links?version={copy}")).await.expect(200);
        assert_eq!(links["links"], json!({}));
    }
    let trash = desk.get(Caller::Token(&desk.viewer), &desk.path("/stories?in_trash=1")).await.expect(200);
    assert_eq!(trash["stories"].as_array().unwrap().len(), 3);
    for (method, action) in [("PUT", ""), ("POST", "publish"), ("PUT", "move"), ("DELETE", "")] {
        desk.refused(method, format!("/stories/{post}/{action}").trim_end_matches('/'), json!({ "story": {} }), 404).await;
    }

    desk.refused("POST", &format!("/stories/{post}/undelete"), json!({}), 422).await;
    let restored = desk.act("GET", blog, "undelete").await;
    assert_eq!(restored["deleted_at"], json!(null));
    let drafts = desk.cdn("stories?version=draft").await.expect(200);
    assert_eq!(each(&drafts, "full_slug"), ["blog/post"], "what was deleted before stays deleted");
    assert_eq!(desk.cdn("stories/blog/post").await.status, 404, "nothing is published by an undelete");
    desk.refused("POST", &format!("/stories/{blog}/undelete"), json!({}), 422).await;
    let deleted: Vec<_> =
        desk.events().await.into_iter().filter(|(action, ..)| action == "story.deleted").map(|(_, slug, _)| slug).collect();
    assert_eq!(deleted, ["blog/early", "blog", "blog/post"]);
}

#[tokio::test]
async fn an_undeleted_story_stands_where_its_folder_stands_today_unless_the_place_is_taken() {
    let desk = Desk::new().await;
    let blog = desk.folder("Blog", "blog", 0).await;
    let post = id(&desk.story(page("Post", "post", json!({ "parent_id": blog }))).await);
    desk.act("DELETE", post, "").await;
    desk.update(blog, json!({ "slug": "news" })).await;
    let squatter = id(&desk.story(page("Squatter", "post", json!({ "parent_id": blog }))).await);
    let refused = desk.refused("POST", &format!("/stories/{post}/undelete"), json!({}), 422).await;
    assert_eq!(refused["details"][0]["field"], "slug");
    desk.act("DELETE", squatter, "").await;
    assert_eq!(desk.act("POST", post, "undelete").await["full_slug"], "news/post");
    assert_eq!(desk.cdn("stories/news/post?version=draft").await.status, 200);
}
