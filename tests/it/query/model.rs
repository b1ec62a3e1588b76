//! What the parameters mean, said plainly: no index, no plan, no SQL.

use std::cmp::Ordering;
use support::prelude::*;

/// The stories, as the Management API showed them.
#[derive(Default)]
pub(super) struct Model {
    stories: Vec<Value>,
}

impl Model {
    pub(super) fn add(&mut self, story: Value) {
        self.stories.push(story);
    }

    /// A member of every story, as text.
    pub(super) fn members(&self, name: &str) -> Vec<String> {
        self.stories.iter().map(|story| scalar(&story[name]).unwrap()).collect()
    }

    /// The slugs of the page, and how many stories match on all pages.
    pub(super) fn answer(&self, query: &[(String, String)]) -> (Vec<&str>, usize) {
        let mut found: Vec<&Value> = self.stories.iter().filter(|story| matches(story, query)).collect();
        let given: Vec<String> = list(last(query, "by_uuids_ordered").unwrap_or_default());
        let keys = last(query, "sort_by").unwrap_or_default();
        found.sort_by(|a, b| {
            let by_keys = || {
                keys.split(',')
                    .filter(|part| !part.is_empty())
                    .fold(Ordering::Equal, |so_far, key| so_far.then_with(|| compare(a, b, key)))
            };
            let place = |story: &Value| given.iter().position(|g| story["uuid"] == g.as_str());
            let first = if keys.is_empty() { place(a).cmp(&place(b)) } else { by_keys() };
            first
                .then_with(|| number(a, "position").cmp(&number(b, "position")))
                .then_with(|| number(a, "id").cmp(&number(b, "id")))
        });
        let page: usize = last(query, "page").map_or(1, |value| value.parse().unwrap());
        let per_page: usize = last(query, "per_page").map_or(25, |value| value.parse().unwrap());
        let slugs = found.iter().skip((page - 1) * per_page).take(per_page).map(|f| f["slug"].as_str().unwrap()).collect();
        (slugs, found.len())
    }
}

fn number(story: &Value, member: &str) -> i64 {
    story[member].as_i64().unwrap()
}

/// A repeated parameter overrides.
fn last<'a>(query: &'a [(String, String)], name: &str) -> Option<&'a str> {
    query.iter().rev().find(|(q, _)| q == name).map(|(_, value)| value.as_str()).filter(|q| !q.is_empty())
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Every list parameter collects what its repetitions say.
fn lists(query: &[(String, String)], name: &str) -> Vec<String> {
    query.iter().filter(|(q, _)| q == name).flat_map(|(_, value)| list(value)).collect()
}

fn matches(story: &Value, query: &[(String, String)]) -> bool {
    let slug = story["full_slug"].as_str().unwrap();
    let uuid = story["uuid"].as_str().unwrap();
    let id = story["id"].to_string();
    let any = |name: &str, test: &dyn Fn(&String) -> bool| {
        let values = lists(query, name);
        values.is_empty() || values.iter().any(test)
    };
    let none = |name: &str, test: &dyn Fn(&String) -> bool| !lists(query, name).iter().any(test);
    let has_uuids = !lists(query, "by_uuids").is_empty() || !lists(query, "by_uuids_ordered").is_empty();
    let tags: Vec<&str> = story["tag_list"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();

    last(query, "starts_with").is_none_or(|value| has_uuids || slug.starts_with(value))
        && any("by_slugs", &|value| like(slug, value, false))
        && none("excluding_slugs", &|value| like(slug, value, false))
        && any("by_uuids", &|value| uuid == value)
        && any("by_uuids_ordered", &|value| uuid == value)
        && any("by_ids", &|value| *value == id)
        && none("excluding_ids", &|value| *value == id)
        && last(query, "content_type").is_none_or(|value| story["content"]["component"] == value)
        && any("with_tag", &|value| tags.contains(&value.as_str()))
        && last(query, "is_startpage").is_none_or(|value| story["is_startpage"].as_bool().unwrap() == (value == "1"))
        && last(query, "level").is_none_or(|value| value == slug.split('/').count().to_string())
        && lists(query, "in_workflow_stages").is_empty()
        && filters(&story["content"], query)
}

fn filters(content: &Value, query: &[(String, String)]) -> bool {
    let (mut groups, mut alone): ([Option<bool>; 2], Vec<bool>) = ([None, None], Vec::new());
    let mut all = true;
    for (name, value) in query {
        let Some(rest) = name.strip_prefix("filter_query[") else { continue };
        let parts: Vec<&str> = rest.strip_suffix(']').unwrap().split("][").collect();
        match parts.as_slice() {
            ["__or", "", path, operation] => alone.push(holds(content, path, operation, value)),
            ["__or", group, path, operation] => {
                let group = &mut groups[group.parse::<usize>().unwrap()];
                *group = Some(group.unwrap_or(true) && holds(content, path, operation, value));
            }
            [path, operation] => all &= holds(content, path, operation, value),
            _ => unreachable!("{name}"),
        }
    }
    let given: Vec<bool> = groups.into_iter().flatten().chain(alone).collect();
    all && (given.is_empty() || given.contains(&true))
}

/// Whether the value at a path passes; with `*` in it, whether any does.
fn holds(content: &Value, path: &str, operation: &str, operand: &str) -> bool {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    if head == "*" {
        let Some(items) = content.as_array() else { return false };
        return items
            .iter()
            .any(|item| rest.map_or_else(|| test(Some(item), operation, operand), |rest| holds(item, rest, operation, operand)));
    }
    let value = match content {
        Value::Array(items) => head.parse::<usize>().ok().and_then(|index| items.get(index)),
        Value::Object(object) => object.get(head),
        _ => None,
    };
    match (value, rest) {
        (Some(value), Some(rest)) => holds(value, rest, operation, operand),
        (None, Some(rest)) if rest.contains('*') => false,
        (None, _) => test(None, operation, operand),
        (Some(value), None) => test(Some(value), operation, operand),
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn test(value: Option<&Value>, operation: &str, operand: &str) -> bool {
    let text = value.and_then(scalar);
    let is_null = value.is_none_or(Value::is_null);
    let wanted: Vec<&str> = operand.split(',').map(str::trim).collect();
    let exact = |value: &str| operand.split(',').any(|one| one == value);
    let one_of = text.as_deref().is_some_and(exact) || (is_null && exact(""));
    let elements: Option<Vec<String>> = value.and_then(Value::as_array).map(|items| items.iter().filter_map(scalar).collect());
    let is_empty = is_null || text.as_deref() == Some("");
    match operation.replace('-', "_").as_str() {
        "in" => one_of,
        "not_in" => !one_of,
        "like" => text.is_some_and(|text| like(&text, operand, true)),
        "not_like" => !text.is_some_and(|text| like(&text, operand, true)),
        "any_in_array" | "in_array" => elements.is_some_and(|element| wanted.iter().any(|one| element.iter().any(|el| el == one))),
        "all_in_array" => {
            elements.is_some_and(|element| !element.is_empty() && wanted.iter().all(|one| element.iter().any(|el| el == one)))
        }
        "gt_int" | "gt_float" => decimal(text.as_deref()).is_some_and(|d| d > operand.parse::<f64>().unwrap()),
        "lt_int" | "lt_float" => decimal(text.as_deref()).is_some_and(|d| d < operand.parse::<f64>().unwrap()),
        "gt_date" => minute(text.as_deref()).is_some_and(|m| m > minute(Some(operand)).unwrap()),
        "lt_date" => minute(text.as_deref()).is_some_and(|m| m < minute(Some(operand)).unwrap()),
        "is" => match operand {
            "empty" => is_empty,
            "not_empty" => !is_empty,
            "empty_array" => value.and_then(Value::as_array).is_some_and(Vec::is_empty),
            "not_empty_array" => value.and_then(Value::as_array).is_some_and(|value| !value.is_empty()),
            "true" | "false" => text.as_deref() == Some(operand),
            "null" => is_null,
            _ => !is_null,
        },
        "exists" => value.is_some() == (operand == "true"),
        _ => unreachable!("{operation}"),
    }
}

fn decimal(text: Option<&str>) -> Option<f64> {
    text.filter(|text| text.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c)))?.parse().ok()
}

/// `YYYY-MM-DD HH:mm`.
fn minute(text: Option<&str>) -> Option<String> {
    let text = text.filter(|text| text.starts_with("20") && text.as_bytes().get(4) == Some(&b'-'))?.replace('T', " ");
    Some(if text.len() == 10 { format!("{text} 00:00") } else { text[..16].to_owned() })
}

/// The whole text, `*` for anything.
fn like(text: &str, pattern: &str, ignore_case: bool) -> bool {
    let fold = |value: &str| if ignore_case { value.to_lowercase() } else { value.to_owned() };
    // The first characters of a long text alone are compared.
    matches_folded(&fold(&text.chars().take(10_000).collect::<String>()), &fold(pattern))
}

fn matches_folded(text: &str, pattern: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(tail) = text.strip_prefix(head) else { return false };
    (0..=tail.len()).filter(|at| tail.is_char_boundary(*at)).any(|at| matches_folded(&tail[at..], rest))
}

/// One key of `sort_by`.
fn compare(a: &Value, b: &Value, key: &str) -> Ordering {
    let mut parts = key.split(':');
    let by = parts.next().unwrap();
    let rest: Vec<&str> = parts.collect();
    let of = |story: &Value| -> Option<Sortable> {
        let value = match by.strip_prefix("content.") {
            Some(path) => path.split('.').try_fold(&story["content"], |at, step| at.get(step))?,
            None => &story[by],
        };
        let text = scalar(value)?;
        if rest.contains(&"int") || rest.contains(&"float") || value.is_i64() && !by.starts_with("content.") {
            return decimal(Some(&text)).map(Sortable::Number);
        }
        Some(Sortable::Text(text.chars().take(200).collect()))
    };
    match (of(a), of(b)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) if rest.contains(&"nulls_first") => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => compare(b, a, key).reverse(),
        (Some(a), Some(b)) => {
            let ordering = a.partial_cmp(&b).unwrap();
            if rest.contains(&"desc") { ordering.reverse() } else { ordering }
        }
    }
}

#[derive(PartialEq, PartialOrd)]
enum Sortable {
    Number(f64),
    Text(String),
}
