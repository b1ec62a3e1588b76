//! There is always an administrator who can sign in.

use super::{ADMIN, administrator, app, email::with_mail, user};
use crate::identity::meanwhile;
use support::prelude::*;

const OTHER: &str = "other@example.org";
const ABLE: &str = "select count(*) from users where is_admin and suspended_at is null and password_hash is not null";

/// Two administrators, signed in, with their ids.
async fn two(app: &support::TestApp) -> [(Person, String); 2] {
    let admin = administrator(app).await;
    let other = Person::signed_in(app, OTHER).await;
    app.sql("update users set is_admin = true").await;
    let (own, id) = (admin.id().await, other.id().await);
    [(admin, own), (other, id)]
}

/// The ways to make one administrator fewer: method, what follows the path of the person, and the body.
const WAYS: [(&str, &str, &str); 3] = [("PATCH", "", r#"{"isAdmin":false}"#), ("POST", "/suspend", "{}"), ("DELETE", "", "{}")];

/// Attack 149.
#[tokio::test]
async fn two_administrators_who_remove_each_other_at_once_leave_one() {
    for (method, below, body) in WAYS {
        let app = app().await;
        let [(admin, own), (other, id)] = two(&app).await;
        let method: reqwest::Method = method.parse().unwrap();
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let (first, second) = (format!("{}{below}", user(&id)), format!("{}{below}", user(&own)));
        let (first, second) = tokio::join!(admin.send(method.clone(), &first, &body), other.send(method.clone(), &second, &body));
        let mut answers = [first.refusal(), second.refusal()];
        answers.sort_unstable();
        assert_eq!(answers[0], (200, ""), "{method} {below}: {answers:?}");
        // The other request either came too late to be let in, or was refused when it had waited.
        assert!(
            [(401, "unauthorized"), (403, "forbidden"), (409, "lastAdmin")].contains(&answers[1]),
            "{method} {below}: {answers:?}"
        );
        assert_eq!(app.count(ABLE).await, 1, "{method} {below}");
    }
}

#[tokio::test]
async fn a_request_that_waited_finds_itself_without_the_right_or_the_person_the_last() {
    for (method, below, body) in WAYS {
        let app = app().await;
        let [(admin, _), (_, id)] = two(&app).await;
        let method: reqwest::Method = method.parse().unwrap();
        let (path, body) = (format!("{}{below}", user(&id)), serde_json::from_str(body).unwrap());
        let own = format!("update users set is_admin = false where email = '{ADMIN}'");
        let refused = meanwhile(&app, &own, admin.send(method.clone(), &path, &body)).await;
        assert_eq!(refused.refusal(), (403, "forbidden"), "{method} {below}");
        assert_eq!(app.count(ABLE).await, 1);
        assert_eq!(Person::elsewhere(&app, OTHER).await.send(method, &path, &body).await.status, 400, "not oneself either");
    }
}

/// While mail is on, an address that is not verified does not sign in.
#[tokio::test]
async fn an_administrator_whose_address_is_not_verified_does_not_count_where_there_is_mail() {
    let mails = MailBox::start().await;
    let (app, admin) = with_mail(&mails, &[]).await;
    let own = admin.id().await;
    app.sql(
        "insert into users (id, email, first_name, locale, is_admin, password_hash, created_at)
               select gen_random_uuid(), 'other@example.org', 'Other', 'en', true, password_hash, now() from users",
    )
    .await;
    let unverify = async |user: &str| admin.patch(user, &json!({ "emailVerified": false })).await;
    assert_eq!(unverify(&user(&own)).await.refusal(), (409, "lastAdmin"));
    assert_eq!(admin.delete("/api/me", &json!({ "password": PASSWORD })).await.refusal(), (409, "lastAdmin"));
    app.sql("update users set email_verified = true").await;
    assert_eq!(unverify(&user(&own)).await.refusal(), (200, ""));
}

#[tokio::test]
async fn an_administrator_who_cannot_sign_in_does_not_count() {
    let app = app().await;
    let [(admin, own), (other, _)] = two(&app).await;
    // The one who acts has a session but no way to sign in again, so the other one is the last.
    app.sql("alter table users disable trigger all").await;
    app.sql(&format!("update users set password_hash = null where id = '{own}'")).await;
    let id = other.id().await;
    for (method, below, body) in WAYS {
        let (path, body) = (format!("{}{below}", user(&id)), serde_json::from_str(body).unwrap());
        assert_eq!(admin.send(method.parse().unwrap(), &path, &body).await.refusal(), (409, "lastAdmin"), "{method} {below}");
    }
    assert_eq!(other.get("/api/admin/users").await.status, 200);
    assert_eq!(other.delete("/api/me", &json!({ "password": PASSWORD })).await.refusal(), (409, "lastAdmin"));
    let removed = "select count(*) from account_audit where event like 'admin.user.%'";
    assert_eq!(app.count(removed).await, 0);
}
