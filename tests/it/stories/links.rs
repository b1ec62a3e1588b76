//! `cached_url` of links to stories that are renamed or moved after the link was written.

use super::{id, page};
use support::prelude::*;

fn link(target: &Value, url: &str) -> Value {
    json!({ "fieldtype": "multilink", "linktype": "story", "id": target["uuid"], "url": "", "cached_url": url })
}

/// The published content of a story.
async fn public(fixture: &SpaceFixture, slug: &str) -> Value {
    let path = format!("/api/v2/cdn/stories/{slug}?token={}", fixture.public);
    fixture.get(Caller::Anonymous, &path).await.expect(200)["story"]["content"].clone()
}

#[tokio::test]
async fn cached_url_follows_the_linked_story_and_its_folder() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let target = fixture.published(page("Target", "target", json!({ "parent_id": blog }))).await;
    let body = json!([{ "component": "teaser", "cta": link(&target, "blog/target") }]);
    let content = json!({ "component": "page", "cta": link(&target, ""), "body": body, "price": 1 });
    fixture.published(page("Home", "home", json!({ "content": content }))).await;
    let urls = async |fixture: &SpaceFixture| {
        let draft = fixture.cdn("stories/home?version=draft").await.expect(200)["story"]["content"].clone();
        let public = public(fixture, "home").await;
        let listed = fixture.cdn("stories?by_slugs=home").await.expect(200)["stories"][0]["content"].clone();
        assert_eq!(public, listed);
        for content in [&draft, &public] {
            assert_eq!(content["cta"]["cached_url"], content["body"][0]["cta"]["cached_url"]);
        }
        assert_eq!(draft["cta"]["cached_url"], public["cta"]["cached_url"]);
        public["cta"]["cached_url"].as_str().unwrap().to_owned()
    };
    assert_eq!(urls(&fixture).await, "blog/target", "also where the link was written without one");
    fixture.update(id(&target), json!({ "slug": "renamed" })).await;
    assert_eq!(urls(&fixture).await, "blog/renamed");
    fixture.update(blog, json!({ "slug": "news" })).await;
    assert_eq!(urls(&fixture).await, "news/renamed");
    fixture.act("PUT", id(&target), "move?to_folder=0").await;
    assert_eq!(urls(&fixture).await, "renamed");
}

#[tokio::test]
async fn cached_url_shows_no_path_of_what_the_reader_may_not_see() {
    let fixture = SpaceFixture::new().await;
    let draft = fixture.story(page("Secret", "secret", json!({}))).await;
    let gone = json!({ "uuid": "00000000-0000-4000-8000-00000000000a" });
    let content = json!({ "component": "page", "a": link(&draft, "secret"), "b": link(&gone, "gone") });
    fixture.published(page("Home", "home", json!({ "content": content }))).await;
    fixture.update(id(&draft), json!({ "slug": "still-secret" })).await;
    let published = public(&fixture, "home").await;
    assert_eq!((&published["a"]["cached_url"], &published["b"]["cached_url"]), (&json!("secret"), &json!("gone")));
    let seen = fixture.cdn("stories/home?version=draft").await.expect(200)["story"]["content"]["a"]["cached_url"].clone();
    assert_eq!(seen, "still-secret");
}

#[tokio::test]
async fn the_management_api_answers_content_as_it_was_written() {
    let fixture = SpaceFixture::new().await;
    let target = fixture.published(page("Target", "target", json!({}))).await;
    let content = json!({ "component": "page", "cta": link(&target, "target") });
    let home = fixture.published(page("Home", "home", json!({ "content": content }))).await;
    fixture.update(id(&target), json!({ "slug": "renamed" })).await;
    assert_eq!(fixture.read(id(&home)).await["content"]["cta"]["cached_url"], "target");
}
