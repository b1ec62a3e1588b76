//! What clients send where they meant to send nothing, paths as they join them, and parameters that they add
//! to every request.

use super::{each, id, page};
use support::prelude::*;

/// Three published stories, `a`, `b` and `c`, the last with a tag.
async fn fixture() -> SpaceFixture {
    let fixture = SpaceFixture::new().await;
    for (slug, more) in [("a", json!({})), ("b", json!({})), ("c", json!({ "tag_list": ["news"] }))] {
        fixture.published(page(slug, slug, more)).await;
    }
    fixture
}

async fn found(fixture: &SpaceFixture, query: &str) -> String {
    let body = fixture.cdn(&format!("stories?{query}")).await.expect(200);
    let mut slugs = each(&body, "slug");
    slugs.sort_unstable();
    slugs.join(" ")
}

#[tokio::test]
async fn an_option_that_was_not_set_is_no_parameter() {
    let fixture = fixture().await;
    for word in ["", "undefined", "null", "NaN"] {
        for name in [
            "cv",
            "version",
            "page",
            "per_page",
            "sort_by",
            "language",
            "fallback_lang",
            "resolve_links",
            "resolve_level",
            "is_startpage",
            "level",
            "published_at_gt",
            "excluding_ids",
            "excluding_slugs",
            "excluding_fields",
            "from_release",
        ] {
            assert_eq!(found(&fixture, &format!("{name}={word}")).await, "a b c", "{name}={word}");
        }
        assert_eq!(fixture.cdn(&format!("stories/a?cv={word}&find_by={word}")).await.status, 200, "{word}");
        for list in ["links", "tags", "datasources", "datasource_entries", "spaces/me"] {
            assert_eq!(fixture.cdn(&format!("{list}?cv={word}&per_page={word}")).await.status, 200, "{list}: {word}");
        }
    }
    assert_eq!(found(&fixture, "cv=soon").await, "a b c");
    let current = fixture.cdn("stories/a?cv=undefined").await;
    assert_eq!(current.header("cache-control"), "public, max-age=0, s-maxage=2");
    assert_eq!(fixture.cdn("stories?nope=undefined").await.expect(422)["error"], "Parameter(s) nope not allowed");
    assert_eq!(fixture.get(Caller::Anonymous, "/api/v2/cdn/stories?token=undefined").await.status, 401);
}

#[tokio::test]
async fn a_mistake_never_makes_a_list_longer() {
    let fixture = fixture().await;
    let story = fixture.cdn("stories/a").await.expect(200)["story"].clone();
    for name in [
        "by_uuids",
        "by_uuids[]",
        "by_uuids_ordered",
        "by_ids",
        "by_slugs",
        "starts_with",
        "with_tag",
        "content_type",
        "search_term",
    ] {
        for word in ["undefined", "null", "NaN"] {
            assert_eq!(found(&fixture, &format!("{name}={word}")).await, "", "{name}={word}");
        }
        assert_eq!(found(&fixture, &format!("{name}=")).await, "a b c", "{name}=");
    }
    let (id, uuid) = (id(&story), story["uuid"].as_str().unwrap());
    for query in [format!("by_ids=undefined,{id}"), format!("by_uuids={uuid},x"), format!("excluding_ids=x,{}", id + 1_000_000)] {
        let expected = if query.starts_with("excluding") { "a b c" } else { "a" };
        assert_eq!(found(&fixture, &query).await, expected, "{query}");
    }
    assert_eq!(found(&fixture, "filter_query[title][is]=null&filter_query[component][in]=undefined").await, "");
    assert_eq!(fixture.cdn("datasource_entries?datasource=undefined").await.expect(200)["datasource_entries"], json!([]));
}

#[tokio::test]
async fn lists_of_the_management_api_read_them_alike() {
    let fixture = fixture().await;
    let listed = async |query: &str| {
        let reply = fixture.viewer().get(&format!("/stories?{query}")).await;
        let body = reply.expect(200);
        let mut slugs = each(&body, "slug");
        slugs.sort_unstable();
        slugs.join(" ")
    };
    for query in
        ["page=undefined&sort_by=null", "is_published=undefined&pinned=", "with_parent=undefined&mine=NaN", "scheduled_at_gt=null"]
    {
        assert_eq!(listed(query).await, "a b c", "{query}");
    }
    for query in
        ["by_ids=undefined", "by_uuids=x", "by_uuids_ordered=null", "by_slugs=undefined", "starts_with=undefined", "with_tag=null"]
    {
        assert_eq!(listed(query).await, "", "{query}");
    }
    for (list, key) in [
        ("components", "components"),
        ("asset_folders", "asset_folders"),
        ("datasources", "datasources"),
        ("internal_tags", "internal_tags"),
    ] {
        let body = fixture.viewer().get(&format!("/{list}?by_ids=undefined&page=null")).await;
        assert_eq!(body.expect(200)[key], json!([]), "{list}");
    }
    assert_eq!(fixture.viewer().get("/stories?nope=undefined").await.status, 422);
}

#[tokio::test]
async fn every_endpoint_takes_the_parameters_of_all() {
    let fixture = fixture().await;
    let all =
        "page=1&per_page=25&language=de&resolve_links=url&starts_with=a&sort_by=name:asc&find_by=slug&paginated=1&from_release=0";
    for path in ["stories", "stories/a", "links", "tags", "datasources", "datasource_entries", "spaces/me"] {
        assert_eq!(fixture.cdn(&format!("{path}?{all}")).await.status, 200, "{path}");
        assert_eq!(fixture.cdn(&format!("{path}?{all}&nope=1")).await.status, 422, "{path}");
    }
    let refused = fixture.cdn("stories?from_release=7").await.expect(422);
    assert!(refused["error"].as_str().unwrap().contains("from_release"), "{refused}");
}

#[tokio::test]
async fn repeated_and_encoded_slashes_lead_where_single_ones_do() {
    let fixture = fixture().await;
    let folder = fixture.folder("Blog", "blog", 0).await;
    fixture.published(page("P", "p", json!({ "parent_id": folder }))).await;
    let token = &fixture.public;
    for path in [
        "//v2/cdn/stories/blog/p",
        "/v2//cdn/stories/blog/p/",
        "/api//v2/cdn/stories//blog//p",
        "/api/v2/cdn/stories/blog%2Fp%2F",
        "/api/v2/cdn/stories/%2Fblog/p",
        "/v2/cdn/stories/%2Fblog%2Fp",
    ] {
        let body = fixture.get(Caller::Anonymous, &format!("{path}?token={token}")).await.expect(200);
        assert_eq!(body["story"]["full_slug"], "blog/p", "{path}");
    }
    let space = fixture.path("");
    let below = space.strip_prefix("/api/v1/").unwrap();
    for path in [format!("/v1//{below}/stories"), format!("//api/v1//{below}//stories/"), format!("/api//v1/{below}")] {
        assert_eq!(fixture.get(Caller::Token(&fixture.viewer), &path).await.status, 200, "{path}");
    }
}
