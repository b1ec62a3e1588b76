//! Links for people who have none that works: an invitation once more, and a new password.

use super::{ADMIN, ANN, FREE, recorded, with_administrator, with_ann};
use crate::identity::{
    links::{self, MAILING},
    totp,
};
use support::prelude::*;

const NEW: &str = "an even quieter port";

async fn invited(admin: &Person) -> (String, String) {
    let body = json!({ "email": ANN, "firstName": "Ann", "passwordMode": "invite" });
    let made = admin.post("/api/admin/users", &body).await.expect(201);
    (made["user"]["id"].as_str().unwrap().to_owned(), token(&made["inviteLink"]))
}

/// The token of a link.
fn token(link: &Value) -> String {
    link.as_str().unwrap_or_else(|| panic!("{link}")).split_once("?token=").unwrap().1.to_owned()
}

async fn accept(app: &TestApp, token: &str) -> (u16, String) {
    let accepted = Person::at(app).post("/api/auth/accept-invite", &json!({ "token": token, "newPassword": NEW })).await;
    (accepted.status, accepted.body["error"].as_str().unwrap_or_default().to_owned())
}

async fn reset(app: &TestApp, token: &str) -> u16 {
    Person::at(app).post("/api/auth/password/reset", &json!({ "token": token, "newPassword": NEW })).await.status
}

#[tokio::test]
async fn an_invitation_that_ran_out_is_renewed_and_its_link_is_shown_while_mail_is_off() {
    let (app, admin) = with_administrator().await;
    let (ann, first) = invited(&admin).await;
    app.clock.advance(SignedDuration::from_hours(7 * 24));
    let admin = Person::elsewhere(&app, ADMIN).await;
    assert_eq!(accept(&app, &first).await, (401, "invalidToken".to_owned()));

    let again = admin.post(&format!("/api/admin/users/{ann}/invite-link"), &json!({})).await;
    assert_eq!((again.status, &again.body["sent"]), (200, &json!(false)), "{}", again.body);
    let until = app.clock.now() + SignedDuration::from_hours(7 * 24);
    assert_eq!(again.body["expiresAt"], until.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string());
    let second = token(&again.body["inviteLink"]);
    let third = token(&admin.post(&format!("/api/admin/users/{ann}/invite-link"), &json!({})).await.body["inviteLink"]);
    assert_eq!(accept(&app, &second).await, (401, "invalidToken".to_owned()), "a new one ends those before");
    assert_eq!(accept(&app, &third).await.0, 200);
    assert_eq!(Person::at(&app).login(ANN, NEW).await.status, 200);
    assert_eq!(recorded(&app, "admin.user.invite_renewed").await.len(), 2);
    let refused = admin.post(&format!("/api/admin/users/{ann}/invite-link"), &json!({})).await;
    assert_eq!(refused.refusal(), (409, "invitationAccepted"));
}

#[tokio::test]
async fn with_mail_the_link_is_mailed_and_shown_to_nobody() {
    let app = TestApp::with_variables(&[FREE, MAILING].concat()).await;
    let admin = Person::at(&app);
    assert_eq!(admin.register(ADMIN).await.status, 201);
    app.sql("update users set email_verified = true").await;
    assert_eq!(admin.login(ADMIN, PASSWORD).await.status, 200);
    let (ann, first) = invited(&admin).await;
    let again = admin.post(&format!("/api/admin/users/{ann}/invite-link"), &json!({})).await;
    assert_eq!((again.status, &again.body["sent"]), (200, &json!(true)));
    assert!(!again.body.to_string().contains("token="), "{}", again.body);
    let mailed = links::last_token(&app, ANN).await;
    assert_ne!(mailed, first);
    assert_eq!(accept(&app, &first).await.0, 401);
    assert_eq!(accept(&app, &mailed).await.0, 200);
    let link = admin.post(&format!("/api/admin/users/{ann}/reset-link"), &json!({})).await;
    assert_eq!((link.status, &link.body["sent"], &link.body["resetLink"]), (200, &json!(true), &Value::Null));
    assert_eq!(reset(&app, &links::last_token(&app, ANN).await).await, 400, "the password is the one that is in use");
    assert_eq!(
        app.count("select count(*) from account_audit where event like 'admin.user.%' and details->>'mailed' = 'true'").await,
        2
    );
}

#[tokio::test]
async fn anybody_gets_a_link_for_a_new_password_and_a_second_factor_is_still_asked_for() {
    let (app, admin, ann) = with_ann().await;
    totp::enrol(&app, &ann).await;
    let path = format!("/api/admin/users/{}/reset-link", ann.id().await);
    let made = admin.post(&path, &json!({})).await;
    assert_eq!((made.status, &made.body["sent"], &made.body["inviteLink"]), (200, &json!(false), &Value::Null), "{}", made.body);
    assert_eq!(ann.get("/api/me").await.status, 200, "nothing ends before it is used");
    assert_eq!(reset(&app, &token(&made.body["resetLink"])).await, 200);
    assert_eq!(ann.get("/api/me").await.status, 401);
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 401);
    assert_eq!(Person::at(&app).login(ANN, NEW).await.body["twoFactorRequired"], true);
    assert_eq!(recorded(&app, "admin.user.reset_link_made").await.len(), 1);
    let texts = "select count(*) from account_audit where details::text like '%token=%'";
    assert_eq!(app.count(texts).await, 0, "the trail has no link");
}

#[tokio::test]
async fn who_is_suspended_or_unknown_gets_none() {
    let (app, admin) = with_administrator().await;
    let (ann, _) = invited(&admin).await;
    assert_eq!(admin.post(&format!("/api/admin/users/{ann}/suspend"), &json!({})).await.status, 200);
    let before = app.count("select count(*) from one_time").await;
    for purpose in ["invite-link", "reset-link"] {
        let refused = admin.post(&format!("/api/admin/users/{ann}/{purpose}"), &json!({})).await;
        assert_eq!(refused.refusal(), (409, "accountSuspended"), "{purpose}");
        let nobody = format!("/api/admin/users/{}/{purpose}", uuid::Uuid::nil());
        assert_eq!(admin.post(&nobody, &json!({})).await.refusal(), (404, "notFound"));
    }
    assert_eq!(app.count("select count(*) from one_time").await, before);
}
