//! Creating people.

use super::{ANN, administrator, administrator_with_mail, app, recorded, with_administrator};
use crate::identity::links::{last_link, letters, mailing_app};
use support::prelude::*;

fn with_password() -> Value {
    json!({ "email": " Ann@Example.org ", "firstName": "Ann", "lastName": "Bee", "passwordMode": "set", "password": PASSWORD })
}

fn invited() -> Value {
    json!({ "email": ANN, "firstName": "Ann", "passwordMode": "invite", "locale": "en" })
}

#[tokio::test]
async fn a_person_with_a_password_can_sign_in_at_once() {
    let (app, admin) = with_administrator().await;
    let created = admin.post("/api/admin/users", &with_password()).await;
    assert_eq!((created.status, &created.body["inviteLink"]), (201, &Value::Null), "{}", created.body);
    let user = &created.body["user"];
    assert_eq!((&user["email"], &user["emailVerified"], &user["isAdmin"]), (&json!(ANN), &json!(true), &json!(false)));
    assert_eq!((&user["hasPassword"], &user["lastLoginAt"]), (&json!(true), &Value::Null));
    assert_eq!(admin.get(&super::user(user["id"].as_str().unwrap())).await.body, *user);
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
    let entry = json!(["success", "admin", admin.id().await, user["id"], { "passwordMode": "set", "isAdmin": false }]);
    assert_eq!(recorded(&app, "admin.user.created").await, [entry]);
}

#[tokio::test]
async fn an_invited_person_sets_a_password_with_the_link() {
    let (app, admin) = with_administrator().await;
    let created = admin.post("/api/admin/users", &invited()).await;
    assert_eq!((created.status, &created.body["user"]["emailVerified"]), (201, &json!(false)), "{}", created.body);
    assert_eq!(created.body["user"]["hasPassword"], false);
    let link = created.body["inviteLink"].as_str().unwrap();
    let token = link.strip_prefix(&app.url("/accept-invite?token=")).expect("the page that accepts it");
    let ann = Person::at(&app);
    let accepted = ann.post("/api/auth/accept-invite", &json!({ "token": token, "newPassword": PASSWORD })).await;
    assert_eq!((accepted.status, &accepted.body["user"]["emailVerified"]), (200, &json!(true)));
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn what_is_wrong_is_refused_and_nobody_is_created() {
    let (app, admin) = with_administrator().await;
    let with = |name: &str, value: Value| {
        let mut body = with_password();
        body[name] = value;
        body
    };
    for (body, refusal) in [
        (json!({}), "validation"),
        (with("email", json!("ann")), "validation"),
        (with("email", Value::Null), "validation"),
        (with("firstName", json!("  ")), "validation"),
        (with("lastName", json!("x".repeat(101))), "validation"),
        (with("isAdmin", json!("true")), "validation"),
        (with("passwordMode", json!("later")), "validation"),
        (with("passwordMode", Value::Null), "validation"),
        (with("passwordMode", json!("invite")), "validation"),
        (with("password", Value::Null), "validation"),
        (with("password", json!("password")), "weakPassword"),
        (with("locale", json!("xx")), "unsupportedLocale"),
    ] {
        assert_eq!(admin.post("/api/admin/users", &body).await.refusal(), (400, refusal), "{body}");
    }
    assert_eq!(app.count("select count(*) from users").await, 1);
    assert_eq!(recorded(&app, "admin.user.created").await, [Value::Null; 0]);
}

/// Attack 153.
#[tokio::test]
async fn of_fifty_people_with_one_address_one_is_created() {
    let app = std::sync::Arc::new(app().await);
    let admin = administrator(&app).await;
    let csrf = admin.csrf().await;
    let mut crowd = JoinSet::new();
    for number in 0..50_usize {
        let mut body = if number % 2 == 0 { with_password() } else { invited() };
        body["email"] = json!(if number % 3 == 0 { "ANN@example.ORG" } else { ANN });
        let request = admin.browser.post(app.url("/api/admin/users")).header("x-csrf-token", &csrf).json(&body);
        crowd.spawn(async move { request.send().await.unwrap().status().as_u16() });
    }
    let mut statuses = crowd.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 49][..]));
    assert_eq!(app.count("select count(*) from users where email = 'ann@example.org'").await, 1);
    let again = admin.post("/api/admin/users", &with_password()).await;
    assert_eq!(again.refusal(), (409, "emailTaken"));
    assert_eq!(recorded(&app, "admin.user.created").await.len(), 1);
}

#[tokio::test]
async fn a_created_person_is_no_first_person() {
    let (app, admin) = with_administrator().await;
    app.sql("delete from first_admin").await;
    let mut body = invited();
    body["isAdmin"] = json!(true);
    assert_eq!(admin.post("/api/admin/users", &body).await.body["user"]["isAdmin"], true, "who is named is promoted");
    let other = json!({ "email": "other@example.org", "firstName": "O", "passwordMode": "invite" });
    assert_eq!(admin.post("/api/admin/users", &other).await.body["user"]["isAdmin"], false);
    Person::at(&app).register("late@example.org").await;
    assert_eq!(app.count("select count(*) from users where is_admin and email <> 'admin@example.org'").await, 1);
    assert_eq!(app.count("select count(*) from users where email = 'late@example.org' and is_admin").await, 0);
}

#[tokio::test]
async fn an_invitation_is_mailed_too() {
    let app = mailing_app().await;
    let admin = administrator_with_mail(&app).await;
    let created = admin.post("/api/admin/users", &invited()).await.expect(201);
    assert_eq!(letters(&app, ANN).await.len(), 1);
    assert_eq!(created["inviteLink"], last_link(&app, ANN).await);
}
