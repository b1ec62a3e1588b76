//! Changing, deleting and exporting people.

use super::{ADMIN, ANN, recorded, user, with_ann};
use crate::identity::links;
use support::prelude::*;

#[tokio::test]
async fn an_administrator_changes_what_the_owner_may_change_and_the_rights() {
    let (app, admin, ann) = with_ann().await;
    let id = ann.id().await;
    let change = json!({ "firstName": " Anna ", "lastName": null, "displayName": "A.", "emailVerified": false, "isAdmin": true });
    let changed = admin.patch(&user(&id), &change).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    for (name, value) in [
        ("firstName", json!("Anna")),
        ("lastName", Value::Null),
        ("displayName", json!("A.")),
        ("emailVerified", json!(false)),
        ("isAdmin", json!(true)),
        ("email", json!(ANN)),
    ] {
        assert_eq!(changed.body[name], value, "{name}");
    }
    assert_eq!(admin.get(&user(&id)).await.body, changed.body);
    assert_eq!(ann.get("/api/admin/users").await.status, 200, "the right counts at once");
    assert_eq!(admin.patch(&user(&id), &json!({ "isAdmin": false, "emailVerified": true })).await.body["isAdmin"], false);
    assert_eq!(ann.get("/api/admin/users").await.refusal(), (403, "forbidden"));
    assert_eq!(admin.patch(&user(&id), &json!({ "firstName": "Anna" })).await.status, 200, "nothing changes");
    let by = admin.id().await;
    let all = json!(["firstName", "lastName", "displayName", "emailVerified", "isAdmin"]);
    assert_eq!(
        recorded(&app, "admin.user.updated").await,
        [
            json!(["success", "admin", by, id, { "changed": all, "emailVerified": false, "isAdmin": true }]),
            json!(["success", "admin", by, id, { "changed": ["emailVerified", "isAdmin"], "emailVerified": true, "isAdmin": false }]),
        ]
    );
}

#[tokio::test]
async fn what_cannot_be_changed_is_refused() {
    let (app, admin, ann) = with_ann().await;
    let (own, id) = (admin.id().await, ann.id().await);
    for (path, body, refusal) in [
        (user(&id), json!({ "email": "other@example.org" }), "notEditable"),
        (user(&id), json!({ "firstName": null }), "validation"),
        (user(&id), json!({ "isAdmin": "yes" }), "validation"),
        (user(&id), json!({ "locale": "xx" }), "unsupportedLocale"),
        (user(&own), json!({ "isAdmin": false, "firstName": "X" }), "cannotRemoveOwnAdmin"),
    ] {
        assert_eq!(admin.patch(&path, &body).await.refusal(), (400, refusal), "{body}");
    }
    assert_eq!(admin.patch(&user(&own), &json!({ "isAdmin": true, "firstName": "Ada" })).await.body["firstName"], "Ada");
    assert_eq!(recorded(&app, "admin.user.updated").await.len(), 1);
}

#[tokio::test]
async fn a_verification_link_is_void_once_an_administrator_has_verified() {
    let app = links::mailing_app().await;
    let admin = super::administrator_with_mail(&app).await;
    let ann = Person::at(&app);
    ann.register(ANN).await;
    assert_eq!(ann.login(ANN, PASSWORD).await.refusal(), (403, "emailNotVerified"));
    let id = admin.get(&format!("/api/admin/users?search={ANN}")).await.body["users"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(admin.patch(&user(&id), &json!({ "emailVerified": true })).await.status, 200);
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
    let open =
        "select count(*) from one_time where kind = 'verification' and used_at is null and expires_at > '2026-03-01T12:00:00Z'";
    assert_eq!(app.count(&format!("{open} and user_id = '{id}'")).await, 0);
}

#[tokio::test]
async fn a_deleted_person_is_gone_and_cannot_come_back_with_the_session() {
    let (app, admin, ann) = with_ann().await;
    let (own, id) = (admin.id().await, ann.id().await);
    assert_eq!(admin.delete(&user(&own), &json!({})).await.refusal(), (400, "cannotDeleteSelf"));
    let deleted = admin.delete(&user(&id), &json!({})).await;
    assert_eq!((deleted.status, deleted.body), (200, json!({ "deleted": true })));
    assert_eq!((ann.get("/api/me").await.status, ann.login(ANN, PASSWORD).await.status), (401, 401));
    assert_eq!(admin.delete(&user(&id), &json!({})).await.refusal(), (404, "notFound"));
    assert_eq!(recorded(&app, "admin.user.deleted").await, [json!(["success", "admin", own, id, {}])]);
    assert_eq!(app.count("select count(*) from users").await, 1);
}

/// Attack 165.
#[tokio::test]
async fn an_export_is_that_of_the_person_and_is_recorded() {
    let (app, admin, ann) = with_ann().await;
    let id = ann.id().await;
    let path = format!("{}/export", user(&id));
    let exported = admin.get(&path).await;
    let disposition = format!("attachment; filename=\"account-export-{id}-2026-03-01.json\"");
    assert_eq!((exported.status, exported.headers["content-disposition"].to_str().unwrap()), (200, disposition.as_str()));
    assert!(exported.headers["cache-control"].to_str().unwrap().contains("no-store"));
    let own = ann.get("/api/me/export").await;
    assert_eq!((&exported.body["profile"], &exported.body["meta"]), (&own.body["profile"], &own.body["meta"]));
    assert_eq!(exported.body["profile"]["email"], ANN);
    assert!(!exported.body.to_string().contains("$argon2"), "no hash");
    assert_eq!(recorded(&app, "admin.user.exported").await, [json!(["success", "admin", admin.id().await, id, {}])]);
    assert_eq!(ann.get(&format!("{}/export", user(&admin.id().await))).await.refusal(), (403, "forbidden"));
    admin.delete(&user(&id), &json!({})).await;
    assert_eq!(admin.get(&path).await.refusal(), (404, "notFound"));
    assert!(admin.get("/api/me/export").await.body["profile"]["email"] == ADMIN);
}
