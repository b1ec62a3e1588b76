//! The description of the API and the tables of endpoints are the same set, and what is described can be
//! followed. Pages are no API; `super::pages` tests what they need. That every answer is as it is described,
//! `support::conformance` checks in all tests.

use support::{conformance::Comparison, prelude::*};

/// The tokens without which some paths do not exist.
const OPENED: &[(&str, &str)] = &[
    ("APP_METRICS_TOKEN", "0123456789abcdef"),
    ("APP_ADMIN_API_TOKENS_JSON", r#"[{"id":"importer","token":"0123456789abcdef0123456789abcdef"}]"#),
];

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

async fn description(app: &TestApp) -> Value {
    let response = app.get("/api/openapi.json").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/json; charset=utf-8");
    response.json().await.unwrap()
}

/// Each operation as method, path and what is described of it.
fn operations(document: &Value) -> Vec<(&'static str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of_path = |(path, item)| METHODS.into_iter().filter_map(move |method| Some((method, path, Value::get(item, method)?)));
    paths.iter().flat_map(|(path, item): (&String, &Value)| of_path((path.as_str(), item))).collect()
}

#[tokio::test]
async fn the_description_and_the_tables_are_the_same_set() {
    let app = TestApp::with_variables(OPENED).await;
    let served = description(&app).await;
    let written: Value = serde_json::from_str(openapi::WRITTEN).unwrap();
    assert!(operations(&written).len() > 200);
    let is_declared = |method: &str, path: &str| {
        app.endpoints.iter().any(|endpoint| {
            !endpoint.is_page
                && endpoint.method.as_str().eq_ignore_ascii_case(method)
                && openapi::same_path(path, endpoint.template)
        })
    };
    let unknown: Vec<String> = operations(&written)
        .iter()
        .filter(|(method, path, _)| !is_declared(method, path))
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    assert_eq!(unknown, [""; 0], "described, and in no table");
    let described = operations(&served);
    let missing: Vec<String> = app
        .endpoints
        .iter()
        .filter(|endpoint| !endpoint.is_page)
        .filter(|endpoint| {
            !described.iter().any(|(method, path, _)| {
                endpoint.method.as_str().eq_ignore_ascii_case(method) && openapi::same_path(path, endpoint.template)
            })
        })
        .map(|endpoint| format!("{} {}", endpoint.method, endpoint.template))
        .collect();
    assert_eq!(missing, [""; 0], "in a table, and not described below docs/openapi");
}

#[tokio::test]
async fn an_operation_that_a_server_does_not_have_is_not_described() {
    let app = TestApp::start().await;
    let served = description(&app).await;
    assert!(served["paths"].get("/api/provisioning/users").is_none());
    assert_eq!(served["servers"][0]["url"], app.url(""));
    assert_eq!(served["openapi"], "3.1.0");
}

/// What the table declares is described: who may call, and with which errors a caller is refused.
#[tokio::test]
async fn security_roles_and_refusals_are_those_of_the_table() {
    let app = TestApp::start().await;
    let served = description(&app).await;
    let publish = &served["paths"]["/api/v1/spaces/{space}/stories"]["post"];
    assert_eq!(publish["security"], serde_json::json!([{ "session": [], "csrf": [] }, { "managementToken": [] }]));
    assert_eq!(publish["x-roles"], serde_json::json!(["admin", "editor"]));
    let statuses = |operation: &Value| operation["responses"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    for status in ["400", "401", "403", "404", "413", "415", "422", "500", "503"] {
        assert!(statuses(publish).contains(status), "{status}");
    }
    let list = statuses(&served["paths"]["/api/v1/spaces/{space}/stories"]["get"]);
    assert!(!list.contains("403"), "every role may read");
    let login = &served["paths"]["/api/auth/login"]["post"];
    assert_eq!(login["security"], serde_json::json!([{ "csrf": [] }]));
    assert!(statuses(login).contains("403") && statuses(login).contains("429"));
    assert_eq!(served["paths"]["/api/health"]["get"]["security"], serde_json::json!([]));
}

/// A name that nothing defines would break every reader of the description.
#[tokio::test]
async fn every_reference_leads_somewhere_and_every_parameter_of_a_path_is_described() {
    let app = TestApp::with_variables(OPENED).await;
    let served = description(&app).await;
    let mut references = BTreeSet::new();
    collect_references(&served, &mut references);
    let dangling: Vec<&String> =
        references.iter().filter(|reference| served.pointer(reference.trim_start_matches('#')).is_none()).collect();
    assert_eq!(dangling, [""; 0]);
    for (method, path, operation) in operations(&served) {
        let shared = served["paths"][path]["parameters"].as_array();
        let of_operation = operation["parameters"].as_array();
        let described: BTreeSet<&str> = shared
            .into_iter()
            .chain(of_operation)
            .flatten()
            .map(|parameter| match parameter["$ref"].as_str() {
                Some(reference) => served.pointer(reference.trim_start_matches('#')).unwrap(),
                None => parameter,
            })
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let named: BTreeSet<&str> = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).collect();
        assert_eq!(described, named, "{method} {path}");
    }
}

fn collect_references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                found.insert(reference.clone());
            }
            members.values().for_each(|value| collect_references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, found)),
        _ => {}
    }
}

/// A path of a template, with parameters that can be read.
fn sample(template: &str) -> String {
    let nil = uuid::Uuid::nil();
    let value = |segment: &str| match segment {
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
    let app = TestApp::with_variables(OPENED).await;
    // What is below a space is read by the studio itself.
    let is_ours =
        |template: &str| !["/api/v1/", "/api/v2/", "/f/", "/studio/{space}/"].iter().any(|prefix| template.starts_with(prefix));
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
    let app = TestApp::with_variables(OPENED).await;
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

/// An example that the schema refuses would mislead readers, and generators of clients.
#[tokio::test]
async fn every_body_has_an_example_that_its_schema_allows() {
    let app = TestApp::with_variables(OPENED).await;
    let served = description(&app).await;
    let mut bodies: Vec<(String, &Value)> = Vec::new();
    for (method, path, operation) in operations(&served) {
        bodies.extend(operation.get("requestBody").map(|body| (format!("{method} {path}"), body)));
        let responses = operation["responses"].as_object().unwrap();
        bodies.extend(responses.iter().map(|(status, response)| (format!("{method} {path} {status}"), response)));
    }
    for (name, response) in served["components"]["responses"].as_object().unwrap() {
        bodies.push((name.clone(), response));
    }
    let mut problems = Vec::new();
    let mut count = 0;
    for (at, body) in bodies {
        for (media_type, media) in body.get("content").and_then(Value::as_object).into_iter().flatten() {
            if media_type.ends_with("json") || media_type == "application/x-www-form-urlencoded" {
                count += 1;
                match media.get("example") {
                    Some(example) => problems.extend(Comparison::new(&served).value(&media["schema"], example, &at)),
                    None if media.get("examples").is_some() => {}
                    None => problems.push(format!("{at}: no example")),
                }
            }
        }
    }
    assert!(count > 300, "{count}");
    assert_eq!(problems, [""; 0]);
}

/// People read the same description as programs, on pages that run nothing but the server's own script.
#[tokio::test]
async fn every_operation_has_a_page_under_the_policy_of_all_pages() {
    let app = TestApp::start().await;
    let served = description(&app).await;
    let list = app.get("/api/docs").send().await.unwrap();
    assert_eq!(list.status(), 200);
    let policy = list.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    let list = list.text().await.unwrap();
    for (method, path, operation) in operations(&served) {
        let name = operation["operationId"].as_str().unwrap();
        assert!(list.contains(&format!("href=\"/api/docs/{name}\"")), "{method} {path} is not in the list");
    }
    for name in ["createStory", "getDeliveredStory", "signIn", "requestToken", "listActors"] {
        let page = app.get(&format!("/api/docs/{name}")).send().await.unwrap();
        assert_eq!(page.status(), 200, "{name}");
        let html = page.text().await.unwrap();
        assert!(
            html.contains("<form") && !html.contains("<script>") && !html.contains(" style=") && !html.contains(" onclick="),
            "{name}"
        );
    }
    let unknown = app.get("/api/docs/nothing").send().await.unwrap();
    assert_eq!(unknown.status(), 404);
}

/// The pages and what they load are there when only the content service runs.
#[tokio::test]
async fn the_pages_need_no_identity_service() {
    let app = TestApp::with_variables(&[("APP_SERVICES", "content")]).await;
    let list = app.get("/api/docs").send().await.unwrap().text().await.unwrap();
    assert!(list.contains("/api/docs/createStory") && !list.contains("/api/docs/signIn"));
    let style = list
        .split("href=\"")
        .find_map(|rest| rest.split('"').next().filter(|path| path.starts_with("/assets/pages/api.")))
        .unwrap();
    assert_eq!(app.get(style).send().await.unwrap().status(), 200, "{style}");
}
