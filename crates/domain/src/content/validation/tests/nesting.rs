//! Paths, and what is unknown.

use super::{INNER, OUTER, codes, component, found, lines};
use crate::content::validation::{ComponentSource, GroupSource, Schemas, Surroundings, validate};
use serde_json::{Value, json};

#[test]
fn paths_go_through_lists_and_rich_text() {
    let schema = json!({ "body": { "type": "bloks" }, "text": { "type": "richtext", "restrict_components": true, "component_whitelist": ["teaser"] } });
    let node = |blocks: Value| json!({ "type": "blok", "attrs": { "id": "x", "body": blocks } });
    let teaser = |more: Value| {
        let mut block = json!({ "component": "teaser" });
        block.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        block
    };
    let inner = json!({ "type": "doc", "content": [node(json!([teaser(json!({}))]))] });
    let content = json!({
        "body": [teaser(json!({ "label": "x", "body": [{ "component": "quote" }, teaser(json!({ "body": [] }))] }))],
        "text": { "type": "doc", "content": [
            node(json!([teaser(json!({ "label": "x" })), { "component": "quote" }])),
            { "type": "bullet_list", "content": [{ "type": "list_item", "content": [node(json!([teaser(json!({ "label": "x", "text": inner }))]))] }] },
        ] },
        "text__i18n__de": { "type": "doc", "content": [node(json!([teaser(json!({ "_uid": "t" }))]))] },
    });
    assert_eq!(
        lines(schema, content),
        [
            "body/0/body/1/label blank",
            "text/0/1 componentNotAllowed",
            "text/1/0/text/0/0/label blank",
            "text__i18n__de/0/0/label blank"
        ]
    );
}

#[test]
fn what_is_unknown_is_a_warning() {
    let schema = json!({ "body": { "type": "bloks" }, "odd": { "type": "hologram" }, "number": 5, "layout": { "type": "tab", "keys": ["body"] } });
    let content = json!({
        "stray": 1, "stray__i18n__de": 2, "odd": { "any": "thing" }, "number": [1], "_editable": "<!---->",
        "body": [{ "component": "nobody", "_uid": "n", "body": [{ "component": "teaser" }] }],
    });
    assert_eq!(
        lines(schema.clone(), content.clone()),
        ["stray unknownField?", "stray__i18n__de unknownField?", "body/0 unknownComponent?"]
    );
    let problems = found(schema, content);
    assert_eq!(problems[2].uid.as_deref(), Some("n"));
    assert_eq!(problems[2].message, "has the unknown component nobody");
}

#[test]
fn groups_that_are_in_each_other_have_an_end() {
    let groups = [GroupSource { uuid: OUTER, parent: Some(INNER) }, GroupSource { uuid: INNER, parent: Some(OUTER) }];
    let page = component(
        "page",
        json!({ "f": { "type": "bloks", "restrict_components": true, "restrict_type": "groups", "component_group_whitelist": [OUTER] } }),
    );
    let schemas = Schemas::new(vec![page, ComponentSource { group: Some(INNER), ..component("teaser", json!({})) }], &groups);
    let content = json!({ "component": "page", "f": [{ "component": "teaser" }] });
    assert_eq!(validate(&content, &schemas, &Surroundings::default()).into_vec(), []);
}

#[test]
fn values_in_sentences_are_short() {
    let value = "ä".repeat(10_000);
    let problems = found(json!({ "f": { "type": "option", "options": [{ "value": "a" }] } }), json!({ "f": value }));
    assert_eq!(problems[0].message, format!("has the value \"{}\", which is not among its options", "ä".repeat(100)));
}

#[test]
fn a_schema_is_warned_about_once() {
    let schema = json!({ "f": { "type": "text", "regex": "(" }, "body": { "type": "bloks" } });
    let page = json!({ "component": "page", "f": "x" });
    assert_eq!(lines(schema, json!({ "f": "x", "body": [page.clone(), page] })), ["f badPattern?"]);
    assert_eq!(codes(&json!({ "type": "text", "regex": "x{20001}" }), &json!("x")), "badPattern?");
}
