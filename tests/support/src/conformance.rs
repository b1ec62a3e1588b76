//! Compares the answers of all tests with the description of the API: a status or a content type that is not
//! described, and a member that the schema does not name, fail the test that met them.
//!
//! The vocabulary of JSON Schema is that which docs/openapi uses; a word beyond it fails, too. A crate for
//! JSON Schema would turn on features of `serde_json` (`float_roundtrip`) that the server does not have, so
//! that tests would test another server and compile everything twice.

use http::{HeaderMap, Method, StatusCode, header};
use routes::dispatch::{Dispatch, ResponseObserver};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock, Mutex, OnceLock},
};

/// What was answered and is not described. Dropped at the end of a test, it fails the test unless it is
/// empty.
#[derive(Clone, Default)]
pub struct Conformance {
    violations: Arc<Mutex<BTreeSet<String>>>,
}

/// The descriptions by the templates of their endpoints.
type Descriptions = BTreeMap<Vec<&'static str>, Arc<OnceLock<Value>>>;

/// A description serves all servers with the same endpoints: making one takes longer than many a test.
static DESCRIPTIONS: LazyLock<Mutex<Descriptions>> = LazyLock::new(Mutex::default);

impl Conformance {
    /// Compares each answer of the endpoints.
    pub fn observe(&self, dispatch: Dispatch) -> Dispatch {
        let endpoints: Vec<openapi::Endpoint> = dispatch.endpoints().filter_map(routes::description::declared).collect();
        let templates = endpoints.iter().map(|endpoint| endpoint.template).collect();
        let description = Arc::clone(DESCRIPTIONS.lock().unwrap().entry(templates).or_default());
        let violations = Arc::clone(&self.violations);
        let observer: ResponseObserver = Arc::new(move |method, template, status, headers, body| {
            let document = description.get_or_init(|| openapi::describe(&endpoints, "", "").unwrap());
            let found = Comparison::new(document).answer(method, template, (status, headers, body));
            violations.lock().unwrap().extend(found);
        });
        dispatch.with_observer(observer)
    }

    /// Fails the test if something was answered that is not described.
    pub fn assert(&self) {
        let violations = self.violations.lock().unwrap();
        let lines: Vec<&str> = violations.iter().map(String::as_str).collect();
        assert!(lines.is_empty(), "docs/openapi does not describe what was answered:\n  {}", lines.join("\n  "));
    }
}

/// Asserts when the server of a test goes away.
pub struct AtTheEnd(pub Conformance);

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.0.assert();
        }
    }
}

/// An answer beside its description.
pub struct Comparison<'a> {
    document: &'a Value,
    problems: Vec<String>,
}

impl<'a> Comparison<'a> {
    pub fn new(document: &'a Value) -> Self {
        Self { document, problems: Vec::new() }
    }

    /// What an answer has that is not described.
    pub fn answer(
        mut self,
        method: &Method,
        template: &str,
        (status, headers, body): (StatusCode, &HeaderMap, Option<&[u8]>),
    ) -> Vec<String> {
        let paths = self.document["paths"].as_object().unwrap();
        let name = if *method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
        let Some((path, item)) = paths.iter().find(|(path, item)| openapi::same_path(path, template) && item.get(&name).is_some())
        else {
            return Vec::new();
        };
        let at = format!("{} {path} {}", method.as_str(), status.as_u16());
        let Some(response) = item[&name]["responses"].get(status.as_str()) else { return vec![format!("{at}: no such status")] };
        let response = self.resolve(response);
        let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = content_type.map(|value| value.split(';').next().unwrap_or_default().trim());
        let described = response.get("content").and_then(Value::as_object);
        match (essence, described) {
            (None, None) => {}
            (None, Some(_)) => {
                if body.is_some_and(|body| !body.is_empty()) {
                    self.problems.push(format!("{at}: no content type"));
                }
            }
            // It has the headers of the answer that the caller has already.
            (Some(_), None) if status == StatusCode::NOT_MODIFIED => {}
            (Some(sent), None) => self.problems.push(format!("{at}: {sent}, where no body is described")),
            (Some(sent), Some(described)) => match described.iter().find(|(name, _)| is_of(sent, name)) {
                None => self.problems.push(format!("{at}: {sent} is not described")),
                Some((name, media)) if sent.ends_with("json") && sent == name => {
                    match body.filter(|body| !body.is_empty()).map(serde_json::from_slice::<Value>) {
                        Some(Ok(value)) => self.check(&media["schema"], &value, &at),
                        Some(Err(error)) => self.problems.push(format!("{at}: no JSON, although it says so: {error}")),
                        // To a HEAD, or a body that is still being made.
                        None => {}
                    }
                }
                Some(_) => {}
            },
        }
        self.problems
    }

    /// What a value has that its schema does not allow.
    pub fn value(mut self, schema: &'a Value, value: &Value, at: &str) -> Vec<String> {
        self.check(schema, value, at);
        self.problems
    }

    fn resolve(&self, value: &'a Value) -> &'a Value {
        match value.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference}")),
            None => value,
        }
    }

    /// Compares a value with a schema.
    pub fn check(&mut self, schema: &'a Value, value: &Value, at: &str) {
        self.check_without_names(schema, value, at);
        if let Value::Object(members) = value
            && let Some(names) = self.names(schema)
        {
            for name in members.keys().filter(|name| !names.contains(name.as_str())) {
                self.problems.push(format!("{at}: {name} is not in the schema"));
            }
        }
    }

    /// The same, without looking for members that are not named: they may be named beside this part of an
    /// `allOf`.
    fn check_without_names(&mut self, schema: &'a Value, value: &Value, at: &str) {
        let Some(words) = schema.as_object() else { return };
        for (word, meaning) in words {
            match word.as_str() {
                "$ref" => self.check_without_names(self.resolve(schema), value, at),
                "allOf" => meaning.as_array().unwrap().iter().for_each(|part| self.check_without_names(part, value, at)),
                "oneOf" | "anyOf" => self.check_choice(meaning, value, at),
                "properties" => {
                    for (name, schema) in meaning.as_object().unwrap() {
                        if let Some(member) = value.get(name) {
                            self.check(schema, member, &format!("{at} .{name}"));
                        }
                    }
                }
                "additionalProperties" if meaning.is_object() => {
                    let named = words.get("properties").and_then(Value::as_object);
                    for (name, member) in value.as_object().into_iter().flatten() {
                        if !named.is_some_and(|named| named.contains_key(name)) {
                            self.check(meaning, member, &format!("{at} .*"));
                        }
                    }
                }
                "items" => value.as_array().into_iter().flatten().for_each(|item| self.check(meaning, item, &format!("{at} []"))),
                _ => {
                    if let Some(problem) = violated(word, meaning, value) {
                        self.problems.push(format!("{at}: {problem}"));
                    }
                }
            }
        }
    }

    /// One of the choices has to fit; of those that do not, the closest one is reported.
    fn check_choice(&mut self, choices: &'a Value, value: &Value, at: &str) {
        let attempts = choices.as_array().unwrap().iter().map(|choice| {
            let mut attempt = Comparison::new(self.document);
            attempt.check(choice, value, at);
            attempt.problems
        });
        self.problems.extend(attempts.min_by_key(Vec::len).unwrap_or_default());
    }

    /// The members that a schema names; `None` where any are allowed, which has to be said
    /// (`additionalProperties: true`).
    fn names(&self, schema: &'a Value) -> Option<BTreeSet<&'a str>> {
        let schema = self.resolve(schema);
        if schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false)) {
            return None;
        }
        // Choices look for themselves.
        if schema.get("oneOf").is_some() || schema.get("anyOf").is_some() {
            return None;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut names: BTreeSet<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            names.extend(self.names(part)?);
        }
        Some(names)
    }
}

/// Whether a content type is one of a described range, such as `image/*`.
fn is_of(sent: &str, described: &str) -> bool {
    match described.strip_suffix("/*") {
        Some("*") => true,
        Some(family) => sent.split('/').next() == Some(family),
        None => sent == described,
    }
}

/// How a value violates a word of a schema.
fn violated(word: &str, meaning: &Value, value: &Value) -> Option<String> {
    let holds = match word {
        "type" => {
            let names: Vec<&str> = match meaning {
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                name => name.as_str().into_iter().collect(),
            };
            names.iter().any(|name| is_a(value, name))
        }
        "enum" => meaning.as_array().unwrap().contains(value),
        "const" => meaning == value,
        "required" => {
            let missing = |name: &&Value| value.is_object() && value.get(name.as_str().unwrap()).is_none();
            return meaning.as_array().unwrap().iter().find(missing).map(|name| format!("{name} is missing"));
        }
        "format" => value.as_str().is_none_or(|text| match meaning.as_str().unwrap() {
            "uuid" => text.parse::<uuid::Uuid>().is_ok(),
            "date-time" => text.parse::<jiff::Timestamp>().is_ok(),
            "date" => text.parse::<jiff::civil::Date>().is_ok(),
            "uri" => url::Url::parse(text).is_ok(),
            "email" => text.contains('@'),
            "password" | "binary" | "int64" => true,
            other => panic!("docs/openapi uses the format {other}, which tests/support/src/conformance.rs does not know"),
        }),
        "minimum" => value.as_f64().is_none_or(|number| number >= meaning.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= meaning.as_f64().unwrap()),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= meaning.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= meaning.as_u64().unwrap()),
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= meaning.as_u64().unwrap()),
        "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 <= meaning.as_u64().unwrap()),
        // Of requests, and what only people read.
        "pattern"
        | "additionalProperties"
        | "default"
        | "description"
        | "example"
        | "title"
        | "readOnly"
        | "writeOnly"
        | "deprecated"
        | "minProperties"
        | "maxProperties"
        | "discriminator" => true,
        other => panic!("docs/openapi uses {other}, which tests/support/src/conformance.rs does not know"),
    };
    (!holds).then(|| format!("{} is not {word} {meaning}", shorten(value)))
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other}"),
    }
}

/// Enough of a value to know it by.
fn shorten(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::Comparison;
    use http::{HeaderValue, Method, StatusCode, header};
    use serde_json::json;

    #[test]
    fn an_answer_is_compared_with_its_status_its_content_type_and_its_body() {
        let described =
            json!({ "description": "", "content": { "application/json": { "schema": { "type": "object", "properties": {} } } } });
        let document =
            json!({ "paths": { "/a/{id}": { "get": { "responses": { "200": described, "204": { "description": "" } } } } } });
        for (status, content_type, body, problems) in [
            (200, "application/json; charset=utf-8", "{}", 0),
            (200, "application/json", "", 0),
            (200, "application/json", "{", 1),
            (200, "application/json", r#"{"a":1}"#, 1),
            (200, "text/plain", "{}", 1),
            (204, "application/json", "{}", 1),
            (404, "application/json", "{}", 1),
        ] {
            let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))].into_iter().collect();
            let answer = (StatusCode::from_u16(status).unwrap(), &headers, Some(body.as_bytes()));
            let found = Comparison::new(&document).answer(&Method::GET, "/a/{number}", answer);
            assert_eq!(found.len(), problems, "{status} {content_type} {body}: {found:?}");
        }
    }

    #[test]
    fn a_value_is_compared_with_every_word_of_a_schema() {
        let document = json!({ "components": { "schemas": { "Tag": {
            "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" }, "name": { "type": ["string", "null"] } }
        } } } });
        let tag = json!({ "$ref": "#/components/schemas/Tag" });
        let both =
            json!({ "allOf": [tag, { "type": "object", "properties": { "at": { "type": "string", "format": "date-time" } } }] });
        let either = json!({ "oneOf": [tag, { "type": "string" }] });
        for (schema, value, problems) in [
            (&tag, json!({ "id": 1, "name": null }), 0),
            (&tag, json!({ "id": "1" }), 1),
            (&tag, json!({ "name": "a" }), 1),
            (&tag, json!({ "id": 1, "more": 2 }), 1),
            (&both, json!({ "id": 1, "at": "2026-05-01T08:00:00.000Z" }), 0),
            (&both, json!({ "id": 1, "at": "yesterday" }), 1),
            (&both, json!({ "id": 1, "more": 2 }), 1),
            (&either, json!("a"), 0),
            (&either, json!({ "id": 1 }), 0),
            (&either, json!({ "id": 1, "more": 2 }), 1),
            (&either, json!(3), 1),
        ] {
            let mut comparison = Comparison::new(&document);
            comparison.check(schema, &value, "");
            assert_eq!(comparison.problems.len(), problems, "{schema} {value}: {:?}", comparison.problems);
        }
    }
}
