//! What differs between two contents, compared as values: the order of keys is no difference.

use serde_json::Value;

/// The most differences that are named.
pub const MAX_DIFFERENCES: usize = 1000;
/// The deepest value that is looked into; deeper ones are compared as a whole.
const MAX_DEPTH: usize = 64;

/// A place where two contents differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The path as in `filter_query`: `body.0.title`.
    pub path: String,
    /// `added`, `removed` or `changed`.
    pub change: &'static str,
}

/// The differences from the first content to the second one, the first thousand.
pub fn differences(old: &Value, new: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(old, new, &mut Vec::new(), &mut found);
    found
}

fn compare(old: &Value, new: &Value, path: &mut Vec<String>, found: &mut Vec<Difference>) {
    if old == new || found.len() >= MAX_DIFFERENCES {
        return;
    }
    match (old, new) {
        (Value::Object(old), Value::Object(new)) if path.len() < MAX_DEPTH => {
            for (key, value) in old {
                step(key.clone(), Some(value), new.get(key), path, found);
            }
            for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
                step(key.clone(), None, Some(value), path, found);
            }
        }
        (Value::Array(old), Value::Array(new)) if path.len() < MAX_DEPTH => {
            for index in 0..old.len().max(new.len()) {
                step(index.to_string(), old.get(index), new.get(index), path, found);
            }
        }
        _ => note("changed", path, found),
    }
}

fn step(segment: String, old: Option<&Value>, new: Option<&Value>, path: &mut Vec<String>, found: &mut Vec<Difference>) {
    path.push(segment);
    match (old, new) {
        (Some(old), Some(new)) => compare(old, new, path, found),
        (Some(_), None) => note("removed", path, found),
        (None, Some(_)) => note("added", path, found),
        (None, None) => {}
    }
    path.pop();
}

fn note(change: &'static str, path: &[String], found: &mut Vec<Difference>) {
    if found.len() < MAX_DIFFERENCES {
        found.push(Difference { path: path.join("."), change });
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DIFFERENCES, differences};
    use serde_json::{Value, json};

    fn paths(old: &Value, new: &Value) -> Vec<String> {
        differences(old, new).iter().map(|d| format!("{} {}", d.change, d.path)).collect()
    }

    #[test]
    fn contents_are_compared_as_values() {
        let old = json!({ "component": "page", "title": "A", "body": [{ "x": 1 }, { "x": 2 }], "gone": true, "same": { "a": 1, "b": 2 } });
        let new = json!({ "title": "B", "component": "page", "body": [{ "x": 1 }, { "x": 3 }, {}], "new": null, "same": { "b": 2, "a": 1 } });
        assert_eq!(paths(&old, &new), ["changed title", "changed body.1.x", "added body.2", "removed gone", "added new"]);
        assert_eq!(paths(&old, &old), [""; 0]);
        assert_eq!(paths(&json!({ "a": [] }), &json!({ "a": {} })), ["changed a"]);
    }

    #[test]
    fn differences_are_bounded() {
        let many = |value: i32| Value::Array((0..2000).map(|_| json!(value)).collect());
        assert_eq!(differences(&json!({ "a": many(1) }), &json!({ "a": many(2) })).len(), MAX_DIFFERENCES);
        let deep = |leaf: i32| (0..200).fold(json!(leaf), |inner, _| json!({ "a": inner }));
        assert_eq!(differences(&deep(1), &deep(2)).len(), 1);
    }

    #[test]
    fn values_are_looked_into_to_a_depth_of_64() {
        let deep = |levels: usize, leaf: i32| (0..levels).fold(json!(leaf), |inner, _| json!({ "a": inner }));
        let in_lists = |levels: usize, leaf: i32| (0..levels).fold(json!(leaf), |inner, _| json!([inner]));
        let depth = |old: Value, new: Value| paths(&old, &new)[0].split('.').count();
        for levels in [63, 64, 65, 100] {
            assert_eq!(depth(deep(levels, 1), deep(levels, 2)), levels.min(64));
            assert_eq!(depth(in_lists(levels, 1), in_lists(levels, 2)), levels.min(64));
        }
    }
}
