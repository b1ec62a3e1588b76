//! Members that an endpoint does not know are refused below `/api/admin` and `/api/me`, and what a resource
//! shows can be sent back.

use super::app;
use support::{Declared, prelude::*};

/// Those that need a thing that is there, and have a test of their own below.
const OF_A_RESOURCE: [&str; 1] = ["PATCH /api/me/passkeys/{id}"];

/// The path of a template, about the first administrator and a thing that is not there.
fn path(template: &str, person: &Value) -> String {
    let value = |segment: &str| match segment {
        "{id}" if template.starts_with("/api/admin/users/") => person.as_str().unwrap().to_owned(),
        "{id}" if template.contains("/tokens/") => "1".to_owned(),
        "{id}" => uuid::Uuid::nil().to_string(),
        "{kind}" => "management".to_owned(),
        "{space}" => "1".to_owned(),
        "{name}" => "mail".to_owned(),
        literal => literal.to_owned(),
    };
    template.split('/').map(value).collect::<Vec<_>>().join("/")
}

async fn administrator(app: &TestApp) -> Person {
    Person::signed_in(app, "admin@example.org").await
}

#[tokio::test]
async fn no_endpoint_of_an_account_or_of_administrators_takes_a_member_that_it_does_not_know() {
    let app = app().await;
    let admin = administrator(&app).await;
    let id = admin.get("/api/me").await.body["id"].clone();
    assert_eq!(admin.post("/api/v1/spaces", &json!({ "name": "Site" })).await.status, 201);
    let space = admin.get("/api/v1/spaces").await.body["spaces"][0]["id"].to_string();
    let is_ours = |endpoint: &&Declared| {
        let (method, template) = (&endpoint.method, endpoint.template);
        *method != http::Method::GET
            && ["/api/admin/", "/api/me"].iter().any(|prefix| template.starts_with(prefix))
            && !OF_A_RESOURCE.contains(&format!("{method} {template}").as_str())
    };
    let ours: Vec<&Declared> = app.endpoints.iter().filter(is_ours).collect();
    assert!(ours.len() > 25, "{}", ours.len());
    for endpoint in ours {
        let path = path(endpoint.template, &id).replace("/spaces/1/", &format!("/spaces/{space}/"));
        let response = admin.send(endpoint.method.clone(), &path, &json!({ "noSuchMember": 1 })).await;
        let detail = &response.body["details"][0];
        assert_eq!(
            (response.refusal(), &detail["field"], &detail["code"]),
            ((400, "validation"), &json!("noSuchMember"), &json!("unknownField")),
            "{} {path} {}",
            endpoint.method,
            response.body
        );
    }
    assert_eq!(admin.get("/api/me").await.status, 200, "nothing was done");
}

#[tokio::test]
async fn a_misspelt_member_changes_nothing_and_the_answer_names_the_nearest() {
    let app = app().await;
    let admin = administrator(&app).await;
    Person::signed_in(&app, "ann@example.org").await;
    let found = admin.get("/api/admin/users?search=ann@").await.body["users"][0].clone();
    let ann = format!("/api/admin/users/{}", found["id"].as_str().unwrap());

    let refused = admin.patch(&ann, &json!({ "suspended": true, "frstName": "Eve", "lastName": "Eve" })).await;
    assert_eq!(refused.refusal(), (400, "validation"));
    let message = refused.body["message"].as_str().unwrap();
    assert!(message.contains("suspendedAt") && message.contains("firstName"), "{message}");
    let refused = admin.patch(&ann, &json!({ "suspendedAt": "2026-11-22T00:00:00.000Z" })).await;
    assert_eq!((refused.refusal(), &refused.body["details"][0]["field"]), ((400, "notEditable"), &json!("suspendedAt")));
    assert_eq!(admin.get(&ann).await.body, found);
    let refused = admin.send(http::Method::POST, &format!("{ann}/suspend"), &json!({ "reason": "spam" })).await;
    assert_eq!(refused.refusal(), (400, "validation"));
    assert_eq!(admin.get(&ann).await.body["suspendedAt"], Value::Null);
    for body in [json!([]), json!("now"), json!(7)] {
        let refused = admin.send(http::Method::POST, &format!("{ann}/suspend"), &body).await;
        assert_eq!(refused.refusal(), (400, "validation"), "{body}");
    }
}

#[tokio::test]
async fn what_was_read_can_be_sent_back_with_a_change() {
    let app = app().await;
    let admin = administrator(&app).await;
    let mut read = admin.get("/api/me").await.body;
    read["lastName"] = json!("Cee");
    assert_eq!(admin.patch("/api/me", &read).await.body["lastName"], "Cee");

    let user = format!("/api/admin/users/{}", read["id"].as_str().unwrap());
    let mut read = admin.get(&user).await.body;
    read["firstName"] = json!("Anna");
    let changed = admin.patch(&user, &read).await;
    assert_eq!((changed.status, &changed.body["firstName"]), (200, &json!("Anna")), "{}", changed.body);

    // Without a body, and with an empty one.
    for body in [None, Some(json!({})), Some(Value::Null)] {
        let request = admin.request(Method::POST, "/api/me/sessions/revoke-others").await;
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        assert_eq!(request.send().await.unwrap().status(), 200, "{body:?}");
    }
    let ignored = json!({ "email": "admin@example.org", "password": PASSWORD, "remember": true, "_csrf": "x" });
    assert_eq!(Person::at(&app).post("/api/auth/login", &ignored).await.status, 200, "signing in stays lenient");
}
