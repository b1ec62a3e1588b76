//! What delivery answers resolve: relations, links; and what they leave out.

use crate::support::{
    Setup,
    desk::{Caller, Desk},
};
use serde_json::{Value, json};

async fn publish(desk: &Desk, slug: &str, parent: &Value, content: Value) -> Value {
    let story = json!({ "name": slug.to_uppercase(), "slug": slug, "parent_id": parent, "content": content });
    let body = json!({ "story": story, "publish": 1 });
    desk.post(Caller::Token(&desk.editor), &desk.path("/stories"), body).await.expect(201)["story"].clone()
}

async fn folder(desk: &Desk, slug: &str) -> Value {
    let body = json!({ "story": { "name": slug, "slug": slug, "is_folder": true } });
    desk.post(Caller::Token(&desk.editor), &desk.path("/stories"), body).await.expect(201)["story"]["id"].clone()
}

async fn read(desk: &Desk, path: &str) -> Value {
    let joint = if path.contains('?') { '&' } else { '?' };
    desk.get(Caller::Nobody, &format!("/api/v2/cdn/{path}{joint}token={}", desk.preview)).await.expect(200)
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn relations_stand_once_beside_the_stories_and_the_content_keeps_its_uuids() {
    let desk = Desk::new().await;
    let root = json!(0);
    let company = publish(&desk, "company", &root, json!({ "component": "company" })).await;
    let author = publish(&desk, "author", &root, json!({ "component": "author", "company": company["uuid"] })).await;
    let draft = json!({ "story": { "name": "Draft", "slug": "draft", "content": { "component": "author" } } });
    let draft = desk.post(Caller::Token(&desk.editor), &desk.path("/stories"), draft).await.expect(201)["story"].clone();
    for slug in ["one", "two"] {
        let nested = json!([{ "component": "featured", "_uid": "u", "posts": [author["uuid"], draft["uuid"]] }]);
        publish(&desk, slug, &root, json!({ "component": "post", "author": author["uuid"], "body": nested })).await;
    }
    let wanted = "resolve_relations=post.author,featured.posts,author.company";
    let list = read(&desk, &format!("stories?content_type=post&{wanted}")).await;
    assert_eq!(names(&list["rels"]), ["AUTHOR"], "each once; the unpublished one is missing; one level in lists");
    assert_eq!(list["stories"][0]["content"]["author"], author["uuid"]);
    assert_eq!(list["rels"][0]["full_slug"], "author");
    let deep = read(&desk, &format!("stories?content_type=post&{wanted}&resolve_level=2")).await;
    assert_eq!(names(&deep["rels"]), ["AUTHOR", "COMPANY"]);
    let single = read(&desk, &format!("stories/one?{wanted}")).await;
    assert_eq!(names(&single["rels"]), ["AUTHOR", "COMPANY"], "two levels for one story");
    let drafts = read(&desk, &format!("stories/one?version=draft&{wanted}")).await;
    assert_eq!(names(&drafts["rels"]), ["AUTHOR", "Draft", "COMPANY"]);
    assert!(drafts["rels"][0]["content"]["_editable"].is_string());
    assert_eq!(read(&desk, "stories/one?resolve_relations=author").await["rels"], json!([]), "a bare field names no relation");
    assert_eq!(read(&desk, "stories/one").await["rels"], json!([]));
}

#[tokio::test]
async fn too_many_relations_are_named_and_can_be_fetched_from_outside_the_folder() {
    let desk = Desk::with(Setup { variables: &[("APP_RESOLVE_LIMIT", "3")], ..Setup::default() }).await;
    let (inside, outside) = (folder(&desk, "in").await, folder(&desk, "out").await);
    let mut uuids = Vec::new();
    for number in 0..4 {
        uuids.push(publish(&desk, &format!("t{number}"), &outside, json!({ "component": "tag" })).await["uuid"].clone());
    }
    publish(&desk, "three", &inside, json!({ "component": "post", "tags": uuids[..3] })).await;
    publish(&desk, "four", &inside, json!({ "component": "post", "tags": uuids })).await;
    let three = read(&desk, "stories/in/three?resolve_relations=post.tags").await;
    assert_eq!(three["rels"].as_array().unwrap().len(), 3);
    let four = read(&desk, "stories/in/four?resolve_relations=post.tags").await;
    assert!(four.get("rels").is_none());
    assert_eq!(four["rel_uuids"], json!(uuids));
    let csv: Vec<&str> = uuids.iter().map(|uuid| uuid.as_str().unwrap()).collect();
    let fetched = read(&desk, &format!("stories?starts_with=in/&per_page=50&by_uuids={}", csv.join(","))).await;
    assert_eq!(fetched["stories"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn links_are_resolved_in_three_forms_and_two_levels() {
    let desk = Desk::new().await;
    let root = json!(0);
    let link =
        |target: &Value| json!({ "fieldtype": "multilink", "linktype": "story", "id": target["uuid"], "cached_url": "stale" });
    let last = publish(&desk, "last", &root, json!({ "component": "page" })).await;
    let next = publish(&desk, "next", &root, json!({ "component": "page", "cta": link(&last) })).await;
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }] } });
    desk.put(Caller::Token(&desk.admin), &desk.path(""), languages).await.expect(200);
    let slugs = json!({ "publish": 1, "story": { "translated_slugs_attributes": [{ "lang": "de", "slug": "naechste", "name": "Nächste" }] } });
    desk.put(Caller::Token(&desk.editor), &desk.path(&format!("/stories/{}", next["id"])), slugs).await.expect(200);
    let mark = json!({ "type": "link", "attrs": { "linktype": "story", "uuid": next["uuid"], "href": "/next" } });
    let text = json!({ "type": "doc", "content": [{ "type": "text", "text": "x", "marks": [mark] }] });
    publish(&desk, "first", &root, json!({ "component": "page", "text": text, "cta": link(&next) })).await;

    for form in ["url", "1"] {
        let links = read(&desk, &format!("stories/first?resolve_links={form}")).await["links"].clone();
        let expected = json!([{
            "id": next["id"], "uuid": next["uuid"], "name": "NEXT", "slug": "next", "path": null, "full_slug": "next", "url": "next"
        }]);
        assert_eq!(links, expected, "{form}");
    }
    let link_form = read(&desk, "stories/first?resolve_links=link").await["links"][0].clone();
    let mut listed = read(&desk, "links").await["links"][next["uuid"].as_str().unwrap()].clone();
    listed["full_slug"] = json!("next");
    assert_eq!(link_form, listed);
    assert_eq!(link_form["alternates"][0]["path"], "naechste");
    let stories = read(&desk, "stories?starts_with=first&resolve_links=story").await["links"].clone();
    assert_eq!(stories[0]["content"]["component"], "page");
    let deep = read(&desk, "stories/first?resolve_links=url&resolve_links_level=2").await["links"].clone();
    assert_eq!(names(&deep), ["NEXT", "LAST"]);
    assert_eq!(read(&desk, "stories/first?resolve_links=0").await["links"], json!([]));
    assert_eq!(read(&desk, "stories/first?resolve_assets=1").await["assets"], json!([]));
}

#[tokio::test]
async fn too_many_linked_stories_are_named() {
    let desk = Desk::with(Setup { variables: &[("APP_RESOLVE_LIMIT", "1")], ..Setup::default() }).await;
    let root = json!(0);
    let mut links = Vec::new();
    for slug in ["a", "b"] {
        let target = publish(&desk, slug, &root, json!({ "component": "page" })).await;
        links.push(json!({ "fieldtype": "multilink", "linktype": "story", "id": target["uuid"], "component": "l" }));
    }
    publish(&desk, "from", &root, json!({ "component": "page", "links": links })).await;
    let overflow = read(&desk, "stories/from?resolve_links=story").await;
    assert!(overflow.get("links").is_none());
    assert_eq!(overflow["link_uuids"].as_array().unwrap().len(), 2);
    assert_eq!(read(&desk, "stories/from?resolve_links=url").await["links"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn fields_of_content_and_members_of_stories_are_left_out() {
    let desk = Desk::new().await;
    let content = json!({ "component": "page", "a": 1, "b": { "a": 2 }, "a__i18n__de": 3 });
    publish(&desk, "s", &json!(0), content).await;
    for path in ["stories/s?", "stories?"] {
        let body =
            read(&desk, &format!("{path}excluding_fields=a,component,_uid&excluding_story_fields=tag_list,uuid,lang,nope")).await;
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
    let desk = Desk::new().await;
    publish(&desk, "s", &json!(0), json!({ "component": "page" })).await;
    for bad in
        ["resolve_level=3", "resolve_links=all", "resolve_links_level=0", "resolve_assets=x", "from_release=1", "find_by=name"]
    {
        let path = format!("/api/v2/cdn/stories/s?token={}&{bad}", desk.preview);
        let body = desk.get(Caller::Nobody, &path).await.expect(422);
        assert!(body["error"].as_str().unwrap().contains(bad.split('=').next().unwrap()), "{bad}: {body}");
    }
    for not_here in ["is_startpage=1", "filter_query[a][in]=1", "sort_by=name"] {
        let path = format!("/api/v2/cdn/stories/s?token={}&{not_here}", desk.preview);
        desk.get(Caller::Nobody, &path).await.expect(422);
    }
    let elsewhere = format!("/api/v2/cdn/stories/s?token={}&content_type=post", desk.preview);
    assert_eq!(desk.get(Caller::Nobody, &elsewhere).await.status, 404);
}
