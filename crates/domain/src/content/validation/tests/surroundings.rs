//! Options, links and references: what has to be read for them.

use super::{FOLDER, GONE, POST, POST_NUMBER, codes, component, schemas};
use crate::content::validation::{Begun, Needs, Schemas, StoryKey, begin};
use serde_json::{Value, json};

fn check(rows: &[(Value, Value, &str)]) {
    for (schema, value, expected) in rows {
        assert_eq!(codes(schema, value), *expected, "{schema} {value}");
    }
}

#[test]
fn options_are_of_the_schema_a_datasource_or_the_languages() {
    let own = json!({ "type": "option", "options": [{ "name": "One", "value": "1" }, { "name": "Two", "value": 2 }] });
    let datasource = json!({ "type": "option", "source": "internal", "datasource_slug": "colors" });
    let languages = json!({ "type": "options", "source": "internal_languages" });
    let many =
        json!({ "type": "options", "min_options": "2", "max_options": "3", "options": [{ "value": "a" }, { "value": "b" }] });
    check(&[
        (own.clone(), json!("1"), ""),
        (own.clone(), json!("2"), ""),
        (own.clone(), json!(1), ""),
        (own.clone(), json!("3"), "unknownOption?"),
        (own.clone(), json!(["1"]), "wrongType?"),
        (json!({ "type": "option", "source": "self", "options": [{ "value": "a" }] }), json!("b"), "unknownOption?"),
        (datasource.clone(), json!("red"), ""),
        (datasource, json!("green"), "unknownOption?"),
        (json!({ "type": "option", "source": "internal", "datasource_slug": "none" }), json!("red"), "unknownOption?"),
        (json!({ "type": "option", "options": [] }), json!("x"), ""),
        (json!({ "type": "option", "source": "external", "external_datasource": "https://a.example" }), json!("x"), ""),
        (languages.clone(), json!(["de", "default"]), ""),
        (languages, json!(["fr"]), "unknownOption?"),
        (many.clone(), json!(["a", "b"]), ""),
        (many.clone(), json!(["a"]), "tooFew"),
        (many.clone(), json!(["a", "b", "a", "b"]), "tooMany"),
        (many.clone(), json!(["a", "c"]), "unknownOption?"),
        (many.clone(), json!("a"), "tooFew"),
        (many.clone(), json!([]), ""),
        (many, json!(["a", { "b": 1 }, "b"]), "wrongType?"),
        (json!({ "type": "options", "min_options": "", "max_options": "0" }), json!([]), ""),
    ]);
}

#[test]
fn references_lead_to_stories_of_the_right_type() {
    let of = |more: Value| {
        let mut schema = json!({ "type": "options", "source": "internal_stories" });
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        schema
    };
    check(&[
        (of(json!({})), json!([POST]), ""),
        (of(json!({})), json!([GONE]), "unknownStory?"),
        (of(json!({})), json!(["blog/first"]), "unknownStory?"),
        (of(json!({})), json!(["1234"]), "unknownStory?"),
        (of(json!({})), json!([POST_NUMBER.to_string()]), ""),
        (of(json!({ "filter_content_type": ["author"] })), json!([POST_NUMBER]), "storyTypeNotAllowed"),
        (of(json!({ "filter_content_type": ["post", "page"] })), json!([POST]), ""),
        (of(json!({ "filter_content_type": "post" })), json!([POST]), ""),
        (of(json!({ "filter_content_type": [] })), json!([POST]), ""),
        (of(json!({ "filter_content_type": ["author"] })), json!([POST]), "storyTypeNotAllowed"),
        (of(json!({ "filter_content_type": ["author"] })), json!([FOLDER]), "storyTypeNotAllowed"),
        (of(json!({ "folder_slug": "/blog/" })), json!([POST]), ""),
        (of(json!({ "folder_slug": "authors/" })), json!([POST]), "outsideFolder?"),
        (of(json!({ "folder_slug": "{0}/authors/" })), json!([POST]), ""),
        (
            json!({ "type": "option", "source": "internal_stories", "use_uuid": true, "filter_content_type": ["author"] }),
            json!(POST),
            "storyTypeNotAllowed",
        ),
    ]);
}

#[test]
fn links_lead_to_stories_that_are_there() {
    let link = |id: &str| json!({ "fieldtype": "multilink", "linktype": "story", "id": id, "cached_url": "x" });
    let typed = json!({ "type": "multilink", "restrict_content_types": true, "component_whitelist": ["author"] });
    let document = |kind: &str, id: &str| {
        let marks = json!([{ "type": "bold" }, { "type": "link", "attrs": { "linktype": kind, "uuid": id } }]);
        json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [{ "type": "text", "text": "x", "marks": marks }] }] })
    };
    check(&[
        (json!({ "type": "multilink" }), link(POST), ""),
        (json!({ "type": "multilink" }), link(GONE), "unknownStory?"),
        (json!({ "type": "multilink" }), json!({ "linktype": "url", "id": GONE, "url": "https://a.example" }), ""),
        (json!({ "type": "multilink" }), json!("/about"), ""),
        (json!({ "type": "multilink" }), json!([]), ""),
        (json!({ "type": "multilink" }), json!(5), "wrongType?"),
        (typed.clone(), link(POST), "storyTypeNotAllowed"),
        (json!({ "type": "multilink", "component_whitelist": ["author"] }), link(POST), ""),
        (json!({ "type": "multilink", "restrict_content_types": true, "component_whitelist": [] }), link(POST), ""),
        (json!({ "type": "multilink", "force_link_scope": true, "link_scope": "shop" }), link(POST), "outsideFolder?"),
        (json!({ "type": "multilink", "link_scope": "shop" }), link(POST), ""),
        (
            json!({ "type": "multilink", "email_link_type": false }),
            json!({ "linktype": "email", "email": "a@b.example" }),
            "linkTypeNotAllowed?",
        ),
        (
            json!({ "type": "multilink", "asset_link_type": false }),
            json!({ "linktype": "asset", "url": "/a.pdf" }),
            "linkTypeNotAllowed?",
        ),
        (json!({ "type": "multilink", "email_link_type": true }), json!({ "linktype": "email", "email": "a@b.example" }), ""),
        (json!({ "type": "multilink" }), json!({ "linktype": "asset", "url": "/a.pdf" }), ""),
        (json!({ "type": "richtext" }), document("story", POST), ""),
        (json!({ "type": "richtext" }), document("story", GONE), "unknownStory?"),
        (json!({ "type": "richtext" }), document("story", ""), ""),
        (json!({ "type": "richtext" }), document("url", GONE), ""),
    ]);
}

#[test]
fn groups_are_read_when_a_field_restricts_by_them() {
    let list = |kind: &str| component("page", json!({ "f": { "type": "bloks", "restrict_type": kind }, "g": { "type": "text" } }));
    assert!(Schemas::restrict_by_groups(&[list("tags"), list("groups")]));
    assert!(!Schemas::restrict_by_groups(&[list("tags"), list("")]));
}

#[test]
fn only_what_is_named_has_to_be_read() {
    let schemas = schemas(json!({
        "color": { "type": "option", "source": "internal", "datasource_slug": "colors" },
        "author": { "type": "option", "source": "internal_stories" },
        "link": { "type": "multilink" }, "text": { "type": "richtext" },
        "language": { "type": "option", "source": "internal_languages" },
    }));
    let needs = |content: Value| match begin(&content, &schemas) {
        Begun::Needs(needs) => needs,
        Begun::Complete(_) => Needs::default(),
    };
    assert_eq!(
        needs(json!({ "component": "page", "color": "", "author": "", "link": { "linktype": "story", "id": "" } })),
        Needs::default()
    );
    let all = needs(
        json!({ "component": "page", "color": "red", "color__i18n__de": "rot", "author": POST, "link": { "linktype": "story", "id": GONE }, "language": "de" }),
    );
    let expected = Needs {
        entries: [("colors".to_owned(), ["red".to_owned(), "rot".to_owned()].into())].into(),
        stories: [POST, GONE].map(|uuid| StoryKey::Uuid(uuid.parse().unwrap())).into(),
        languages: true,
    };
    assert_eq!(all, expected);
}
