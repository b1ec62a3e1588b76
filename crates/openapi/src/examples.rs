//! Examples of bodies. A schema says with `example` what a member looks like; from that, every body without
//! an example of its own gets one here, so that none is written down twice and none is missing.

use crate::METHODS;
use serde_json::{Map, Value, json};

/// How deep an example goes: schemas such as that of actors hold themselves.
const MAX_DEPTH: usize = 12;

/// Adds an example to every body that has none.
pub(crate) fn add(document: &mut Value) {
    let schemas = document.pointer("/components/schemas").cloned().unwrap_or_default();
    if let Some(shared) = document.pointer_mut("/components/responses").and_then(Value::as_object_mut) {
        shared.values_mut().for_each(|response| complete(response, &schemas));
    }
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for item in paths.values_mut() {
        for method in METHODS {
            let Some(operation) = item.get_mut(method) else { continue };
            if let Some(body) = operation.get_mut("requestBody") {
                complete(body, &schemas);
            }
            let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
            responses.into_iter().flat_map(Map::values_mut).for_each(|response| complete(response, &schemas));
        }
    }
}

/// Adds examples to the media types of a request body or a response.
fn complete(body: &mut Value, schemas: &Value) {
    let Some(content) = body.get_mut("content").and_then(Value::as_object_mut) else { return };
    for (media_type, described) in content.iter_mut().filter_map(|(name, value)| Some((name, value.as_object_mut()?))) {
        let is_structured = media_type.ends_with("json") || media_type == "application/x-www-form-urlencoded";
        if !is_structured || described.contains_key("example") || described.contains_key("examples") {
            continue;
        }
        if let Some(schema) = described.get("schema") {
            let example = compose(schema, schemas, MAX_DEPTH);
            described.insert("example".into(), example);
        }
    }
}

/// An example of a schema.
pub(crate) fn compose(schema: &Value, schemas: &Value, depth: usize) -> Value {
    let given = schema.get("example").or_else(|| schema.get("const")).or_else(|| schema.get("default"));
    if let Some(given) = given {
        return given.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().find(|value| !value.is_null()).cloned().unwrap_or_default();
    }
    if depth == 0 {
        return Value::Null;
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return schemas.get(name).map_or(Value::Null, |schema| compose(schema, schemas, depth - 1));
    }
    let parts = schema.get("allOf").and_then(Value::as_array);
    if schema.get("properties").is_some() || parts.is_some() {
        let mut whole = Map::new();
        for part in parts.into_iter().flatten() {
            if let Value::Object(members) = compose(part, schemas, depth - 1) {
                whole.extend(members);
            }
        }
        for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if let Some(member) = member_of(member, schemas, depth) {
                whole.insert(name.clone(), member);
            }
        }
        return whole.into();
    }
    for one_of in ["oneOf", "anyOf"] {
        if let Some(first) = schema.get(one_of).and_then(Value::as_array).and_then(|choices| choices.first()) {
            return compose(first, schemas, depth - 1);
        }
    }
    of_type(schema, schemas, depth)
}

/// The example of a member; `None` for a list of the schema's own kind that would go on without an end, and
/// for what only old clients send.
fn member_of(member: &Value, schemas: &Value, depth: usize) -> Option<Value> {
    let is_deprecated = member.get("deprecated").and_then(Value::as_bool).unwrap_or_default();
    (!is_deprecated && depth > 1).then(|| compose(member, schemas, depth - 1))
}

fn of_type(schema: &Value, schemas: &Value, depth: usize) -> Value {
    let of = schema.get("type");
    let first = of.and_then(Value::as_array).and_then(|types| types.iter().find(|name| *name != "null"));
    match first.or(of).and_then(Value::as_str) {
        Some("object") => match schema.get("additionalProperties") {
            Some(values @ Value::Object(_)) => json!({ "name": compose(values, schemas, depth - 1) }),
            _ => json!({}),
        },
        Some("array") => {
            // The items of a schema that holds itself would have no members left.
            let is_empty = depth <= 2 || schema.get("maxItems").and_then(Value::as_u64) == Some(0);
            match schema.get("items").filter(|items| !is_empty && items.as_object().is_some_and(|items| !items.is_empty())) {
                Some(items) => json!([compose(items, schemas, depth - 1)]),
                None => json!([]),
            }
        }
        Some("integer") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("number") => json!(1.5),
        Some("boolean") => json!(true),
        Some("string") => of_format(schema.get("format").and_then(Value::as_str)).into(),
        _ => Value::Null,
    }
}

fn of_format(format: Option<&str>) -> &'static str {
    match format {
        Some("uuid") => "0191c6a0-0000-7000-8000-000000000000",
        Some("date-time") => "2026-05-01T08:00:00.000Z",
        Some("date") => "2026-05-01",
        Some("email") => "ada@example.org",
        Some("uri") => "https://www.example.org/",
        Some("password") => "correct horse battery staple",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, compose};
    use serde_json::json;

    #[test]
    fn an_example_is_composed_from_those_of_its_members() {
        let schemas = json!({
            "Tag": { "type": "object", "properties": { "id": { "type": "integer", "example": 7 }, "name": { "type": "string" } } },
            "Tree": { "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#/components/schemas/Tree" } } } }
        });
        for (schema, example) in [
            (json!({ "$ref": "#/components/schemas/Tag" }), json!({ "id": 7, "name": "text" })),
            (
                json!({ "allOf": [{ "$ref": "#/components/schemas/Tag" }, { "properties": { "at": { "const": 1 } } }] }),
                json!({ "id": 7, "name": "text", "at": 1 }),
            ),
            (json!({ "type": ["string", "null"], "format": "date" }), json!("2026-05-01")),
            (json!({ "enum": [null, "draft"] }), json!("draft")),
            (json!({ "type": "array", "maxItems": 0 }), json!([])),
            (json!({ "type": "object", "additionalProperties": { "type": "boolean" } }), json!({ "name": true })),
            (json!({}), json!(null)),
        ] {
            assert_eq!(compose(&schema, &schemas, MAX_DEPTH), example, "{schema}");
        }
        // It comes to an end.
        compose(&json!({ "$ref": "#/components/schemas/Tree" }), &schemas, MAX_DEPTH);
    }
}
