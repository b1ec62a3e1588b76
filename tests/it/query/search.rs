//! What the model does not say: full-text search, times, depth.

use super::slugs;
use support::prelude::*;

async fn story(fixture: &SpaceFixture, slug: &str, name: &str, text: &str) {
    let content = json!({ "component": "page", "body": [{ "component": "teaser", "headline": text }] });
    let body = json!({ "story": { "name": name, "slug": slug, "content": content } });
    fixture.editor().post("/stories", body).await.expect(201);
}

#[tokio::test]
async fn a_search_finds_words_by_their_beginning_and_slugs_come_before_names_and_names_before_texts() {
    let fixture = SpaceFixture::new().await;
    story(&fixture, "one", "Other", "about Sailing boats").await;
    story(&fixture, "two", "Sailing", "nothing").await;
    story(&fixture, "sailing-trips", "Other", "nothing").await;
    story(&fixture, "four", "Other", "nothing").await;
    assert_eq!(slugs(&fixture, "search_term=sail").await, ["sailing-trips", "two", "one"]);
    assert_eq!(slugs(&fixture, "search_term=SAILING%20boat").await, ["one"]);
    assert_eq!(slugs(&fixture, "search_term=ailing").await, [""; 0]);
    assert_eq!(slugs(&fixture, "search_term=%21%3F").await, [""; 0], "no word, no story");
    assert_eq!(slugs(&fixture, "search_term=teaser").await, [""; 0], "names of components are no words");
    assert_eq!(slugs(&fixture, "search_term=sail%27%3A%2A%20%7C%20x").await, [""; 0], "operators are no operators");
    assert_eq!(slugs(&fixture, "search_term=sail&sort_by=slug:asc").await, ["one", "sailing-trips", "two"]);
}

#[tokio::test]
async fn a_renamed_story_is_found_by_its_new_words() {
    let fixture = SpaceFixture::new().await;
    story(&fixture, "old", "Name", "text").await;
    let found = fixture.viewer().get("/stories?with_slug=old").await.expect(200);
    let path = fixture.path(&format!("/stories/{}", found["stories"][0]["id"]));
    let change = json!({ "story": { "slug": "new", "name": "Title", "content": { "component": "page", "t": "words" } } });
    fixture.put(Caller::Token(&fixture.editor), &path, change).await.expect(200);
    for (term, hits) in [("old", 0), ("name", 0), ("text", 0), ("new", 1), ("title", 1), ("words", 1)] {
        assert_eq!(slugs(&fixture, &format!("search_term={term}")).await.len(), hits, "{term}");
    }
}

#[tokio::test]
async fn times_and_depth_narrow_the_list() {
    let fixture = SpaceFixture::new().await;
    story(&fixture, "early", "Early", "x").await;
    fixture.clock.advance(jiff::SignedDuration::from_mins(10));
    story(&fixture, "late", "Late", "x").await;
    for (query, expected) in [
        ("updated_at_gt=2026-03-01%2012:00", vec!["late"]),
        ("updated_at_gte=2026-03-01T12:00:00Z", vec!["late", "early"]),
        ("updated_at_lt=2026-03-01%2012:10", vec!["early"]),
        ("updated_at_lte=2026-03-01%2012:10", vec!["late", "early"]),
        ("published_at_gt=2020-01-01%2000:00", vec![]),
        ("first_published_at_lt=2030-01-01%2000:00", vec![]),
    ] {
        assert_eq!(slugs(&fixture, query).await, expected, "{query}");
    }
    let folder = json!({ "story": { "name": "F", "slug": "f", "is_folder": true } });
    let folder = fixture.editor().post("/stories", folder).await.expect(201)["story"]["id"].clone();
    for (slug, is_startpage) in [("start", true), ("deep", false)] {
        let story = json!({ "name": slug, "slug": slug, "parent_id": folder, "is_startpage": is_startpage, "content": { "component": "page" } });
        fixture.editor().post("/stories", json!({ "story": story })).await.expect(201);
    }
    assert_eq!(slugs(&fixture, "level=1").await, ["late", "early"]);
    assert_eq!(slugs(&fixture, "level=2").await, ["deep"]);
    assert_eq!(slugs(&fixture, "is_startpage=1").await, ["start"]);
}
