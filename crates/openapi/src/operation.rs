//! The description as a page shows it: operations with their parameters, and schemas as lists of members.

use crate::METHODS;
use serde_json::Value;

/// How deep the members of a body are listed.
const MAX_DEPTH: usize = 4;

/// A group of operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// `stories`
    pub name: String,
    /// What is said of all of them.
    pub description: String,
    /// In the order of the description.
    pub operations: Vec<Operation>,
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// `publishStory`
    pub id: String,
    /// `POST`
    pub method: String,
    /// With parameters in braces.
    pub path: String,
    pub summary: String,
    /// All that is to know.
    pub description: String,
    /// The ways to be let in; the credentials of one are enough. None for everybody.
    pub security: Vec<Vec<String>>,
    /// The roles of management tokens that are let in.
    pub roles: Vec<String>,
    /// Of the path, the query and the headers.
    pub parameters: Vec<Parameter>,
    /// What may be sent, by media type.
    pub bodies: Vec<Media>,
    pub responses: Vec<Response>,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// As it is sent.
    pub name: String,
    /// `path`, `query` or `header`
    pub place: String,
    /// Whether it has to be there.
    pub is_required: bool,
    /// The type in words.
    pub kind: String,
    pub description: String,
}

/// A body of a media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// `application/json`
    pub media_type: String,
    /// Its members, those of members after their own.
    pub members: Vec<Member>,
    /// As it would be sent; empty where there is none.
    pub example: String,
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// `200`
    pub status: String,
    /// When it is answered.
    pub description: String,
    pub bodies: Vec<Media>,
}

/// A member of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// How many members it is below.
    pub depth: usize,
    /// Its name; that of a list ends with `[]`.
    pub name: String,
    /// The type in words.
    pub kind: String,
    /// Whether it is always there.
    pub is_required: bool,
    pub description: String,
}

/// The operations of a description, in groups.
pub fn groups(document: &Value) -> Vec<Group> {
    let tags = document.get("tags").and_then(Value::as_array).into_iter().flatten();
    let mut groups: Vec<Group> =
        tags.map(|tag| Group { name: text(tag, "name"), description: text(tag, "description"), operations: Vec::new() }).collect();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get(method) else { continue };
            let tag = operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or_default();
            if let Some(group) = groups.iter_mut().find(|group| group.name == tag) {
                group.operations.push(read(document, path, item, (method, operation)));
            }
        }
    }
    groups.retain(|group| !group.operations.is_empty());
    groups
}

fn read(document: &Value, path: &str, item: &Value, (method, operation): (&str, &Value)) -> Operation {
    let list =
        |value: &Value| value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
    let security = operation.get("security").and_then(Value::as_array).into_iter().flatten();
    let parameters = [item, operation].into_iter().filter_map(|of| of.get("parameters")?.as_array()).flatten();
    let responses = operation.get("responses").and_then(Value::as_object).into_iter().flatten();
    Operation {
        id: text(operation, "operationId"),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(operation, "summary"),
        description: text(operation, "description"),
        security: security.filter_map(|names| Some(names.as_object()?.keys().cloned().collect())).collect(),
        roles: operation.get("x-roles").map(list).unwrap_or_default(),
        parameters: parameters.map(|parameter| parameter_of(document, resolve(document, parameter))).collect(),
        bodies: operation.get("requestBody").map(|body| bodies(document, resolve(document, body))).unwrap_or_default(),
        responses: responses
            .map(|(status, response)| {
                let response = resolve(document, response);
                Response { status: status.clone(), description: text(response, "description"), bodies: bodies(document, response) }
            })
            .collect(),
    }
}

fn parameter_of(document: &Value, parameter: &Value) -> Parameter {
    let schema = parameter.get("schema").unwrap_or(&Value::Null);
    Parameter {
        name: text(parameter, "name"),
        place: text(parameter, "in"),
        is_required: parameter.get("required").and_then(Value::as_bool).unwrap_or_default(),
        kind: kind(document, schema),
        description: text(parameter, "description"),
    }
}

fn bodies(document: &Value, body: &Value) -> Vec<Media> {
    let content = body.get("content").and_then(Value::as_object).into_iter().flatten();
    content
        .map(|(media_type, media)| {
            let mut members = Vec::new();
            if let Some(schema) = media.get("schema") {
                list_members(document, schema, 0, &mut members);
            }
            let example = media.get("example").or_else(|| media.get("examples")?.as_object()?.values().next()?.get("value"));
            let example = example.filter(|example| !example.is_null());
            let example = match example {
                Some(Value::Object(fields)) if media_type == "application/x-www-form-urlencoded" => form(fields),
                Some(Value::String(text)) => text.clone(),
                Some(example) => serde_json::to_string_pretty(example).unwrap_or_default(),
                None => String::new(),
            };
            Media { media_type: media_type.clone(), members, example }
        })
        .collect()
}

/// The fields of a form, each on a line of its own.
fn form(fields: &serde_json::Map<String, Value>) -> String {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    fields.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect::<Vec<_>>().join("\n")
}

/// Lists the members of a schema, and those of its members.
fn list_members(document: &Value, schema: &Value, depth: usize, members: &mut Vec<Member>) {
    if depth >= MAX_DEPTH {
        return;
    }
    let schema = resolve(document, schema);
    for word in ["allOf", "oneOf", "anyOf"] {
        for part in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
            list_members(document, part, depth, members);
        }
    }
    if let Some(items) = schema.get("items") {
        list_members(document, items, depth, members);
    }
    let required = schema.get("required").and_then(Value::as_array);
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let resolved = resolve(document, member);
        let description = [member, resolved].into_iter().map(|value| text(value, "description")).find(|text| !text.is_empty());
        members.push(Member {
            depth,
            name: if resolved.get("items").is_some() { format!("{name}[]") } else { name.clone() },
            kind: kind(document, member),
            is_required: required.is_some_and(|names| names.iter().any(|required| required == name)),
            description: description.unwrap_or_default(),
        });
        let is_of_its_own_kind =
            member.get("$ref").or_else(|| member.pointer("/items/$ref")).is_some() && depth > 0 && name == "children";
        if !is_of_its_own_kind {
            list_members(document, member, depth + 1, members);
        }
    }
    if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
        list_members(document, values, depth, members);
    }
}

/// The type of a schema in words.
fn kind(document: &Value, schema: &Value) -> String {
    let schema = resolve(document, schema);
    let quoted = |value: &Value| value.as_str().map_or_else(|| value.to_string(), |text| format!("\"{text}\""));
    if let Some(constant) = schema.get("const") {
        return quoted(constant);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(quoted).collect::<Vec<_>>().join(" | ");
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => vec![name],
        _ if schema.get("allOf").is_some() || schema.get("properties").is_some() => vec!["object"],
        _ => vec!["any"],
    };
    let format = schema.get("format").and_then(Value::as_str);
    let named = types.into_iter().map(|name| match (name, format, schema.get("items")) {
        ("string", Some(format), _) => format.to_owned(),
        ("array", _, Some(items)) => format!("array of {}", kind(document, items)),
        (name, ..) => name.to_owned(),
    });
    named.collect::<Vec<_>>().join(" | ")
}

fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let reference = value.get("$ref").and_then(Value::as_str);
    reference.and_then(|reference| document.pointer(reference.trim_start_matches('#'))).unwrap_or(value)
}

fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::groups;
    use serde_json::json;

    #[test]
    fn operations_are_read_with_their_parameters_and_members() {
        let document = json!({
            "tags": [{ "name": "tags", "description": "Tags" }, { "name": "empty" }],
            "paths": { "/tags/{id}": {
                "parameters": [{ "$ref": "#/components/parameters/id" }],
                "put": {
                    "tags": ["tags"], "operationId": "updateTag", "summary": "Rename", "security": [{ "token": [] }], "x-roles": ["admin"],
                    "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Body" }, "example": { "tag": {} } } } },
                    "responses": { "204": { "description": "Renamed" } }
                }
            } },
            "components": {
                "parameters": { "id": { "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } } },
                "schemas": {
                    "Body": { "type": "object", "required": ["tag"], "properties": { "tag": { "$ref": "#/components/schemas/Tag" } } },
                    "Tag": { "type": "object", "properties": {
                        "name": { "type": ["string", "null"], "description": "Its name" },
                        "on": { "type": "array", "items": { "enum": ["a", "b"] } }
                    } }
                }
            }
        });
        let groups = groups(&document);
        assert_eq!(groups.len(), 1);
        let operation = &groups[0].operations[0];
        assert_eq!((operation.id.as_str(), operation.method.as_str(), operation.path.as_str()), ("updateTag", "PUT", "/tags/{id}"));
        assert_eq!(operation.security, [["token"]]);
        assert_eq!(operation.parameters[0].kind, "integer");
        let members: Vec<String> = operation.bodies[0]
            .members
            .iter()
            .map(|member| format!("{} {} {} {}", member.depth, member.name, member.kind, member.is_required))
            .collect();
        assert_eq!(members, ["0 tag object true", "1 name string | null false", "1 on[] array of \"a\" | \"b\" false"]);
        assert_eq!(operation.responses[0].status, "204");
    }
}
