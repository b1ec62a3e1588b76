//! Publishing and unpublishing some languages of a story.

use super::{id, page};
use support::prelude::*;

/// A space in German and Portuguese.
async fn speaking() -> SpaceFixture {
    let fixture = SpaceFixture::new().await;
    let languages = json!([{ "code": "de", "name": "German" }, { "code": "pt-br", "name": "Portuguese" }]);
    fixture.admin().put("", json!({ "space": { "languages": languages } })).await.expect(200);
    fixture
}

fn content(at: &str) -> Value {
    json!({
        "_uid": "root", "component": "page", "t": at, "t__i18n__de": format!("{at} de"), "t__i18n__pt_br": format!("{at} pt"),
        "body": [{ "_uid": "block", "component": "teaser", "u": at, "u__i18n__de": format!("{at} de") }],
    })
}

/// What the public reads of the story `s` in three languages; `-` where it is not published.
async fn public(fixture: &SpaceFixture) -> String {
    let mut read = Vec::new();
    for language in ["default", "de", "pt-br"] {
        let path = format!("/api/v2/cdn/stories/s?language={language}&token={}", fixture.public);
        let reply = fixture.get(Caller::Anonymous, &path).await;
        read.push(match reply.status {
            404 => "-".to_owned(),
            _ => reply.expect(200)["story"]["content"]["t"].as_str().unwrap().to_owned(),
        });
    }
    read.join(", ")
}

#[tokio::test]
async fn languages_are_published_and_unpublished_on_their_own() {
    let fixture = speaking().await;
    let story = id(&fixture.published(page("S", "s", json!({ "content": content("A") }))).await);
    let read = fixture.read(story).await;
    assert_eq!(read["published_translations"], json!(["de", "pt-br"]));
    assert_eq!(read["translated_stories"][0]["published_at"], read["published_at"]);
    fixture.update(story, json!({ "content": content("B") })).await;
    assert_eq!(public(&fixture).await, "A, A de, A pt");

    let published = fixture.act("GET", story, "publish?lang=de").await;
    assert_eq!(public(&fixture).await, "A, B de, A pt");
    assert_eq!((&published["published"], &published["unpublished_changes"]), (&json!(true), &json!(true)));
    assert_eq!(published["published_at"], read["published_at"], "the default language was not published");
    let cdn = format!("/api/v2/cdn/stories/s?language=de&token={}", fixture.public);
    let block = fixture.get(Caller::Anonymous, &cdn).await.expect(200)["story"]["content"]["body"][0]["u"].clone();
    assert_eq!(block, "B de", "blocks below the root as well");
    assert_eq!(fixture.read(story).await["content"]["t"], "B", "the draft stays");
    let changed = |story: &Value| [0, 1].map(|at| story["translated_stories"][at]["unpublished_changes"].as_bool().unwrap());
    assert_eq!(
        (changed(&read), changed(&published)),
        ([false, false], [false, true]),
        "German is published, Portuguese has changed"
    );
    let listed = fixture.viewer().get("/stories?with_translated_stories=1").await.expect(200);
    assert_eq!(listed["stories"][0]["translated_stories"], published["translated_stories"]);
    assert_eq!(published, fixture.read(story).await);

    fixture.act("POST", story, "publish?lang=[default]").await;
    assert_eq!(public(&fixture).await, "B, B de, A pt");
    let all = fixture.act("PUT", story, "publish?lang=pt-br,[default]").await;
    assert_eq!(public(&fixture).await, "B, B de, B pt");
    assert_eq!(all["unpublished_changes"], false);

    let without = fixture.act("GET", story, "unpublish?lang=de").await;
    assert_eq!(public(&fixture).await, "B, B, B pt", "readers get the default");
    assert_eq!((&without["published"], &without["published_translations"]), (&json!(true), &json!(["pt-br"])));
    let german = &without["translated_stories"][0];
    assert_eq!(
        (&german["lang"], &german["published_at"], &german["unpublished_changes"]),
        (&json!("de"), &json!(null), &json!(true))
    );
    // By saving as well, in query and body.
    let change = |at: &str| json!({ "story": { "content": content(at) }, "publish": 1, "lang": "de" });
    let saved = fixture.write("PUT", &format!("/stories/{story}"), change("C"), 200).await;
    assert_eq!(public(&fixture).await, "B, C de, B pt");
    assert_eq!(saved["published_translations"], json!(["de", "pt-br"]));
    assert_eq!(saved, fixture.read(story).await);
    let path = format!("/stories/{story}?publish=true&lang=pt-br");
    fixture.write("PUT", &path, json!({ "story": { "content": content("D") } }), 200).await;
    assert_eq!(public(&fixture).await, "B, C de, D pt");
    // What is saved without being published is read by no visitor.
    fixture.write("PUT", &format!("/stories/{story}?lang=de"), json!({ "story": { "content": content("E") } }), 200).await;
    assert_eq!(public(&fixture).await, "B, C de, D pt");
    fixture.act("POST", story, "publish").await;
    assert_eq!(public(&fixture).await, "E, E de, E pt");
    assert_eq!(fixture.read(story).await["published_translations"], json!(["de", "pt-br"]));
    // All that are published, the default one among them, are the whole story.
    fixture.act("POST", story, "unpublish?lang=de,pt-br,[default]").await;
    assert_eq!(public(&fixture).await, "-, -, -");
    assert_eq!(fixture.read(story).await["published_translations"], json!([]));
}

#[tokio::test]
async fn a_new_story_is_published_in_some_languages() {
    let fixture = speaking().await;
    let body = json!({ "story": page("S", "s", json!({ "content": content("A") })), "publish": 1, "lang": "[default],de" });
    let story = fixture.write("POST", "/stories", body, 201).await;
    assert_eq!(public(&fixture).await, "A, A de, A");
    assert_eq!(story["published_translations"], json!(["de"]));
    assert_eq!(story, fixture.read(id(&story)).await);
    assert_eq!(fixture.events().await.len(), 1);
    // Filters on what is published find what was published, and not the draft.
    let find = format!("/api/v2/cdn/stories?filter_query[t__i18n__pt_br][in]=A%20pt&token={}", fixture.public);
    assert_eq!(fixture.get(Caller::Anonymous, &find).await.expect(200)["stories"], json!([]));
    let draft = fixture.cdn("stories?version=draft&filter_query[t__i18n__pt_br][in]=A%20pt").await.expect(200);
    assert_eq!(draft["stories"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn languages_that_cannot_be_published_are_refused_and_change_nothing() {
    let fixture = speaking().await;
    let story = id(&fixture.story(page("S", "s", json!({ "content": content("A") }))).await);
    let refused = async |action: &str, field: &str| {
        let before = (fixture.audit_count().await, fixture.read(story).await, fixture.cv().await);
        let fault = fixture.refused("POST", &format!("/stories/{story}/{action}"), json!({}), 422).await;
        assert_eq!(fault["details"][0]["field"], field, "{action}: {fault}");
        assert_eq!(before, (fixture.audit_count().await, fixture.read(story).await, fixture.cv().await), "{action}");
    };
    refused("publish?lang=de", "lang").await;
    refused("publish?lang=fr,[default]", "lang").await;
    refused("unpublish?lang=de", "base").await;
    refused("publish?release_id=5", "release_id").await;
    fixture.act("POST", story, "publish").await;
    refused("unpublish?lang=[default]", "lang").await;
    let unknown = fixture.refused("POST", &format!("/stories/{story}/discard_changes?lang=de"), json!({}), 422).await;
    assert_eq!(unknown["message"], "Parameter(s) lang not allowed");
    let new = json!({ "story": page("T", "t", json!({})), "publish": 1, "lang": "de" });
    fixture.refused("POST", "/stories", new, 422).await;
    assert_eq!(fixture.viewer().get("/stories?with_slug=t").await.expect(200)["stories"], json!([]));
}
