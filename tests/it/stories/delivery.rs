//! The Delivery API: tokens, filters, paging, caching, links.

use super::{each, id, page};
use support::prelude::*;

#[tokio::test]
async fn a_public_token_reads_what_is_published_and_nothing_else() {
    let fixture = SpaceFixture::new().await;
    fixture.published(page("S", "s", json!({}))).await;
    for (token, version, status) in [
        (&fixture.public, "published", 200),
        (&fixture.public, "draft", 401),
        (&fixture.preview, "draft", 200),
        (&fixture.private, "draft", 200),
        (&fixture.private, "published", 200),
        (&fixture.preview, "newest", 422),
        (&fixture.admin, "published", 401),
        (&"sbpub_no".to_owned(), "published", 401),
        (&String::new(), "published", 401),
    ] {
        for path in ["stories", "stories/s", "links", "spaces/me"] {
            let path = format!("/api/v2/cdn/{path}?token={token}&version={version}");
            let reply = fixture.get(Caller::Anonymous, &path).await;
            assert_eq!(reply.status, status, "{path}");
            assert_eq!(reply.header("access-control-allow-origin"), "*", "{path}");
            if status != 200 {
                assert!(reply.body["error"].is_string() && reply.body.as_object().unwrap().len() == 1, "{path}");
            }
        }
    }
}

#[tokio::test]
async fn a_story_is_found_by_slug_number_and_uuid() {
    let fixture = SpaceFixture::new().await;
    let folder = fixture.folder("Ünï", "ünï", 0).await;
    let story = fixture.published(page("S", "s", json!({ "parent_id": folder }))).await;
    let (number, uuid) = (id(&story), story["uuid"].as_str().unwrap());
    for identifier in
        [number.to_string(), uuid.to_owned(), format!("{uuid}?find_by=uuid"), "%C3%BCn%C3%AF/s".into(), "/%C3%BCn%C3%AF/s/".into()]
    {
        let body = fixture.cdn(&format!("stories/{identifier}")).await.expect(200);
        assert_eq!(body["story"]["id"], number, "{identifier}");
        assert_eq!((&body["rels"], &body["links"]), (&json!([]), &json!([])));
        assert_eq!(body["cv"], fixture.cv().await);
    }
    let numeric = fixture.published(page("Year", "2026", json!({}))).await;
    assert_eq!(fixture.cdn("stories/2026").await.expect(200)["story"]["id"], numeric["id"]);
    for missing in ["nope", "0", "%C3%BCn%C3%AF", "00000000-0000-4000-8000-000000000000"] {
        let body = fixture.cdn(&format!("stories/{missing}")).await.expect(404);
        assert_eq!(body, json!({ "error": "This record could not be found" }), "{missing}");
    }
    assert_eq!(fixture.cdn("stories/%ff").await.status, 400);
    assert_eq!(fixture.cdn("stories/a%00b").await.status, 400);
}

#[tokio::test]
async fn lists_are_filtered_paged_and_counted() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let mut uuids = Vec::new();
    for (slug, parent, tags) in [("a", blog, json!(["x"])), ("b", blog, json!(["y"])), ("a_b", 0, json!(["x", "y"]))] {
        let story = fixture.published(page(slug, slug, json!({ "parent_id": parent, "tag_list": tags }))).await;
        uuids.push(story["uuid"].as_str().unwrap().to_owned());
    }
    fixture.story(page("Draft", "draft", json!({}))).await;
    for (query, expected) in [
        (String::new(), "a a_b b"),
        ("version=draft".into(), "a a_b b draft"),
        ("starts_with=blog/".into(), "a b"),
        ("starts_with=/blog/".into(), ""),
        ("starts_with=a_".into(), "a_b"),
        ("starts_with=a%25".into(), ""),
        ("by_slugs=blog/*".into(), "a b"),
        ("by_slugs=blog/a,a_b".into(), "a a_b"),
        ("by_slugs=*_b".into(), "a_b"),
        ("with_tag=x,y".into(), "a a_b b"),
        ("with_tag=x&starts_with=blog/".into(), "a"),
        (format!("by_uuids={},{}", uuids[0], uuids[2]), "a a_b"),
        (format!("by_uuids={}&starts_with=blog/", uuids[2]), "a_b"),
    ] {
        let reply = fixture.cdn(&format!("stories?{query}")).await;
        let total = reply.header("total").to_owned();
        let body = reply.expect(200);
        let mut slugs = each(&body, "slug");
        slugs.sort_unstable();
        assert_eq!(slugs.join(" "), expected, "{query}");
        assert_eq!(total, slugs.len().to_string(), "{query}");
    }
    let second = fixture.cdn("stories?per_page=2&page=2").await;
    assert_eq!((second.header("total"), second.header("per-page")), ("3", "2"));
    assert_eq!(second.expect(200)["stories"].as_array().unwrap().len(), 1);
    assert_eq!(fixture.cdn("stories?per_page=1000").await.header("per-page"), "100");
    for bad in [
        "nope=1",
        "page=0",
        "per_page=x",
        "is_startpages=1",
        "page[]=3",
        "starts_with[]=x",
        "by_ids[x]=1",
        "filter_query=x",
        "token[]=x",
    ] {
        let reply = fixture.cdn(&format!("stories?{bad}")).await;
        assert_eq!(reply.header("cache-control"), "no-store", "{bad}");
        let body = reply.expect(422);
        assert!(body["error"].as_str().unwrap().contains(bad.split('=').next().unwrap()), "{bad}: {body}");
    }
    for numbered in ["by_uuids_ordered[0]={}&by_uuids_ordered[1]={}", "by_uuids_ordered[]={}&by_uuids_ordered[]={}"] {
        let query = numbered.replacen("{}", &uuids[2], 1).replacen("{}", &uuids[0], 1);
        let found = fixture.cdn(&format!("stories?{query}")).await.expect(200);
        assert_eq!(each(&found, "uuid"), [uuids[2].as_str(), &uuids[0]], "{query}");
    }
    assert_eq!(fixture.cdn("stories?nope=1").await.body, json!({ "error": "Parameter(s) nope not allowed" }));
}

#[tokio::test]
async fn answers_are_kept_as_long_as_they_are_true() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.published(page("S", "s", json!({}))).await);
    let cv = fixture.cv().await;
    for (query, lifetime) in [
        (format!("cv={cv}"), "public, max-age=0, s-maxage=604800"),
        ("cv=0".into(), "public, max-age=0, s-maxage=2"),
        (format!("cv={}", cv + 5), "public, max-age=0, s-maxage=2"),
        ("version=published".into(), "public, max-age=0, s-maxage=2"),
        (format!("version=draft&cv={cv}"), "private, max-age=0, must-revalidate"),
    ] {
        let reply = fixture.cdn(&format!("stories/s?{query}")).await;
        assert_eq!(reply.header("cache-control"), lifetime, "{query}");
        assert_eq!(reply.expect(200)["cv"], cv, "{query}");
    }
    for refused in ["stories/nope", "nope", "stories/s?version=x"] {
        assert_eq!(fixture.cdn(refused).await.header("cache-control"), "no-store", "{refused}");
    }
    let tag = fixture.cdn("stories/s").await.header("etag").to_owned();
    let ask = async || {
        let url = fixture.url(&format!("/api/v2/cdn/stories/s?token={}", fixture.public));
        fixture.app.client.get(url).header("if-none-match", &tag).send().await.unwrap()
    };
    let same = ask().await;
    assert_eq!((same.status().as_u16(), same.headers()["etag"].to_str().unwrap()), (304, tag.as_str()));
    assert_eq!(same.bytes().await.unwrap().len(), 0);
    fixture.write("PUT", &format!("/stories/{story}"), json!({ "story": { "name": "T" }, "publish": 1 }), 200).await;
    assert_eq!(ask().await.status(), 200);
}

#[tokio::test]
async fn links_are_a_whole_map_or_pages_of_it_with_every_folder() {
    let fixture = SpaceFixture::new().await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    let post = fixture.published(page("Post", "post", json!({ "parent_id": blog, "path": "/real/post" }))).await;
    fixture.published(page("Start", "start", json!({ "parent_id": blog, "is_startpage": true }))).await;
    fixture.story(page("Draft", "draft", json!({}))).await;
    let links = fixture.cdn("links").await.expect(200)["links"].clone();
    assert_eq!(links.as_object().unwrap().len(), 3);
    let link = &links[post["uuid"].as_str().unwrap()];
    assert_eq!(
        link,
        &json!({
            "id": post["id"], "uuid": post["uuid"], "slug": "blog/post", "path": "/real/post", "real_path": "/real/post", "name": "Post",
            "published": true, "parent_id": blog, "is_folder": false, "is_startpage": false, "position": link["position"], "alternates": []
        })
    );
    assert_eq!(fixture.cdn("links?version=draft").await.expect(200)["links"].as_object().unwrap().len(), 4);
    assert_eq!(fixture.cdn("links?starts_with=blog/").await.expect(200)["links"].as_object().unwrap().len(), 2);
    assert_eq!(fixture.cdn("links?with_parent=0").await.expect(200)["links"].as_object().unwrap().len(), 1);
    let dated = fixture.cdn("links?include_dates=1").await.expect(200);
    assert!(dated["links"][post["uuid"].as_str().unwrap()]["published_at"].is_string());
    let first = fixture.cdn("links?per_page=2").await;
    assert_eq!((first.header("total"), first.header("per-page")), ("3", "2"));
    assert_eq!(first.expect(200)["links"].as_object().unwrap().len(), 2);
    assert_eq!(fixture.cdn("links?page=2").await.header("per-page"), "25");
    let paginated = fixture.cdn("links?paginated=1").await;
    assert_eq!((paginated.header("total"), paginated.header("per-page")), ("3", "25"));
    assert_eq!(fixture.cdn("links?paginated=0").await.header("per-page"), "3");
    let one = fixture.cdn(&format!("links?by_uuid={}", post["uuid"].as_str().unwrap())).await;
    assert_eq!(one.header("total"), "1");
    assert_eq!(&one.expect(200)["links"], &json!({ (post["uuid"].as_str().unwrap()): link }));
    assert_eq!(fixture.cdn("links?page=9&per_page=2").await.header("total"), "3");
    for bad in ["sort_by=nope", "by_uuid=x", "paginated=x", "with_parent=x", "sort_by[]=name"] {
        fixture.cdn(&format!("links?{bad}")).await.expect(422);
    }
}

#[tokio::test]
async fn links_stand_in_the_order_that_is_asked_for() {
    let fixture = SpaceFixture::new().await;
    for (name, position, path) in [("B", 30, None), ("C", 20, Some("x")), ("A", 10, None)] {
        fixture.published(page(name, &name.to_lowercase(), json!({ "position": position, "path": path }))).await;
    }
    for paging in ["", "&per_page=3"] {
        for (order, expected) in [
            ("", "acb"),
            ("name:asc", "abc"),
            ("name:desc", "cba"),
            ("published_at:desc,full_slug:desc", "cba"),
            ("path:asc", "cab"),
        ] {
            let text = fixture.cdn(&format!("links?sort_by={order}{paging}")).await.text;
            let slug = |text: &str| text.split('"').next().unwrap().to_owned();
            let slugs: String = text.split("\"slug\":\"").skip(1).map(slug).collect();
            assert_eq!(slugs, expected, "{order}{paging}");
        }
    }
}

#[tokio::test]
async fn paths_without_the_prefix_of_the_api_answer_the_same() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.published(page("S", "s", json!({}))).await);
    let read = format!("/v2/cdn/stories/s?token={}", fixture.public);
    assert_eq!(fixture.get(Caller::Anonymous, &read).await.expect(200)["story"]["id"], story);
    assert_eq!(fixture.get(Caller::Anonymous, "/v2/cdn/stories/s?token=x").await.expect(401), json!({ "error": "Unauthorized" }));
    let path = format!("/v1/spaces/{}/stories/{story}", fixture.space);
    let change = json!({ "story": { "name": "New" } });
    fixture.put(Caller::Token(&fixture.editor), &path, change).await.expect(200);
    assert_eq!(fixture.get(Caller::Token(&fixture.editor), &path).await.expect(200)["story"]["name"], "New");
}

#[tokio::test]
async fn drafts_carry_editable_marks_and_published_stories_do_not() {
    let fixture = SpaceFixture::new().await;
    let content = json!({ "component": "page", "body": [{ "component": "teaser", "_uid": "u" }] });
    let story = id(&fixture.published(page("S", "s", json!({ "content": content }))).await);
    let draft = fixture.cdn("stories/s?version=draft").await.expect(200);
    let mark = draft["story"]["content"]["body"][0]["_editable"].as_str().unwrap();
    let mark = mark.strip_prefix("<!--#storyblok#").unwrap().strip_suffix("-->").unwrap();
    let mark: serde_json::Value = serde_json::from_str(mark).unwrap();
    assert_eq!(mark, json!({ "name": "teaser", "space": fixture.space.to_string(), "uid": "u", "id": story.to_string() }));
    assert!(!fixture.cdn("stories/s").await.text.contains("_editable"));
}
