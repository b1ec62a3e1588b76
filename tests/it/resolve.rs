//! Resolving relations and links in the Delivery API, and leaving out fields.

use support::prelude::*;

async fn publish(fixture: &SpaceFixture, slug: &str, parent: &Value, content: Value) -> Value {
    let story = json!({ "name": slug.to_uppercase(), "slug": slug, "parent_id": parent, "content": content });
    let body = json!({ "story": story, "publish": 1 });
    fixture.editor().post("/stories", body).await.expect(201)["story"].clone()
}

async fn folder(fixture: &SpaceFixture, slug: &str) -> Value {
    let body = json!({ "story": { "name": slug, "slug": slug, "is_folder": true } });
    fixture.editor().post("/stories", body).await.expect(201)["story"]["id"].clone()
}

async fn read(fixture: &SpaceFixture, path: &str) -> Value {
    let joint = if path.contains('?') { '&' } else { '?' };
    fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/{path}{joint}token={}", fixture.preview)).await.expect(200)
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn relations_are_resolved_once_beside_the_stories_and_the_content_keeps_its_uuids() {
    let fixture = SpaceFixture::new().await;
    let root = json!(0);
    let company = publish(&fixture, "company", &root, json!({ "component": "company" })).await;
    let author = publish(&fixture, "author", &root, json!({ "component": "author", "company": company["uuid"] })).await;
    let draft = json!({ "story": { "name": "Draft", "slug": "draft", "content": { "component": "author" } } });
    let draft = fixture.editor().post("/stories", draft).await.expect(201)["story"].clone();
    for slug in ["one", "two"] {
        let nested = json!([{ "component": "featured", "_uid": "u", "posts": [author["uuid"], draft["uuid"]] }]);
        publish(&fixture, slug, &root, json!({ "component": "post", "author": author["uuid"], "body": nested })).await;
    }
    let wanted = "resolve_relations=post.author,featured.posts,author.company";
    let list = read(&fixture, &format!("stories?content_type=post&{wanted}")).await;
    assert_eq!(names(&list["rels"]), ["AUTHOR"], "each once; the unpublished one is missing; one level in lists");
    assert_eq!(list["stories"][0]["content"]["author"], author["uuid"]);
    assert_eq!(list["rels"][0]["full_slug"], "author");
    let deep = read(&fixture, &format!("stories?content_type=post&{wanted}&resolve_level=2")).await;
    assert_eq!(names(&deep["rels"]), ["AUTHOR", "COMPANY"]);
    let single = read(&fixture, &format!("stories/one?{wanted}")).await;
    assert_eq!(names(&single["rels"]), ["AUTHOR", "COMPANY"], "two levels for one story");
    let drafts = read(&fixture, &format!("stories/one?version=draft&{wanted}")).await;
    assert_eq!(names(&drafts["rels"]), ["AUTHOR", "Draft", "COMPANY"]);
    assert!(drafts["rels"][0]["content"]["_editable"].is_string());
    assert_eq!(read(&fixture, "stories/one?resolve_relations=author").await["rels"], json!([]), "a bare field names no relation");
    assert_eq!(read(&fixture, "stories/one").await["rels"], json!([]));
}

#[tokio::test]
async fn too_many_relations_are_given_as_uuids_and_can_be_fetched_from_outside_the_folder() {
    let fixture = SpaceFixture::with_variables(&[("APP_RESOLVE_LIMIT", "3")]).await;
    let (inside, outside) = (folder(&fixture, "in").await, folder(&fixture, "out").await);
    let mut uuids = Vec::new();
    for number in 0..4 {
        uuids.push(publish(&fixture, &format!("t{number}"), &outside, json!({ "component": "tag" })).await["uuid"].clone());
    }
    publish(&fixture, "three", &inside, json!({ "component": "post", "tags": uuids[..3] })).await;
    publish(&fixture, "four", &inside, json!({ "component": "post", "tags": uuids })).await;
    let three = read(&fixture, "stories/in/three?resolve_relations=post.tags").await;
    assert_eq!(three["rels"].as_array().unwrap().len(), 3);
    let four = read(&fixture, "stories/in/four?resolve_relations=post.tags").await;
    assert!(four.get("rels").is_none());
    assert_eq!(four["rel_uuids"], json!(uuids));
    let csv: Vec<&str> = uuids.iter().map(|uuid| uuid.as_str().unwrap()).collect();
    let fetched = read(&fixture, &format!("stories?starts_with=in/&per_page=50&by_uuids={}", csv.join(","))).await;
    assert_eq!(fetched["stories"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn links_are_resolved_in_three_forms_and_two_levels() {
    let fixture = SpaceFixture::new().await;
    let root = json!(0);
    let link =
        |target: &Value| json!({ "fieldtype": "multilink", "linktype": "story", "id": target["uuid"], "cached_url": "stale" });
    let last = publish(&fixture, "last", &root, json!({ "component": "page" })).await;
    let next = publish(&fixture, "next", &root, json!({ "component": "page", "cta": link(&last) })).await;
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }] } });
    fixture.admin().put("", languages).await.expect(200);
    let slugs = json!({ "publish": 1, "story": { "translated_slugs_attributes": [{ "lang": "de", "slug": "naechste", "name": "Nächste" }] } });
    fixture.editor().put(&format!("/stories/{}", next["id"]), slugs).await.expect(200);
    let mark = json!({ "type": "link", "attrs": { "linktype": "story", "uuid": next["uuid"], "href": "/next" } });
    let text = json!({ "type": "doc", "content": [{ "type": "text", "text": "x", "marks": [mark] }] });
    publish(&fixture, "first", &root, json!({ "component": "page", "text": text, "cta": link(&next) })).await;

    for form in ["url", "1"] {
        let links = read(&fixture, &format!("stories/first?resolve_links={form}")).await["links"].clone();
        let expected = json!([{
            "id": next["id"], "uuid": next["uuid"], "name": "NEXT", "slug": "next", "path": null, "full_slug": "next", "url": "next"
        }]);
        assert_eq!(links, expected, "{form}");
    }
    let link_form = read(&fixture, "stories/first?resolve_links=link").await["links"][0].clone();
    let mut listed = read(&fixture, "links").await["links"][next["uuid"].as_str().unwrap()].clone();
    listed["full_slug"] = json!("next");
    assert_eq!(link_form, listed);
    assert_eq!(link_form["alternates"][0]["path"], "naechste");
    let stories = read(&fixture, "stories?starts_with=first&resolve_links=story").await["links"].clone();
    assert_eq!(stories[0]["content"]["component"], "page");
    let deep = read(&fixture, "stories/first?resolve_links=url&resolve_links_level=2").await["links"].clone();
    assert_eq!(names(&deep), ["NEXT", "LAST"]);
    assert_eq!(read(&fixture, "stories/first?resolve_links=0").await["links"], json!([]));
    assert_eq!(read(&fixture, "stories/first?resolve_assets=1").await["assets"], json!([]));
}

#[tokio::test]
async fn too_many_linked_stories_are_given_as_uuids() {
    let fixture = SpaceFixture::with_variables(&[("APP_RESOLVE_LIMIT", "1")]).await;
    let root = json!(0);
    let mut links = Vec::new();
    for slug in ["a", "b"] {
        let target = publish(&fixture, slug, &root, json!({ "component": "page" })).await;
        links.push(json!({ "fieldtype": "multilink", "linktype": "story", "id": target["uuid"], "component": "l" }));
    }
    publish(&fixture, "from", &root, json!({ "component": "page", "links": links })).await;
    let overflow = read(&fixture, "stories/from?resolve_links=story").await;
    assert!(overflow.get("links").is_none());
    assert_eq!(overflow["link_uuids"].as_array().unwrap().len(), 2);
    assert_eq!(read(&fixture, "stories/from?resolve_links=url").await["links"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn fields_of_content_and_members_of_stories_are_left_out() {
    let fixture = SpaceFixture::new().await;
    let content = json!({ "component": "page", "a": 1, "b": { "a": 2 }, "a__i18n__de": 3 });
    publish(&fixture, "s", &json!(0), content).await;
    for path in ["stories/s?", "stories?"] {
        let body =
            read(&fixture, &format!("{path}excluding_fields=a,component,_uid&excluding_story_fields=tag_list,uuid,lang,nope"))
                .await;
        let story = if path.starts_with("stories/") { &body["story"] } else { &body["stories"][0] };
        assert_eq!(story["content"]["component"], "page");
        assert_eq!(story["content"].get("a"), None);
        assert_eq!(story["content"]["b"]["a"], 2);
        assert!(story.get("tag_list").is_none() && story.get("lang").is_none());
        assert!(story["uuid"].is_string() && story["full_slug"].is_string());
    }
}

#[tokio::test]
async fn wrong_values_name_their_parameter() {
    let fixture = SpaceFixture::new().await;
    publish(&fixture, "s", &json!(0), json!({ "component": "page" })).await;
    for bad in
        ["resolve_level=3", "resolve_links=all", "resolve_links_level=0", "resolve_assets=x", "from_release=1", "find_by=name"]
    {
        let path = format!("/api/v2/cdn/stories/s?token={}&{bad}", fixture.preview);
        let body = fixture.get(Caller::Anonymous, &path).await.expect(422);
        assert!(body["error"].as_str().unwrap().contains(bad.split('=').next().unwrap()), "{bad}: {body}");
    }
    for of_lists in ["is_startpage=1", "filter_query[a][in]=1", "sort_by=name:asc"] {
        let path = format!("/api/v2/cdn/stories/s?token={}&{of_lists}", fixture.preview);
        fixture.get(Caller::Anonymous, &path).await.expect(200);
    }
    let elsewhere = format!("/api/v2/cdn/stories/s?token={}&content_type=post", fixture.preview);
    assert_eq!(fixture.get(Caller::Anonymous, &elsewhere).await.status, 404);
}
