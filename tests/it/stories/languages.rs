//! Languages: translated fields, names and paths.

use super::{id, page};
use support::prelude::*;

async fn speaking(fixture: &SpaceFixture) {
    let languages = json!([{ "code": "de", "name": "German" }, { "code": "pt-br", "name": "Portuguese" }]);
    fixture.admin().put("", json!({ "space": { "languages": languages } })).await.expect(200);
}

fn translated(lang: &str, slug: &str, name: &str) -> Value {
    json!({ "translated_slugs_attributes": [{ "lang": lang, "slug": slug, "name": name }] })
}

#[tokio::test]
async fn one_value_per_field_is_delivered_and_the_management_api_shows_all() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    let content =
        json!({ "component": "page", "t": "en", "t__i18n__de": "de", "t__i18n__pt_br": "", "u": "en", "u__i18n__pt_br": "pt" });
    let story = fixture.published(page("S", "s", json!({ "content": content.clone() }))).await;
    assert_eq!(story["content"]["t__i18n__de"], "de");
    for (query, t, u, lang, path) in [
        ("", "en", "en", "default", "s"),
        ("?language=default", "en", "en", "default", "s"),
        ("?language=de", "de", "en", "de", "de/s"),
        ("?language=pt-br", "en", "pt", "pt-br", "pt-br/s"),
        ("?language=pt-br&fallback_lang=de", "de", "pt", "pt-br", "pt-br/s"),
        ("?language=xx", "en", "en", "default", "s"),
        ("?fallback_lang=de", "en", "en", "default", "s"),
        ("?language=default&fallback_lang=de", "en", "en", "default", "s"),
        ("?language=xx&fallback_lang=de", "en", "en", "default", "s"),
    ] {
        let story = fixture.cdn(&format!("stories/s{query}")).await.expect(200)["story"].clone();
        assert_eq!(story["content"]["t"], t, "{query}");
        assert_eq!(story["content"]["u"], u, "{query}");
        assert_eq!((&story["lang"], &story["full_slug"]), (&json!(lang), &json!(path)), "{query}");
        assert!(!story["content"].to_string().contains("__i18n__"), "{query}");
    }
}

#[tokio::test]
async fn translated_paths_follow_the_folders_above() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    let mut folder = json!({ "name": "Article", "slug": "article", "is_folder": true });
    folder.as_object_mut().unwrap().extend(translated("de", "artikel", "Artikel").as_object().unwrap().clone());
    let folder = id(&fixture.story(folder).await);
    let mut more = translated("de", "erster", "Erster");
    more["parent_id"] = folder.into();
    let story = fixture.published(page("First", "first", more)).await;
    assert_eq!(story["translated_slugs"][0]["slug"], "erster");
    assert_eq!(story["localized_paths"][0]["path"], "artikel/erster");

    let german = fixture.cdn("stories/article/first?language=de").await.expect(200)["story"].clone();
    assert_eq!((&german["name"], &german["full_slug"]), (&json!("Erster"), &json!("de/artikel/erster")));
    assert_eq!((&german["slug"], &german["default_full_slug"]), (&json!("erster"), &json!("article/first")));
    assert_eq!(
        german["translated_slugs"],
        json!([{ "path": "artikel/erster", "name": "Erster", "lang": "de", "published": true }])
    );
    assert_eq!(fixture.cdn("stories/article/first").await.expect(200)["story"]["name"], "First");

    let second = fixture.published(page("Second", "second", json!({ "parent_id": folder }))).await;
    assert_eq!(second["translated_slugs"], json!([]), "only its folder has one");
    let german = fixture.cdn("stories/article/second?language=de").await.expect(200)["story"].clone();
    assert_eq!((&german["name"], &german["full_slug"]), (&json!("Second"), &json!("de/artikel/second")));

    for path in ["article/first", "artikel/erster", "de/artikel/erster", "de/article/first"] {
        let found = fixture.cdn(&format!("stories/{path}?language=de")).await.expect(200);
        assert_eq!(found["story"]["id"], story["id"], "{path}");
    }
    assert_eq!(fixture.cdn("stories/artikel/erster").await.status, 404, "a path of another language");
    assert_eq!(fixture.cdn("stories/artikel/erster?language=pt-br").await.status, 404);

    let seen = fixture.cv().await;
    fixture.update(folder, translated("de", "beitraege", "Beiträge")).await;
    assert!(fixture.cv().await > seen);
    assert_eq!(fixture.read(id(&story)).await["localized_paths"][0]["path"], "beitraege/erster");
    fixture.update(folder, json!({ "translated_slugs_attributes": [{ "lang": "de", "_destroy": true }] })).await;
    assert_eq!(fixture.read(id(&story)).await["localized_paths"][0]["path"], "article/erster");
    let links = fixture.cdn("links").await.expect(200);
    assert_eq!(links["links"][story["uuid"].as_str().unwrap()]["alternates"][0]["path"], "article/erster");

    let wrong = json!({ "story": translated("de", "a/b", "X") });
    fixture.refused("PUT", &format!("/stories/{folder}"), wrong, 422).await;
}

#[tokio::test]
async fn a_translation_is_changed_in_part_by_its_language_or_its_number() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    let story = fixture.story(page("S", "s", translated("de", "erster", " Erster "))).await;
    let own = |story: &Value| story["translated_slugs"][0].clone();
    assert_eq!(own(&story)["name"], " Erster ", "as it was written, like the name itself");
    let change = async |entry: Value| own(&fixture.update(id(&story), json!({ "translated_slugs_attributes": [entry] })).await);
    let renamed = change(json!({ "lang": "de", "name": "Neu" })).await;
    assert_eq!((&renamed["slug"], &renamed["name"]), (&json!("erster"), &json!("Neu")));
    let number = renamed["id"].clone();
    let moved = change(json!({ "id": number, "slug": "neu" })).await;
    assert_eq!((&moved["slug"], &moved["name"], &moved["lang"]), (&json!("neu"), &json!("Neu"), &json!("de")));
    let cleared = change(json!({ "id": number, "slug": null })).await;
    assert_eq!((&cleared["slug"], &cleared["name"]), (&json!(null), &json!("Neu")));
    assert_eq!(change(json!({ "id": number, "_destroy": 1 })).await, json!(null));
}

#[tokio::test]
async fn a_copy_has_the_names_in_other_languages_and_no_slugs_in_them() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    let story = id(&fixture.story(page("S", "s", translated("de", "erster", "Erster"))).await);
    let copy = fixture.write("PUT", &format!("/stories/{story}/duplicate"), json!({ "story": { "slug": "copy" } }), 200).await;
    let own = &copy["translated_slugs"][0];
    assert_eq!((&own["lang"], &own["name"], &own["slug"]), (&json!("de"), &json!("Erster"), &json!(null)));
    assert_eq!(copy["localized_paths"][0]["path"], "copy");
}

#[tokio::test]
async fn a_story_that_is_not_published_hides_no_other_at_its_path_in_a_language() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    // At `b` in German stand a draft by its translation and a published story as it is; at `c` the other way
    // round. Only an import writes such paths.
    let draft_b = id(&fixture.story(page("Draft", "draft", translated("de", "entwurf", "Entwurf"))).await);
    let plain_b = id(&fixture.published(page("B", "b", json!({}))).await);
    let plain_c = id(&fixture.story(page("C", "c", json!({}))).await);
    let public_c = id(&fixture.published(page("Public", "public", translated("de", "da", "Da"))).await);
    let session = fixture.connection().await;
    for (story, path) in [(draft_b, "b"), (public_c, "c")] {
        let changed = session
            .execute("update translated_slugs set slug = $2, path = $2 where story_id = $1", &[&story, &path])
            .await
            .unwrap();
        assert_eq!(changed, 1);
    }
    let found = async |path: &str, token: &str| {
        let reply = fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/stories/{path}&token={token}")).await;
        reply.expect(200)["story"]["id"].as_i64()
    };
    for path in ["b?language=de", "de/b?language=de"] {
        assert_eq!(found(path, &fixture.public).await, Some(plain_b), "{path}");
    }
    for path in ["c?language=de", "de/c?language=de"] {
        assert_eq!(found(path, &fixture.public).await, Some(public_c), "{path}");
    }
    // Who reads drafts sees all four: a path as it is written goes before a translation.
    for (path, wanted) in [("b", plain_b), ("c", plain_c), ("draft", draft_b), ("public", public_c)] {
        assert_eq!(found(&format!("{path}?language=de&version=draft"), &fixture.preview).await, Some(wanted), "{path}");
    }
}

#[tokio::test]
async fn a_path_that_another_story_has_in_a_language_is_refused() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    let blog = fixture.folder("Blog", "blog", 0).await;
    fixture.update(blog, json!({ "translated_slugs_attributes": [{ "lang": "de", "slug": "tagebuch" }] })).await;
    let in_blog = |slug: &str, more: Value| {
        let mut story = page(slug, slug, more);
        story["parent_id"] = json!(blog);
        story
    };
    let first = fixture.story(in_blog("first", translated("de", "erster", "Erster"))).await;
    let second = id(&fixture.story(in_blog("second", json!({}))).await);
    let refused = async |method: &str, below: String, story: Value| {
        let before = fixture.audit_count().await;
        let fault = fixture.refused(method, &below, json!({ "story": story }), 422).await;
        assert_eq!((&fault["details"][0]["field"], &fault["details"][0]["code"]), (&json!("slug"), &json!("taken")), "{fault}");
        assert!(fault["fields"]["slug"][0].as_str().unwrap().contains("has already been taken in de"), "{fault}");
        // A form with all languages marks the one that it is about.
        assert_eq!(fault["details"][1]["field"], "translated_slugs_attributes.de.slug", "{fault}");
        assert_eq!(fixture.audit_count().await, before, "nothing has changed");
    };
    // By its own slug in the language, by the slug that stands for one, and by a move of a folder above.
    refused("POST", "/stories".into(), in_blog("third", translated("de", "erster", "x"))).await;
    refused("POST", "/stories".into(), in_blog("erster", json!({}))).await;
    refused("PUT", format!("/stories/{second}"), translated("de", "erster", "x")).await;
    refused("PUT", format!("/stories/{second}"), json!({ "slug": "erster" })).await;
    let news = fixture.folder("News", "news", 0).await;
    fixture
        .story(page("N", "n", json!({ "parent_id": news, "translated_slugs_attributes": [{ "lang": "de", "slug": "erster" }] })))
        .await;
    refused("PUT", format!("/stories/{news}"), translated("de", "tagebuch", "x")).await;
    // Another language, or another folder, is another path.
    fixture.update(second, translated("pt-br", "erster", "x")).await;
    fixture.story(page("R", "r", translated("de", "erster", "x"))).await;
    // A deleted story leaves its path, and does not come back while it is taken.
    fixture.write("DELETE", &format!("/stories/{}", id(&first)), json!({}), 200).await;
    fixture.update(second, translated("de", "erster", "x")).await;
    refused("POST", format!("/stories/{}/undelete", id(&first)), json!({})).await;
}

/// In a language in which a story has no translated path, it is at its default one.
#[tokio::test]
async fn a_default_path_counts_in_every_language_without_a_translated_one() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    let about = id(&fixture.story(page("About", "about", json!({}))).await);
    let contact = id(&fixture.story(page("Contact", "contact", translated("de", "kontakt", "Kontakt"))).await);
    let news = fixture.folder("News", "news", 0).await;
    let in_news = |slug: &str| page(slug, slug, json!({ "parent_id": news }));
    let first = id(&fixture.story(in_news("first")).await);
    let refused = async |method: &str, below: String, body: Value| {
        let before = fixture.audit_count().await;
        let fault = fixture.refused(method, &below, body, 422).await;
        assert_eq!((&fault["details"][0]["field"], &fault["details"][0]["code"]), (&json!("slug"), &json!("taken")), "{fault}");
        assert!(fault["fields"]["slug"][0].as_str().unwrap().contains("has already been taken in de"), "{fault}");
        assert_eq!(fixture.audit_count().await, before, "nothing has changed");
    };
    let story = |story: Value| json!({ "story": story });
    // A translated path that is another story's default one: of a story, and of one below a folder.
    refused("POST", "/stories".into(), story(page("Other", "other", translated("de", "about", "x")))).await;
    refused("PUT", format!("/stories/{contact}"), story(translated("de", "about", "x"))).await;
    fixture.folder("Old", "old", 0).await;
    let neues = id(&fixture.story(page("N", "neues", json!({}))).await);
    refused("PUT", format!("/stories/{news}"), story(translated("de", "neues", "x"))).await;
    // A default path that is another story's translated one: of a new story, by a new slug, by a move, and by
    // the end of a translation.
    refused("POST", "/stories".into(), story(page("K", "kontakt", json!({})))).await;
    refused("PUT", format!("/stories/{about}"), story(json!({ "slug": "kontakt" }))).await;
    let below = id(&fixture.story(page("K", "kontakt", json!({ "parent_id": news }))).await);
    refused("PUT", format!("/stories/{below}"), story(json!({ "parent_id": 0 }))).await;
    let other = json!({ "translated_slugs_attributes": [{ "lang": "de", "slug": "anderes" }] });
    let freed = id(&fixture.story(page("Freed", "freed", other)).await);
    fixture.story(page("Free", "free", translated("de", "freed", "x"))).await;
    let end = json!({ "translated_slugs_attributes": [{ "lang": "de", "_destroy": true }] });
    refused("PUT", format!("/stories/{freed}"), story(end)).await;
    // Where both have a path of their own in the language, neither is at its default one.
    fixture.update(about, translated("de", "ueber", "x")).await;
    fixture.update(contact, translated("de", "about", "x")).await;
    // A deleted story leaves its path, and does not come back while it is taken.
    fixture.write("DELETE", &format!("/stories/{neues}"), json!({}), 200).await;
    fixture.update(news, translated("de", "neues", "x")).await;
    refused("POST", format!("/stories/{neues}/undelete"), json!({})).await;
    fixture.update(first, translated("pt-br", "about", "x")).await;
}

#[tokio::test]
async fn of_two_stories_that_ask_for_one_path_in_a_language_at_once_one_gets_it() {
    let fixture = SpaceFixture::new().await;
    speaking(&fixture).await;
    let create = |number: usize| {
        let story = page("S", &format!("s{number}"), translated("de", "gleich", "x"));
        let fixture = &fixture;
        async move { fixture.editor().post("/stories", json!({ "story": story })).await.status }
    };
    let mut statuses = futures_util::future::join_all((0..8).map(create)).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422, 422, 422, 422, 422]);
}
