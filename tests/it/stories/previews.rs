//! What previews are made of: the places of a space, the signature of their URLs, and drafts in the delivery
//! shape.

use super::{id, page};
use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use support::prelude::*;

#[tokio::test]
async fn environments_are_kept_and_wrong_ones_are_refused_by_name() {
    let fixture = SpaceFixture::new().await;
    let set = async |environments: Value| fixture.admin().put("", json!({ "space": { "environments": environments } })).await;
    let both = json!([
        { "name": "Preview", "location": "https://preview.example.org/api?slug=" },
        { "name": "Mine", "location": "http://localhost:3000/{lang}/{full_slug}" },
    ]);
    assert_eq!(set(both.clone()).await.expect(200)["space"]["environments"], both);
    assert_eq!(fixture.viewer().get("").await.expect(200)["space"]["environments"], both);
    let own = fixture.url("/preview");
    let many: Vec<Value> =
        (0..21).map(|number| json!({ "name": "P", "location": format!("https://p{number}.example.org") })).collect();
    for wrong in [
        json!([{ "name": "Own", "location": own }]),
        json!([{ "name": "Scheme", "location": "ftp://x.example.org" }]),
        json!([{ "name": "Password", "location": "https://ann:pw@x.example.org" }]),
        json!([{ "name": "", "location": "https://x.example.org" }]),
        json!(many),
    ] {
        let refused = set(wrong.clone()).await;
        assert_eq!(
            (refused.status, &refused.body["details"][0]["field"]),
            (422, &json!("environments")),
            "{wrong}: {}",
            refused.text
        );
    }
    let refused = set(json!([{ "name": "Own", "location": own }])).await;
    assert!(refused.text.contains("Own"), "{}", refused.text);
    assert_eq!(fixture.viewer().get("").await.expect(200)["space"]["environments"], both);
}

#[tokio::test]
async fn fields_of_assets_are_kept_and_wrong_ones_are_refused_by_name() {
    let fixture = SpaceFixture::new().await;
    let set = async |fields: Value| fixture.admin().put("", json!({ "space": { "asset_custom_meta_data_schema": fields } })).await;
    let fields = json!([{
        "key": "photographer", "display_name": "Photographer", "regex": null, "regex_message": null, "required": true,
        "translatable": false, "filetypes": ["images"],
    }]);
    let answer = set(fields.clone()).await.expect(200);
    assert_eq!((&answer["space"]["asset_custom_meta_data_schema"], answer.get("warnings")), (&fields, None));
    assert_eq!(fixture.viewer().get("").await.expect(200)["space"]["asset_custom_meta_data_schema"], fields);
    for wrong in [json!([{ "display_name": "X" }]), json!([{ "key": "a" }, { "key": "a" }])] {
        assert_eq!(set(wrong).await.expect(422)["details"][0]["field"], "asset_custom_meta_data_schema");
    }
    fixture.editor().put("", json!({ "space": { "asset_custom_meta_data_schema": [] } })).await.expect(403);
    assert_eq!(fixture.viewer().get("").await.expect(200)["space"]["asset_custom_meta_data_schema"], fields);
}

#[tokio::test]
async fn the_newest_preview_token_signs_until_it_is_revoked() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.story(page("Home", "home", json!({}))).await;
    let path = format!("/stories/{}", id(&story));
    let signature = async || fixture.viewer().get(&path).await.expect(200)["story"]["preview_token"].clone();
    let timestamp = fixture.clock.now().as_second().to_string();
    let by = |token: &str| {
        let signed = format!("{}:{token}:{timestamp}", fixture.space);
        json!({ "token": hex::encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, signed.as_bytes())), "timestamp": timestamp })
    };
    assert_eq!(signature().await, by(&fixture.preview), "the one that the space was made with");
    let new = json!({ "api_key": { "access": "preview" } });
    let newer = fixture.admin().post("/api_keys", new).await.expect(201)["api_key"].clone();
    let token = newer["token"].as_str().unwrap();
    assert_eq!(signature().await, by(token));
    // In rows it is no text: neither the token nor the secret of it.
    let rows = fixture.every_row(&["delivery_tokens"]).await;
    assert!(!rows.contains(token) && !rows.contains(token.trim_start_matches("sbprev_")));
    fixture.admin().delete(&format!("/api_keys/{}", newer["id"])).await.expect(200);
    assert_eq!(signature().await, by(&fixture.preview));
    assert_eq!(fixture.row("select count(*) from delivery_tokens where sealed is not null", &[]).await.get::<_, i64>(0), 1);
    // A space from before has none; a new public or private token is none that signs.
    fixture.sql("update delivery_tokens set sealed = null").await;
    for access in ["public", "private"] {
        fixture.admin().post("/api_keys", json!({ "api_key": { "access": access } })).await.expect(201);
    }
    assert_eq!(signature().await, json!(null));
    // What is written says nothing of it.
    let written = fixture.editor().put(&path, json!({ "story": { "name": "Start" } })).await.expect(200);
    assert_eq!(written["story"].get("preview_token"), None);
}

#[tokio::test]
async fn members_read_drafts_as_the_delivery_api_renders_them() {
    let fixture = SpaceFixture::new().await;
    fixture.admin().put("", json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }] } })).await.expect(200);
    let author = fixture.story(page("Ada", "ada", json!({}))).await;
    let content = json!({ "component": "page", "title": "Hello", "title__i18n__de": "Hallo", "author": author["uuid"] });
    let home = fixture.published(page("Home", "home", json!({ "content": content }))).await;
    let edited =
        json!({ "content": { "component": "page", "title": "Hello again", "title__i18n__de": "Hallo", "author": author["uuid"] } });
    fixture.update(id(&home), edited).await;
    for query in [
        "",
        "language=de",
        "language=de&fallback_lang=default",
        "resolve_relations=page.author",
        "resolve_links=url",
        "by_uuids={uuid}",
        "per_page=1&page=2",
        "starts_with=ho",
    ] {
        let query = query.replace("{uuid}", home["uuid"].as_str().unwrap());
        let expected = fixture.cdn(&format!("stories?version=draft&{query}")).await;
        let actual = fixture.viewer().get(&format!("/cdn/stories?{query}")).await;
        assert_eq!((actual.header("total"), actual.header("cache-control")), (expected.header("total"), "no-store"), "{query}");
        assert_eq!(actual.expect(200), expected.expect(200), "{query}");
        let expected = fixture.cdn(&format!("stories/{}?version=draft&{query}", home["id"])).await;
        let actual = fixture.get(Caller::Owner, &fixture.path(&format!("/cdn/stories/{}?version=draft&{query}", home["id"]))).await;
        assert_eq!((actual.status, &actual.body), (expected.status, &expected.body), "{query}");
    }
    for query in ["", "language=de", "resolve_relations=page.author"] {
        let expected = fixture.cdn(&format!("stories/home?version=published&{query}")).await;
        let actual = fixture.viewer().get(&format!("/cdn/stories/{}/published?{query}", home["id"])).await;
        assert_eq!(actual.expect(200), expected.expect(200), "what readers get: {query}");
    }
    fixture.viewer().get(&format!("/cdn/stories/{}/published", author["id"])).await.expect(404);
    for (path, version, status) in
        [("/published", "published", 200), ("/published", "draft", 422), ("", "draft", 200), ("", "published", 422)]
    {
        fixture.viewer().get(&format!("/cdn/stories/{}{path}?version={version}", home["id"])).await.expect(status);
    }
    let published = fixture.viewer().get("/cdn/stories?version=published").await;
    assert_eq!((published.status, &published.body["details"][0]["field"]), (422, &json!("version")));
    fixture.viewer().get("/cdn/stories?no_such_parameter=1").await.expect(422);
    fixture.viewer().get("/cdn/stories/999999").await.expect(404);
    fixture.get(Caller::Other, &fixture.path("/cdn/stories")).await.expect(404);
    fixture.get(Caller::Token(&fixture.preview), &fixture.path("/cdn/stories")).await.expect(401);
}
