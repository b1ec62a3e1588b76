//! docs/openapi.yaml and the tables of endpoints are the same set: paths, methods, and what a request has to bring. Pages are no API; `super::pages` tests
//! what they need.

use crate::support::TestApp;
use std::collections::{BTreeMap, BTreeSet};

/// The tokens without which some paths do not exist.
const OPENED: &[(&str, &str)] = &[
    ("APP_METRICS_TOKEN", "0123456789abcdef"),
    ("APP_ADMIN_API_TOKENS_JSON", r#"[{"id":"importer","token":"0123456789abcdef0123456789abcdef"}]"#),
];

/// The ways to be let in: one of these lists is enough.
type Security = BTreeSet<BTreeSet<String>>;

/// What is described, by method and path, read by its indentation: two spaces before a path, four before a method, six before its `security`.
fn described() -> BTreeMap<String, Security> {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.yaml");
    let text = std::fs::read_to_string(file).unwrap();
    let paths = text.split("\npaths:\n").nth(1).unwrap().split("\ncomponents:\n").next().unwrap();
    let mut found = BTreeMap::new();
    let (mut path, mut operation) = (String::new(), String::new());
    for line in paths.lines() {
        let name = line.trim().trim_end_matches(':');
        if line.starts_with("  /") {
            path = nameless(name);
        } else if ["get", "post", "put", "patch", "delete"].contains(&name)
            && line.starts_with("    ")
            && !line.starts_with("     ")
        {
            operation = format!("{} {path}", name.to_uppercase());
            found.insert(operation.clone(), Security::new());
        } else if let Some(schemes) = line.strip_prefix("      security:") {
            found.insert(operation.clone(), security(schemes));
        }
    }
    found
}

/// `[{ session: [], csrf: [] }, { managementToken: [] }]`, read.
fn security(text: &str) -> Security {
    let alternatives = text.split('{').skip(1).map(|alternative| alternative.split('}').next().unwrap());
    let names =
        |alternative: &str| alternative.split(',').map(|scheme| scheme.split(':').next().unwrap().trim().to_owned()).collect();
    alternatives.map(names).collect()
}

/// A path without the names of its parameters, which the two need not share.
fn nameless(path: &str) -> String {
    // The description knows no parameter of several segments.
    let path = if path.starts_with("/f/") { "/f/{space}/{file}" } else { path };
    let segments = path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn the_description_and_the_tables_are_the_same_set() {
    let app = TestApp::with(crate::support::Setup { variables: OPENED, ..crate::support::Setup::default() }).await;
    let declared: BTreeMap<String, Security> = app
        .endpoints
        .iter()
        .filter(|endpoint| !endpoint.is_page)
        .map(|endpoint| {
            let alternative = |names: &&[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            (format!("{} {}", endpoint.method, nameless(endpoint.template)), endpoint.security.iter().map(alternative).collect())
        })
        .collect();
    let described = described();
    assert!(described.len() > 100, "{}", described.len());
    let missing = |of: &BTreeMap<String, Security>, from: &BTreeMap<String, Security>| {
        of.keys().filter(|operation| !from.contains_key(*operation)).cloned().collect::<Vec<_>>()
    };
    assert_eq!(missing(&declared, &described), [""; 0], "not in docs/openapi.yaml");
    assert_eq!(missing(&described, &declared), [""; 0], "in no table");
    for (operation, security) in &described {
        assert_eq!(&declared[operation], security, "{operation}");
    }
}

/// A path of a template, with parameters that can be read.
fn sample(template: &str) -> String {
    let nil = uuid::Uuid::nil();
    let value = |segment: &str| match segment {
        "{action}" => "publish".to_owned(),
        "{delivery}" => format!("whd_{}", nil.as_simple()),
        "{identifier..}" | "{file..}" => "a/b".to_owned(),
        "{uuid}" => nil.to_string(),
        "{id}" if template.starts_with("/api/me/") || template.starts_with("/api/admin/") => nil.to_string(),
        parameter if parameter.starts_with('{') => "1".to_owned(),
        literal => literal.to_owned(),
    };
    template.split('/').map(value).collect::<Vec<_>>().join("/")
}

/// A slash at the end is for the APIs of Storyblok, whose clients send it.
#[tokio::test]
async fn a_path_outside_of_storybloks_apis_has_one_spelling() {
    let app = TestApp::with(crate::support::Setup { variables: OPENED, ..crate::support::Setup::default() }).await;
    let is_ours = |template: &str| !["/api/v1/", "/api/v2/", "/f/"].iter().any(|prefix| template.starts_with(prefix));
    let ours: Vec<_> = app.endpoints.iter().filter(|endpoint| is_ours(endpoint.template)).collect();
    assert!(ours.len() > 30, "{}", ours.len());
    for endpoint in ours {
        let alias = format!("{}/", sample(endpoint.template));
        let response = app.client.request(endpoint.method.clone(), app.url(&alias)).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 404, "{} {alias}", endpoint.method);
    }
}

#[tokio::test]
async fn an_endpoint_is_closed_to_callers_without_credentials_unless_it_is_declared_public() {
    let app = TestApp::with(crate::support::Setup { variables: OPENED, ..crate::support::Setup::default() }).await;
    for endpoint in app.endpoints.iter().filter(|endpoint| !endpoint.is_page) {
        let response = app.client.request(endpoint.method.clone(), app.url(&sample(endpoint.template))).send().await.unwrap();
        let status = response.status().as_u16();
        let is_closed = match endpoint.security {
            [] => ![401, 403].contains(&status) || endpoint.template.starts_with("/f/"),
            [["csrf"]] => status == 403,
            _ => status == 401,
        };
        // Without a session there is nothing to end, which is no error.
        let is_logout = endpoint.template == "/api/auth/logout" && status == 200;
        assert!(is_closed || is_logout, "{} {}: {status}, declared {:?}", endpoint.method, endpoint.template, endpoint.security);
    }
}
