//! What the model does not say: full-text search, times, depth.

use super::{Caller, Desk, slugs};
use serde_json::json;

async fn story(desk: &Desk, slug: &str, name: &str, text: &str) {
    let content = json!({ "component": "page", "body": [{ "component": "teaser", "headline": text }] });
    let body = json!({ "story": { "name": name, "slug": slug, "content": content } });
    desk.post(Caller::Token(&desk.editor), &desk.path("/stories"), body).await.expect(201);
}

#[tokio::test]
async fn a_search_finds_words_by_their_beginning_and_slugs_come_before_names_and_names_before_texts() {
    let desk = Desk::new().await;
    story(&desk, "one", "Other", "about Sailing boats").await;
    story(&desk, "two", "Sailing", "nothing").await;
    story(&desk, "sailing-trips", "Other", "nothing").await;
    story(&desk, "four", "Other", "nothing").await;
    assert_eq!(slugs(&desk, "search_term=sail").await, ["sailing-trips", "two", "one"]);
    assert_eq!(slugs(&desk, "search_term=SAILING%20boat").await, ["one"]);
    assert_eq!(slugs(&desk, "search_term=ailing").await, [""; 0]);
    assert_eq!(slugs(&desk, "search_term=teaser").await, [""; 0], "names of components are no words");
    assert_eq!(slugs(&desk, "search_term=sail%27%3A%2A%20%7C%20x").await, [""; 0], "operators are no operators");
    assert_eq!(slugs(&desk, "search_term=sail&sort_by=slug:asc").await, ["one", "sailing-trips", "two"]);
}

#[tokio::test]
async fn a_renamed_story_is_found_by_its_new_words() {
    let desk = Desk::new().await;
    story(&desk, "old", "Name", "text").await;
    let found = desk.get(Caller::Token(&desk.viewer), &desk.path("/stories?with_slug=old")).await.expect(200);
    let path = desk.path(&format!("/stories/{}", found["stories"][0]["id"]));
    let change = json!({ "story": { "slug": "new", "name": "Title", "content": { "component": "page", "t": "words" } } });
    desk.put(Caller::Token(&desk.editor), &path, change).await.expect(200);
    for (term, hits) in [("old", 0), ("name", 0), ("text", 0), ("new", 1), ("title", 1), ("words", 1)] {
        assert_eq!(slugs(&desk, &format!("search_term={term}")).await.len(), hits, "{term}");
    }
}

#[tokio::test]
async fn times_and_depth_narrow_the_list() {
    let desk = Desk::new().await;
    story(&desk, "early", "Early", "x").await;
    desk.app().clock.advance(jiff::SignedDuration::from_mins(10));
    story(&desk, "late", "Late", "x").await;
    for (query, expected) in [
        ("updated_at_gt=2026-03-01%2012:00", vec!["late"]),
        ("updated_at_gte=2026-03-01T12:00:00Z", vec!["late", "early"]),
        ("updated_at_lt=2026-03-01%2012:10", vec!["early"]),
        ("updated_at_lte=2026-03-01%2012:10", vec!["late", "early"]),
        ("published_at_gt=2020-01-01%2000:00", vec![]),
        ("first_published_at_lt=2030-01-01%2000:00", vec![]),
    ] {
        assert_eq!(slugs(&desk, query).await, expected, "{query}");
    }
    let folder = json!({ "story": { "name": "F", "slug": "f", "is_folder": true } });
    let folder = desk.post(Caller::Token(&desk.editor), &desk.path("/stories"), folder).await.expect(201)["story"]["id"].clone();
    for (slug, is_startpage) in [("start", true), ("deep", false)] {
        let story = json!({ "name": slug, "slug": slug, "parent_id": folder, "is_startpage": is_startpage, "content": { "component": "page" } });
        desk.post(Caller::Token(&desk.editor), &desk.path("/stories"), json!({ "story": story })).await.expect(201);
    }
    assert_eq!(slugs(&desk, "level=1").await, ["late", "early"]);
    assert_eq!(slugs(&desk, "level=2").await, ["deep"]);
    assert_eq!(slugs(&desk, "is_startpage=1").await, ["start"]);
}
