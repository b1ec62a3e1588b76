//! A delivery token that names stories reads these and nothing of the others, on every endpoint and from the
//! cache.

use super::{fixture, read};
use support::prelude::*;

/// Two published stories of one group, the first of which refers to the second, and a token for the first.
struct Scoped {
    fixture: SpaceFixture,
    inside: Value,
    outside: Value,
    token: String,
}

impl Scoped {
    async fn new() -> Self {
        let fixture = fixture(&[]).await;
        let outside = publish(&fixture, "blog/outside", json!({ "component": "page", "title": "Secret" }), None).await;
        let content = json!({
            "component": "page", "title": "Open", "rel": outside["uuid"],
            "link": { "fieldtype": "multilink", "linktype": "story", "id": outside["uuid"], "cached_url": "blog/outside" },
        });
        let inside = publish(&fixture, "blog/inside", content, Some(&outside["group_id"])).await;
        let token = key(&fixture, json!({ "access": "public", "story_ids": [inside["id"]] })).await;
        Self { fixture, inside, outside, token }
    }

    async fn get(&self, token: &str, path: &str) -> (u16, Value) {
        let response = read(&self.fixture, token, path).await;
        (response.status().as_u16(), response.json().await.unwrap())
    }
}

/// A published story below a folder that is made when it is missing.
async fn publish(fixture: &SpaceFixture, path: &str, content: Value, group: Option<&Value>) -> Value {
    let (folder, slug) = path.split_once('/').unwrap();
    let editor = fixture.editor();
    let found = fixture.editor().get(&format!("/stories?with_slug={folder}")).await.expect(200);
    let parent = if let Some(folder) = found["stories"].get(0) {
        folder["id"].clone()
    } else {
        let body = json!({ "story": { "name": folder, "slug": folder, "is_folder": true } });
        let made = fixture.editor().post("/stories", body).await.expect(201);
        made["story"]["id"].clone()
    };
    let mut story = json!({ "name": slug, "slug": slug, "parent_id": parent, "content": content, "tag_list": [slug] });
    if let Some(group) = group {
        story["group_id"] = group.clone();
    }
    let body = json!({ "story": story, "publish": 1 });
    editor.post("/stories", body).await.expect(201)["story"].take()
}

/// The plaintext of a new token.
async fn key(fixture: &SpaceFixture, key: Value) -> String {
    let made = fixture.post(Caller::Owner, &fixture.path("/api_keys"), json!({ "api_key": key })).await.expect(201);
    made["api_key"]["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_scoped_token_reads_its_stories_alone_on_every_endpoint() {
    let scoped = Scoped::new().await;
    let (id, uuid) = (&scoped.outside["id"], scoped.outside["uuid"].as_str().unwrap());
    for path in [
        "stories/blog/outside".to_owned(),
        format!("stories/{id}"),
        format!("stories/{uuid}?find_by=uuid"),
        format!("links/{uuid}"),
    ] {
        // With the token of the whole space first, so that its response is in the cache.
        assert_eq!(scoped.get(&scoped.fixture.public, &path).await.0, 200, "{path}");
        assert_eq!(scoped.get(&scoped.token, &path).await.0, 404, "{path}");
    }
    let inside = scoped.get(&scoped.token, "stories/blog/inside").await;
    assert_eq!((inside.0, &inside.1["story"]["content"]["title"]), (200, &json!("Open")));
    assert_eq!(scoped.get(&scoped.token, &format!("links/{}", scoped.inside["uuid"].as_str().unwrap())).await.0, 200);

    for list in [
        "stories",
        "stories?starts_with=blog/",
        "stories?sort_by=content.title:desc",
        "stories?sort_by=published_at:desc",
        "stories?content_type=page",
        "stories?filter_query[title][in]=Open,Secret",
        "stories?with_tag=inside,outside",
        "stories?search_term=page",
        "stories?by_slugs=blog/*",
        "stories?resolve_relations=page.rel&resolve_links=story",
    ] {
        let whole = scoped.get(&scoped.fixture.public, list).await.1;
        let found = scoped.get(&scoped.token, list).await.1;
        assert!(whole["stories"].as_array().unwrap().len() == 2 || list.contains("search_term"), "{list} {whole}");
        assert!(found["stories"].as_array().unwrap().iter().all(|story| story["id"] == scoped.inside["id"]), "{list}");
        assert!(!found.to_string().contains("Secret"), "{list} {found}");
    }
    let response = read(&scoped.fixture, &scoped.token, "stories").await;
    assert_eq!(response.headers()["total"], "1");

    let links = scoped.get(&scoped.token, "links").await.1;
    let known: Vec<&String> = links["links"].as_object().unwrap().keys().collect();
    assert_eq!(known, [scoped.inside["uuid"].as_str().unwrap()]);
    assert_eq!(read(&scoped.fixture, &scoped.token, "links?per_page=10").await.headers()["total"], "1");
    let tags = scoped.get(&scoped.token, "tags").await.1;
    assert_eq!(tags["tags"], json!([{ "name": "inside", "taggings_count": 1 }]));
}

#[tokio::test]
async fn relations_links_and_alternates_outside_of_the_scope_stay_unresolved() {
    let scoped = Scoped::new().await;
    let outside = &scoped.outside["uuid"];
    for form in ["story", "url", "link"] {
        let path = format!("stories/blog/inside?resolve_relations=page.rel&resolve_links={form}");
        let whole = scoped.get(&scoped.fixture.public, &path).await.1;
        assert_eq!((&whole["rels"][0]["uuid"], &whole["links"][0]["uuid"]), (outside, outside));
        assert_eq!(whole["story"]["alternates"][0]["id"], scoped.outside["id"]);
        let found = scoped.get(&scoped.token, &path).await.1;
        assert_eq!((&found["rels"], &found["links"], &found["story"]["alternates"]), (&json!([]), &json!([]), &json!([])));
        assert_eq!(&found["story"]["content"]["rel"], outside, "the content is what its author wrote");
    }
}

#[tokio::test]
async fn responses_of_a_scoped_token_are_in_the_cache_for_itself_alone() {
    let scoped = Scoped::new().await;
    let other = key(&scoped.fixture, json!({ "access": "public", "story_ids": [scoped.outside["id"]] })).await;
    for _ in 0..2 {
        for (token, expected) in [(&scoped.fixture.public, 2), (&scoped.token, 1), (&other, 1)] {
            let list = scoped.get(token, "stories?sort_by=id:asc").await.1;
            assert_eq!(list["stories"].as_array().unwrap().len(), expected);
        }
        let list = scoped.get(&other, "stories").await.1;
        assert_eq!(list["stories"][0]["id"], scoped.outside["id"]);
    }
}

#[tokio::test]
async fn a_scope_is_shown_and_what_is_not_supported_is_refused_and_makes_no_token() {
    let scoped = Scoped::new().await;
    let fixture = &scoped.fixture;
    let path = fixture.path("/api_keys");
    let listed = fixture.get(Caller::Owner, &path).await.expect(200);
    let named: Vec<&Value> = listed["api_keys"].as_array().unwrap().iter().map(|key| &key["story_ids"]).collect();
    assert_eq!(named, [&json!([]), &json!([]), &json!([]), &json!([scoped.inside["id"]])]);
    for (field, value) in [
        ("branch_id", json!(1)),
        ("min_cache", json!(60)),
        ("release_ids", json!([1])),
        ("story_ids", json!([scoped.inside["id"], 999_999_999])),
        ("story_ids", json!((1..=1_001).collect::<Vec<i64>>())),
    ] {
        let mut body = json!({ "access": "public" });
        body[field] = value;
        let refused = fixture.post(Caller::Owner, &path, json!({ "api_key": body })).await.expect(422);
        assert!(refused["fields"].get(field).is_some(), "{refused}");
    }
    let wrong = json!({ "api_key": { "access": "public", "story_ids": ["x"] } });
    fixture.post(Caller::Owner, &path, wrong).await.expect(422);
    assert_eq!(fixture.get(Caller::Owner, &path).await.expect(200), listed);
    let unset = json!({ "access": "public", "story_ids": null, "branch_id": null, "release_ids": [], "min_cache": 0 });
    let whole = key(fixture, unset).await;
    assert_eq!(scoped.get(&whole, "stories").await.1["stories"].as_array().unwrap().len(), 2);
}
