//! Who may use the admin API.

use super::{ADMIN, ANN, administrator, user, with_administrator, with_ann};
use crate::identity::FREE;
use http::Method;
use support::prelude::*;

/// The endpoints of the admin API, each with a path that exists.
fn endpoints(app: &TestApp, id: &str) -> Vec<(Method, String)> {
    let admin = app.endpoints.iter().filter(|endpoint| endpoint.template.starts_with("/api/admin/"));
    let found: Vec<_> = admin.map(|endpoint| (endpoint.method.clone(), path(endpoint.template, id))).collect();
    assert!(found.len() >= 11, "{found:?}");
    found
}

/// A path of a template.
fn path(template: &str, id: &str) -> String {
    template.replace("{id}", id).replace("{clientId}", "web").replace("{space}", "7").replace("{name}", "webhooks")
}

async fn status(app: &TestApp, person: &Person, method: &Method, path: &str, header: Option<(&str, &str)>) -> (u16, String) {
    let request = person.browser.request(method.clone(), app.url(path)).json(&json!({}));
    let request = header.map_or(request.try_clone().unwrap(), |(name, value)| request.header(name, value));
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body: serde_json::Value = response.json().await.unwrap();
    (status, body["error"].as_str().unwrap_or_default().to_owned())
}

/// Attack 145.
#[tokio::test]
async fn only_a_signed_in_administrator_is_let_in() {
    let (app, admin, ann) = with_ann().await;
    let id = ann.id().await;
    let suspended = Person::signed_in(&app, "suspended@example.org").await;
    app.sql("update users set is_admin = true, suspended_at = now() where email like 'suspended%'").await;
    let nobody = Person::at(&app);
    for (method, path) in endpoints(&app, &id) {
        let unauthorized = (401, "unauthorized".to_owned());
        for header in [None, Some(("authorization", "Bearer sbmgmt_0123456789")), Some(("authorization", "Basic d2ViOnNlY3JldA=="))]
        {
            assert_eq!(status(&app, &nobody, &method, &path, header).await, unauthorized, "{method} {path} {header:?}");
        }
        assert_eq!(status(&app, &suspended, &method, &path, None).await, unauthorized, "{method} {path}");
        assert_eq!(status(&app, &ann, &method, &path, None).await, (403, "forbidden".to_owned()), "{method} {path}");
        if method != Method::GET {
            assert_eq!(status(&app, &admin, &method, &path, None).await, (403, "csrfInvalid".to_owned()), "{method} {path}");
        }
    }
    assert_eq!(admin.get(&user(&id)).await.status, 200);
    app.sql("update users set is_admin = false").await;
    for (method, path) in endpoints(&app, &id) {
        assert_eq!(status(&app, &admin, &method, &path, None).await, (403, "forbidden".to_owned()), "the right counts at once");
    }
}

/// Attack 147.
#[tokio::test]
async fn an_id_that_is_none_is_404() {
    let (app, admin) = with_administrator().await;
    let unknown = uuid::Uuid::nil().to_string();
    for id in ["1", "x", "%00", "..%2f", "' or 1=1", &unknown.replace('-', ""), &format!("{{{unknown}}}"), &unknown] {
        for (method, path) in endpoints(&app, id).into_iter().filter(|(_, path)| path.starts_with(&user(id))) {
            let csrf = admin.csrf().await;
            let answer = status(&app, &admin, &method, &path, Some(("x-csrf-token", &csrf))).await;
            // An unknown person is found out after the body was read.
            let is_refused = answer == (404, "notFound".to_owned()) || (id == unknown && answer.0 == 400 && method == Method::PUT);
            assert!(is_refused, "{method} {path}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn an_administrator_signs_in_again_after_a_time() {
    let app = TestApp::with_variables(&[FREE, &[("APP_ADMIN_SESSION_MAX_AGE", "3600")]].concat()).await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    app.clock.advance(SignedDuration::from_secs(3600));
    assert_eq!(admin.get("/api/admin/users").await.status, 200);
    app.clock.advance(SignedDuration::from_secs(1));
    let refused = admin.get("/api/admin/users").await;
    assert_eq!(refused.refusal(), (401, "reauthenticationRequired"));
    assert_eq!(admin.post("/api/admin/users", &json!({})).await.refusal(), (401, "reauthenticationRequired"));
    assert_eq!(ann.get("/api/admin/users").await.refusal(), (403, "forbidden"), "signing in again would not help");
    assert_eq!(admin.get("/api/me").await.status, 200, "the session goes on");
    let again = Person::elsewhere(&app, ADMIN).await;
    assert_eq!(again.get("/api/admin/users").await.status, 200);
}

#[tokio::test]
async fn twelve_hours_are_the_default() {
    let (app, admin) = with_administrator().await;
    app.clock.advance(SignedDuration::from_hours(12));
    assert_eq!(admin.get("/api/admin/users").await.status, 200);
    app.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(admin.get("/api/admin/users").await.refusal(), (401, "reauthenticationRequired"));
}
