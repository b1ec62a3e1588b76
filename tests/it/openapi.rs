//! The API description and the server name the same endpoints.

use crate::support::{Setup, TestApp};
use http::Method;
use std::collections::BTreeMap;

/// Path and methods of the description, in its own indentation: two spaces before a path, four before a method.
fn described() -> BTreeMap<String, Vec<String>> {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.yaml");
    let text = std::fs::read_to_string(file).unwrap();
    let paths = text.split("\npaths:\n").nth(1).unwrap().split("\ncomponents:\n").next().unwrap();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut path = String::new();
    for line in paths.lines() {
        let name = line.trim().trim_end_matches(':');
        if line.starts_with("  /") {
            name.clone_into(&mut path);
            found.insert(path.clone(), Vec::new());
        } else if ["get", "post", "put", "patch", "delete"].contains(&name)
            && line.starts_with("    ")
            && !line.starts_with("     ")
        {
            found.get_mut(&path).unwrap().push(name.to_uppercase());
        }
    }
    found
}

#[tokio::test]
async fn every_described_method_is_served_where_it_is_described() {
    let app = TestApp::with(Setup { variables: &[("APP_METRICS_TOKEN", "0123456789abcdef")], ..Setup::default() }).await;
    let described = described();
    assert!(described.len() > 30, "{}", described.len());
    for (template, methods) in described {
        let uuid = uuid::Uuid::nil().to_string();
        let delivery = format!("whd_{}", uuid::Uuid::nil().as_simple());
        let path = [
            ("{action}", "publish"),
            ("{identifier}", "a/b"),
            ("{space}", "1"),
            ("{id}", "1"),
            ("{uuid}", &uuid),
            ("{delivery}", &delivery),
        ]
        .into_iter()
        .fold(template.clone(), |path, (name, value)| path.replace(name, value));
        let answer = app.client.request(Method::OPTIONS, app.url(&path)).send().await.unwrap();
        let allowed = answer.headers().get("allow").map(|header| header.to_str().unwrap().to_owned()).unwrap_or_default();
        let allowed: Vec<&str> = allowed.split(", ").collect();
        assert!(!methods.is_empty(), "{template}");
        for method in methods {
            assert!(allowed.contains(&method.as_str()), "{method} {template}: {allowed:?}");
        }
    }
}
