//! Bounds: how many problems, how deep, and no panic on anything.

use super::{component, schemas, surroundings};
use crate::{
    content::validation::{ComponentSource, MAX_PROBLEMS, Schemas, begin, validate},
    shared::{Code, Severity},
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

#[test]
fn errors_come_before_warnings_when_there_are_too_many() {
    let schemas = schemas(json!({ "body": { "type": "bloks" } }));
    let strays: Vec<Value> = (0..2_000).map(|_| json!({ "component": "quote", "stray": 1 })).collect();
    let mut body = strays;
    body.extend((0..600).map(|_| json!({ "component": "teaser" })));
    let content = json!({ "component": "page", "body": body });
    let problems = validate(&content, &schemas, &surroundings());
    assert!(problems.has_errors());
    let all = problems.clone().into_vec();
    let errors = all.iter().filter(|problem| problem.severity == Severity::Error).count();
    assert_eq!((all.len(), errors), (MAX_PROBLEMS, 600));
    assert_eq!(
        (all[0].field.as_str(), all[999].field.as_str()),
        ("body/0/stray", "body/2599/label"),
        "in the order of the content"
    );
    let refusal = problems.refusal();
    assert_eq!(
        (refusal.code, refusal.details.len(), refusal.details[0].field.as_str()),
        (Code::InvalidRecord, 1_000, "body/2000/label")
    );
    assert!(refusal.message.starts_with("The story is not valid and was not published: 600 fields have to be corrected"));
}

#[test]
fn what_is_too_deep_is_not_walked() {
    let schemas = schemas(json!({ "body": { "type": "bloks" }, "text": { "type": "richtext" } }));
    let mut block = json!({ "component": "page" });
    let mut node = json!({ "type": "text", "text": "x" });
    for _ in 0..300 {
        block = json!({ "component": "page", "body": [block] });
        node = json!({ "type": "paragraph", "content": [node] });
    }
    let content = json!({ "component": "page", "body": [block], "text": { "type": "doc", "content": [node] } });
    let codes: Vec<_> =
        validate(&content, &schemas, &surroundings()).into_vec().iter().map(|problem| problem.code.name()).collect();
    assert_eq!(codes, ["tooDeep"], "the rich text has nothing that is looked for: it counts as empty");
}

/// JSON with the words that schemas and contents have.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "component",
        "page",
        "f",
        "g",
        "type",
        "text",
        "bloks",
        "richtext",
        "doc",
        "content",
        "blok",
        "attrs",
        "body",
        "option",
        "options",
        "source",
        "internal_stories",
        "internal",
        "datasource_slug",
        "number",
        "min_value",
        "regex",
        "(",
        "a*",
        "multilink",
        "linktype",
        "story",
        "id",
        "asset",
        "multiasset",
        "filetypes",
        "images",
        "filename",
        "x.pdf",
        "conditional_settings",
        "modifications",
        "display",
        "hide",
        "rule_match",
        "any",
        "rule_conditions",
        "validation",
        "equals",
        "validated_object",
        "field_key",
        "value",
        "required",
        "true",
        "restrict_components",
        "restrict_type",
        "groups",
        "tags",
        "component_tag_whitelist",
        "max_length",
        "steps",
        "0",
        "1e400",
        "-1",
        "f__i18n__de",
        "marks",
        "link",
        "uuid",
        "00000000-0000-4000-8000-00000000000a",
        "_uid",
        "datetime",
        "boolean",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 80, 6, move |inner| {
        let member = (word.clone(), inner.clone()).prop_map(|(name, value)| (name.to_owned(), value));
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            prop::collection::vec(member, 0..8).prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A content whose blocks are of the component `page`, with any values in its fields.
fn any_block() -> impl Strategy<Value = Value> {
    (any_json(), any_json())
        .prop_map(|(f, g)| json!({ "component": "page", "f": f, "f__i18n__de": g, "g": [{ "component": "page", "f": g }] }))
}

proptest! {
    #[test]
    fn nothing_panics(schema in any_json(), field in any_json(), other in any_json(), content in any_block(), loose in any_json()) {
        let Value::Object(whole) = json!({ "f": field, "g": other, "h": schema }) else { unreachable!() };
        let page = ComponentSource { name: "page".to_owned(), schema: whole, group: Some(Uuid::nil()), tags: vec![1] };
        let schemas = Schemas::new(vec![page, component("text", json!({}))], &[]);
        for content in [content, loose] {
            let _ = begin(&content, &schemas);
            prop_assert!(validate(&content, &schemas, &surroundings()).into_vec().len() <= MAX_PROBLEMS);
        }
    }

    /// With a type from the list, so that values meet the rules.
    #[test]
    fn no_value_of_any_type_panics(kind in prop::sample::select(crate::content::schema::FIELD_TYPES.to_vec()), rules in any_json(), content in any_block()) {
        let mut field = rules.as_object().cloned().unwrap_or_default();
        field.insert("type".to_owned(), kind.into());
        let Value::Object(whole) = json!({ "f": field.clone(), "g": { "type": "bloks" } }) else { unreachable!() };
        let page = ComponentSource { name: "page".to_owned(), schema: whole, group: None, tags: Vec::new() };
        let schemas = Schemas::new(vec![page], &[]);
        prop_assert!(validate(&content, &schemas, &surroundings()).into_vec().len() <= MAX_PROBLEMS);
    }
}
