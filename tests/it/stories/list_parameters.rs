//! The parameters of the list of stories that Storyblok's clients name.

use super::{each, id, page};
use support::prelude::*;

/// The slugs of the stories that a query finds, as they come.
async fn found(fixture: &SpaceFixture, query: &str) -> String {
    let body = fixture.editor().get(&format!("/stories?{query}")).await.expect(200);
    each(&body, "slug").join(" ")
}

/// The same by name.
async fn found_sorted(fixture: &SpaceFixture, query: &str) -> String {
    let found = found(fixture, query).await;
    let mut slugs: Vec<&str> = found.split_whitespace().collect();
    slugs.sort_unstable();
    slugs.join(" ")
}

#[tokio::test]
async fn stories_are_found_by_their_content() {
    let fixture = SpaceFixture::new().await;
    fixture.folder("Folder", "folder", 0).await;
    let target = fixture.story(page("Target", "target", json!({}))).await;
    let link = json!({ "fieldtype": "multilink", "linktype": "story", "id": target["uuid"], "cached_url": "target" });
    let a = json!({ "component": "page", "price": 5, "tags": ["x", "y"], "body": [{ "component": "grid", "columns": [{ "component": "teaser" }] }] });
    let b = json!({ "component": "post", "price": 10, "hero": { "title": "Big Sale" }, "author__i18n__de": target["uuid"] });
    let c = json!({ "component": "page", "color": "red", "text": { "type": "doc", "content": [{ "type": "blok", "attrs": { "body": [{ "component": "teaser", "cta": link }] } }] } });
    for (slug, content) in [("a", a), ("b", b), ("c", c)] {
        fixture.story(page(slug, slug, json!({ "content": content }))).await;
    }
    let uuid = target["uuid"].as_str().unwrap();
    for (query, expected) in [
        ("contain_component=teaser", "a c"),
        ("contain_component=grid", "a"),
        ("contain_component=post,grid", "a b"),
        ("contain_component=page&story_only=1", "a c target"),
        ("contain_component=teas", ""),
        ("filter_query[price][gt_int]=5", "b"),
        ("filter_query[price][in]=5,10", "a b"),
        ("filter_query[tags][any_in_array]=y", "a"),
        ("filter_query[hero.title][like]=*sale*", "b"),
        ("filter_query[component][in]=page", "a c target"),
        ("filter_query[color][is]=empty", "a b target"),
        ("filter_query[__or][][color][in]=red&filter_query[__or][][price][in]=10", "b c"),
        ("filter_query[price][gt_int]=1&contain_component=teaser", "a"),
        (format!("reference_search={uuid}").as_str(), "b c"),
        ("reference_search=00000000-0000-4000-8000-00000000000a", ""),
    ] {
        assert_eq!(found_sorted(&fixture, query).await, expected, "{query}");
    }
    // In the trash as well.
    let gone = fixture.editor().get("/stories?with_slug=a").await.expect(200);
    fixture.write("DELETE", &format!("/stories/{}", gone["stories"][0]["id"]), json!({}), 200).await;
    assert_eq!(found(&fixture, "in_trash=1&filter_query[price][in]=5&contain_component=teaser").await, "a");
    assert_eq!(found(&fixture, "filter_query[price][in]=5").await, "");
}

#[tokio::test]
async fn stories_come_in_the_order_that_is_asked_for() {
    let fixture = SpaceFixture::new().await;
    let mut uuids = Vec::new();
    for (slug, price) in [("a", json!("10")), ("b", json!("9")), ("c", json!(null))] {
        let content = json!({ "component": "page", "price": price });
        uuids.push(fixture.story(page(slug, slug, json!({ "content": content }))).await["uuid"].as_str().unwrap().to_owned());
    }
    let [a, b, c] = [&uuids[0], &uuids[1], &uuids[2]];
    for (query, expected) in [
        (format!("by_uuids_ordered={b},{c},{a}"), "b c a"),
        (format!("by_uuids_ordered={b},{a}&sort_by=slug:asc"), "a b"),
        (format!("by_uuids_ordered={b},{a}&by_uuids={a}"), "a"),
        ("custom_sorting=true".to_owned(), "c b a"),
        ("sort_by=content.price:asc".to_owned(), "a b c"),
        ("sort_by=content.price:asc:int".to_owned(), "b a c"),
        ("sort_by=content.price:desc:float:nulls_first".to_owned(), "c a b"),
        ("sort_by=is_startpage:asc,name:desc".to_owned(), "c b a"),
    ] {
        assert_eq!(found(&fixture, &query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn stories_are_found_by_their_schedules_and_authors() {
    let fixture = SpaceFixture::new().await;
    let scheduled = id(&fixture.story(page("Listed", "listed", json!({}))).await);
    let at = json!({ "story_scheduling": { "story_id": scheduled, "publish_at": "2035-01-10T00:00:00Z" } });
    fixture.editor().post("/story_schedulings", at).await.expect(201);
    fixture.story(page("Own", "own", json!({ "publish_at": "2035-01-20T00:00:00Z" }))).await;
    let superseded = id(&fixture.story(page("Done", "done", json!({}))).await);
    let at = json!({ "story_scheduling": { "story_id": superseded, "publish_at": "2035-01-15T00:00:00Z" } });
    fixture.editor().post("/story_schedulings", at).await.expect(201);
    fixture.act("POST", superseded, "publish").await;
    let theirs = json!({ "story": page("Theirs", "theirs", json!({})) });
    let theirs = fixture.admin().post("/stories", theirs).await.expect(201)["story"]["id"].clone();
    for (query, expected) in [
        ("scheduled_at_gt=2035-01-01 00:00", "listed own"),
        ("scheduled_at_gt=2035-01-15 00:00", "own"),
        ("scheduled_at_lt=2035-01-15T00:00:00Z", "listed"),
        ("scheduled_at_gt=2035-01-05&scheduled_at_lt=2035-01-12", "listed"),
        ("scheduled_by_status=scheduled", "listed own"),
        ("scheduled_by_status=published_before_schedule", "done"),
        ("scheduled_by_status=published_before_schedule&scheduled_at_gt=2035-02-01", ""),
        ("mine=1", "done listed own"),
        ("mine=false", "done listed own theirs"),
    ] {
        assert_eq!(found_sorted(&fixture, &query.replace(' ', "%20")).await, expected, "{query}");
    }
    fixture.update(theirs.as_i64().unwrap(), json!({ "content": { "component": "page", "title": "mine now" } })).await;
    assert_eq!(found_sorted(&fixture, "mine=1").await, "done listed own theirs");
}

#[tokio::test]
async fn more_is_told_of_each_story_when_it_is_asked_for() {
    let fixture = SpaceFixture::new().await;
    let languages = json!([{ "code": "de", "name": "German" }, { "code": "fr", "name": "French" }]);
    fixture.admin().put("", json!({ "space": { "languages": languages } })).await.expect(200);
    let content =
        json!({ "component": "page", "title": "x".repeat(300), "price": 5, "on": true, "body": [{ "component": "teaser" }] });
    let a = fixture.published(page("A", "a", json!({ "content": content }))).await;
    let b = fixture.story(page("B", "b", json!({ "group_id": a["group_id"] }))).await;
    let list = async |query: &str| {
        let path = fixture.path(&format!("/stories?by_ids={}&{query}", id(&a)));
        fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(200)["stories"][0].clone()
    };
    let plain = list("").await;
    assert_eq!((&plain["alternates"], &plain["content_summary"], plain.get("translated_stories")), (&json!([]), &json!({}), None));
    let alternates = list("with_alts=1").await["alternates"].clone();
    assert_eq!((&alternates[0]["id"], &alternates[0]["full_slug"]), (&b["id"], &json!("b")));
    let summary = list("with_summary=true").await["content_summary"].clone();
    assert_eq!(summary, json!({ "component": "page", "title": "x".repeat(255), "price": 5, "on": true }));
    fixture.act("POST", id(&a), "unpublish?lang=fr").await;
    let translated: Vec<Value> = list("with_translated_stories=1").await["translated_stories"].as_array().unwrap().clone();
    let states: Vec<_> = translated.iter().map(|it| (it["lang"].as_str().unwrap(), it["published_at"].is_string())).collect();
    assert_eq!(states, [("de", true), ("fr", false)]);
    assert_eq!(translated[0]["published_at"], plain["published_at"]);
}

#[tokio::test]
async fn stories_are_found_by_their_state() {
    let fixture = SpaceFixture::new().await;
    let folder = fixture.folder("Folder", "folder", 0).await;
    fixture.story(page("Draft", "draft", json!({}))).await;
    fixture.published(page("Published", "published", json!({}))).await;
    let changed = id(&fixture.published(page("Changed", "changed", json!({}))).await);
    fixture.update(changed, json!({ "content": { "component": "page", "title": "new" } })).await;
    fixture.story(page("Planned", "planned", json!({ "publish_at": "2035-01-10T00:00:00Z" }))).await;
    let listed = id(&fixture.published(page("Listed", "listed", json!({}))).await);
    let at = json!({ "story_scheduling": { "story_id": listed, "publish_at": "2035-01-10T00:00:00Z" } });
    fixture.write("POST", "/story_schedulings", at, 201).await;
    for (query, expected) in [
        ("state=draft", "draft planned"),
        ("state=published", "listed published"),
        ("state=changed", "changed"),
        ("state=scheduled", "listed planned"),
        ("state=changed,scheduled", "changed listed planned"),
        ("state=", "changed draft folder listed planned published"),
    ] {
        assert_eq!(found_sorted(&fixture, query).await, expected, "{query}");
    }
    // What is deleted is not counted, nor what is deeper.
    let within = fixture.folder("Within", "within", folder).await;
    fixture.story(page("Deeper", "deeper", json!({ "parent_id": within }))).await;
    fixture.story(page("One", "one", json!({ "parent_id": folder }))).await;
    let gone = id(&fixture.story(page("Gone", "gone", json!({ "parent_id": folder }))).await);
    fixture.write("DELETE", &format!("/stories/{gone}"), json!({}), 200).await;
    let counted = async |query: &str| fixture.editor().get(&format!("/stories?{query}")).await.expect(200)["stories"][0].clone();
    assert_eq!(counted("with_slug=folder&with_counts=1").await["children"], json!({ "folders": 1, "stories": 1 }));
    assert_eq!(counted("with_slug=folder").await.get("children"), None);
    assert_eq!(counted("with_slug=draft&with_counts=1").await.get("children"), None);
}

#[tokio::test]
async fn what_this_service_does_not_have_is_empty_and_not_an_error() {
    let fixture = SpaceFixture::new().await;
    fixture.story(page("A", "a", json!({ "pinned": true }))).await;
    fixture.story(page("B", "b", json!({}))).await;
    for (query, expected) in [
        ("in_workflow_stages=1,2", ""),
        ("has_workflow_stages=true", ""),
        ("has_workflow_stages=false", "a b"),
        ("in_release=3", ""),
        ("release_id=3", ""),
        ("release_id=0", "a b"),
        ("branch_id=3", ""),
        ("favourite=true", ""),
        ("favourite=false", "a b"),
        ("pinned=true", "a"),
        ("pinned=false", "b"),
    ] {
        assert_eq!(found_sorted(&fixture, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_wrong_value_is_refused_and_named() {
    let fixture = SpaceFixture::new().await;
    let uuid = "00000000-0000-4000-8000-00000000000a";
    for (query, field) in [
        ("reference_search=x", "reference_search"),
        ("scheduled_at_gt=soon", "scheduled_at_gt"),
        ("scheduled_at_lt=soon", "scheduled_at_lt"),
        ("scheduled_by_status=lost", "scheduled_by_status"),
        ("state=lost", "state"),
        ("state=draft,lost", "state"),
        ("with_counts=maybe", "with_counts"),
        ("mine=maybe", "mine"),
        ("pinned=maybe", "pinned"),
        ("favourite=2", "favourite"),
        ("with_summary=maybe", "with_summary"),
        ("with_alts=maybe", "with_alts"),
        ("with_translated_stories=maybe", "with_translated_stories"),
        ("custom_sorting=maybe", "custom_sorting"),
        ("custom_sorting=1&sort_by=name:asc", "custom_sorting"),
        ("in_workflow_stages=x", "in_workflow_stages"),
        ("has_workflow_stages=x", "has_workflow_stages"),
        ("in_release=x", "in_release"),
        ("release_id=x", "release_id"),
        ("branch_id=x", "branch_id"),
        ("sort_by=nothing:asc", "sort_by"),
        ("filter_query[a][nope]=1", "filter_query"),
        ("filter_query[a][gt_int]=x", "filter_query"),
    ] {
        let body = fixture.viewer().get(&format!("/stories?{query}")).await.expect(422);
        assert!(body["details"][0]["field"].as_str().unwrap().starts_with(field), "{query}: {body}");
    }
    let many = |name: &str, value: &str| format!("{name}={}", vec![value; 501].join(","));
    for query in [many("contain_component", "x"), many("by_uuids_ordered", uuid), many("in_workflow_stages", "1")] {
        assert_eq!(fixture.viewer().get(&format!("/stories?{query}")).await.status, 422);
    }
}
