//! Logging people out.

use super::{ADMIN, ANN, FREE, administrator, recorded, user, with_administrator, with_ann};
use support::prelude::*;

const ALL: &str = "/api/admin/force-logout-all";

#[tokio::test]
async fn one_person_is_logged_out_everywhere() {
    let (app, admin, ann) = with_ann().await;
    let (phone, other) = (Person::elsewhere(&app, ANN).await, Person::signed_in(&app, "other@example.org").await);
    let id = ann.id().await;
    let logged_out = admin.post(&format!("{}/force-logout", user(&id)), &json!({})).await;
    assert_eq!((logged_out.status, &logged_out.body), (200, &json!({ "affected": 1 })));
    assert_eq!(logged_out.cookie("session"), None);
    assert_eq!(
        (ann.get("/api/me").await.status, phone.get("/api/me").await.status, other.get("/api/me").await.status),
        (401, 401, 200)
    );
    assert_eq!(recorded(&app, "admin.user.force_logout").await, [json!(["success", "admin", admin.id().await, id, {}])]);
}

#[tokio::test]
async fn an_administrator_who_logs_out_themselves_stays_signed_in_here() {
    let (app, admin) = with_administrator().await;
    let phone = Person::elsewhere(&app, ADMIN).await;
    let own = admin.id().await;
    let old = admin.csrf().await;
    let logged_out = admin.post(&format!("{}/force-logout", user(&own)), &json!({})).await;
    assert!(logged_out.cookie("session").is_some_and(|cookie| !cookie.is_empty()), "{}", logged_out.body);
    assert_eq!((admin.get("/api/admin/users").await.status, phone.get("/api/me").await.status), (200, 401));
    let request = admin.request(Method::POST, &format!("{}/force-logout", user(&own))).await;
    assert_eq!(request.json(&json!({})).send().await.unwrap().status(), 200, "{old}");
}

#[tokio::test]
async fn everybody_is_logged_out_and_the_administrator_stays_here() {
    let (app, admin) = with_administrator().await;
    let (phone, ann) = (Person::elsewhere(&app, ADMIN).await, Person::signed_in(&app, ANN).await);
    super::list::add_people(&app, 100).await;
    let answer = admin.post(ALL, &json!({})).await;
    let body = json!({ "affected": 102, "scope": "all", "message": "Everybody is logged out", "self": false });
    assert_eq!((answer.status, &answer.body), (200, &body));
    assert!(answer.cookie("session").is_some_and(|cookie| !cookie.is_empty()));
    assert_eq!(
        (admin.get("/api/admin/users").await.status, phone.get("/api/me").await.status, ann.get("/api/me").await.status),
        (200, 401, 401)
    );
    let details = json!({ "scope": "all", "alsoLogOutSelf": false, "affected": 102 });
    assert_eq!(recorded(&app, "admin.force_logout_all").await, [json!(["success", "admin", admin.id().await, null, details])]);
}

#[tokio::test]
async fn the_administrator_too_if_they_want_that() {
    let (_app, admin) = with_administrator().await;
    let answer = admin.post(ALL, &json!({ "scope": "all", "alsoLogOutSelf": true })).await;
    assert_eq!((answer.status, &answer.body["self"], answer.cookie("session").as_deref()), (200, &json!(true), Some("")));
    assert_eq!(admin.get("/api/me").await.status, 401);
}

#[tokio::test]
async fn everybody_but_the_administrators() {
    let (app, admin) = with_administrator().await;
    let (phone, ann) = (Person::elsewhere(&app, ADMIN).await, Person::signed_in(&app, ANN).await);
    let other = Person::signed_in(&app, "other@example.org").await;
    app.sql("update users set is_admin = true where email like 'other%'").await;
    let answer = admin.post(ALL, &json!({ "scope": "non_admins" })).await;
    let message = "Everybody but the administrators is logged out";
    assert_eq!(answer.body, json!({ "affected": 1, "scope": "non_admins", "message": message, "self": false }));
    assert_eq!(answer.cookie("session"), None);
    for (person, status) in [(&admin, 200), (&phone, 200), (&other, 200), (&ann, 401)] {
        assert_eq!(person.get("/api/me").await.status, status);
    }
    for body in [json!({ "scope": "non_admins", "alsoLogOutSelf": true }), json!({ "scope": "some" }), json!({ "scope": 1 })] {
        assert_eq!(admin.post(ALL, &body).await.refusal(), (400, "validation"), "{body}");
    }
}

/// A client with a logout URI, whose deliveries no receiver takes.
async fn app_with_a_client() -> TestApp {
    let clients =
        r#"[{"clientId":"web","redirectUris":["https://a.example/cb"],"backchannelLogoutUri":"https://127.0.0.1:1/out"}]"#;
    TestApp::with_variables(&[FREE, &[("APP_OIDC_CLIENTS_JSON", clients)]].concat()).await
}

const DELIVERIES: &str = "select count(*) from deliveries where event = 'logout'";

#[tokio::test]
async fn the_clients_that_people_signed_in_to_are_told() {
    let app = app_with_a_client().await;
    let admin = administrator(&app).await;
    let (_phone, ann) = (Person::elsewhere(&app, ADMIN).await, Person::signed_in(&app, ANN).await);
    let _other = Person::signed_in(&app, "other@example.org").await;
    app.sql(
        "insert into oidc_session_clients (session_id, client_id, first_used_at)
         select sessions.id, 'web', now() from sessions join users on users.id = user_id where email not like 'other%'",
    )
    .await;
    assert_eq!(admin.post(ALL, &json!({})).await.status, 200);
    let told = format!("{DELIVERIES} and convert_from(body, 'utf8') like");
    let (own, id) = (admin.id().await, super::user(&Person::elsewhere(&app, ANN).await.id().await));
    let id = id.rsplit('/').next().unwrap().to_owned();
    assert_eq!(app.count(DELIVERIES).await, 2, "one of the phone, one of all sessions of Ann");
    assert_eq!(app.count(&format!("{told} '%{own}%'")).await, 1);
    assert_eq!(app.count(&format!("{told} '%{id}%'")).await, 1);
    assert_eq!(ann.get("/api/me").await.status, 401);

    app.sql("insert into oidc_session_clients select id, 'web', now() from sessions on conflict do nothing").await;
    assert_eq!(admin.post(&format!("{}/force-logout", user(&id)), &json!({})).await.status, 200);
    assert_eq!(app.count(DELIVERIES).await, 3);
    assert_eq!(admin.post(ALL, &json!({ "scope": "non_admins" })).await.body["affected"], 2);
    assert_eq!(app.count(DELIVERIES).await, 3, "nobody of them is signed in");
}
