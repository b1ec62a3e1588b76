//! Cases for each attribute of a schema, and what no content and no schema may do.

mod attributes;
mod bounds;
mod conditions;
mod nesting;
mod surroundings;

use super::{Begun, ComponentSource, GroupSource, Problem, Schemas, StoryKey, StoryTarget, Surroundings, begin, validate};
use serde_json::{Value, json};
use uuid::Uuid;

const POST: &str = "00000000-0000-4000-8000-00000000000a";
const POST_NUMBER: i64 = 10;
const FOLDER: &str = "00000000-0000-4000-8000-00000000000b";
const GONE: &str = "00000000-0000-4000-8000-00000000000c";
const OUTER: Uuid = Uuid::from_u128(1);
const INNER: Uuid = Uuid::from_u128(2);

fn component(name: &str, schema: Value) -> ComponentSource {
    let Value::Object(schema) = schema else { panic!("a schema is an object") };
    ComponentSource { name: name.to_owned(), schema, group: None, tags: Vec::new() }
}

/// `page` with this schema; `teaser`, tagged 7, in a group within another one; `quote`, of neither.
fn schemas(schema: Value) -> Schemas {
    let teaser = ComponentSource {
        group: Some(INNER),
        tags: vec![7],
        ..component(
            "teaser",
            json!({ "label": { "type": "text", "required": true }, "body": { "type": "bloks" }, "text": { "type": "richtext" } }),
        )
    };
    let groups = [GroupSource { uuid: OUTER, parent: None }, GroupSource { uuid: INNER, parent: Some(OUTER) }];
    Schemas::new(vec![component("page", schema), teaser, component("quote", json!({}))], &groups)
}

/// A story of the type `post` in `blog`, a folder, the datasource `colors`, and German.
fn surroundings() -> Surroundings {
    let story = |key, content_type: Option<&str>, full_slug: &str| {
        (key, StoryTarget { content_type: content_type.map(str::to_owned), full_slug: full_slug.to_owned() })
    };
    let by_uuid = |uuid: &str| StoryKey::Uuid(uuid.parse().unwrap());
    let posts = [by_uuid(POST), StoryKey::Number(POST_NUMBER)].map(|key| story(key, Some("post"), "blog/first"));
    Surroundings {
        entries: [("colors".to_owned(), ["red".to_owned()].into())].into(),
        stories: posts.into_iter().chain([story(by_uuid(FOLDER), None, "blog")]).collect(),
        languages: ["de".to_owned()].into(),
    }
}

/// The problems of a content of `page`.
fn found(schema: Value, mut content: Value) -> Vec<Problem> {
    content["component"] = "page".into();
    content["_uid"] = "root".into();
    let schemas = schemas(schema);
    if let Begun::Complete(problems) = begin(&content, &schemas) {
        assert_eq!(
            problems.into_vec(),
            validate(&content, &schemas, &Surroundings::default()).into_vec(),
            "nothing was to be read"
        );
    }
    validate(&content, &schemas, &surroundings()).into_vec()
}

/// The same as `field code`, warnings with `?` behind.
fn lines(schema: Value, content: Value) -> Vec<String> {
    let line = |problem: Problem| {
        let mark = if problem.severity == crate::shared::Severity::Warning { "?" } else { "" };
        format!("{} {}{mark}", problem.field, problem.code)
    };
    found(schema, content).into_iter().map(line).collect()
}

/// The codes of a value of the field `f` with this schema.
fn codes(schema: &Value, value: &Value) -> String {
    let found = lines(json!({ "f": schema }), json!({ "f": value }));
    let codes: Vec<&str> = found.iter().map(|line| line.strip_prefix("f ").unwrap_or(line)).collect();
    codes.join(" ")
}

#[test]
fn a_problem_has_its_place_and_its_words() {
    let schema = json!({ "title": { "type": "text", "max_length": "3" }, "body": { "type": "bloks" } });
    let content = json!({ "title": "long", "title__i18n__de": "länger", "body": [{ "component": "teaser", "_uid": "t" }] });
    let shown = serde_json::to_value(found(schema, content)).unwrap();
    let too_long = "is too long (maximum is 3 characters)";
    assert_eq!(
        shown,
        json!([
            { "field": "title", "uid": "root", "code": "tooLong", "message": too_long, "severity": "error" },
            { "field": "title__i18n__de", "uid": "root", "code": "tooLong", "message": too_long, "severity": "error" },
            { "field": "body/0/label", "uid": "t", "code": "blank", "message": "can't be blank", "severity": "error" },
        ])
    );
}
