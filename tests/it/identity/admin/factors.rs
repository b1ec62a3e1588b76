//! Resetting the second factors of people.

use super::{ADMIN, ANN, FREE, administrator, recorded, user, with_administrator, with_ann};
use crate::identity::{links, totp};
use support::prelude::*;

fn path(id: &str) -> String {
    format!("{}/reset-two-factor", user(id))
}

#[tokio::test]
async fn who_lost_the_app_signs_in_with_the_password_alone() {
    let (app, admin, ann) = with_ann().await;
    totp::enrol(&app, &ann).await;
    let id = ann.id().await;
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.body["twoFactorRequired"], true);
    let reset = admin.post(&path(&id), &json!({})).await;
    assert_eq!((reset.status, &reset.body), (200, &json!({ "clearedTotp": true, "clearedPasskeys": 0 })));
    assert_eq!(reset.cookie("session"), None);
    assert_eq!(ann.get("/api/me").await.status, 401, "whoever has the session may be somebody else");
    assert_eq!(ann.login(ANN, PASSWORD).await.body["user"]["totpEnabled"], false);
    assert_eq!(app.count("select count(*) from one_time where kind = 'backupCode'").await, 0);
    let again = admin.post(&path(&id), &json!({})).await;
    assert_eq!(again.body, json!({ "clearedTotp": false, "clearedPasskeys": 0 }));
    let by = admin.id().await;
    assert_eq!(
        recorded(&app, "admin.user.two_factor_reset").await,
        [
            json!(["success", "admin", by, id, { "clearedTotp": true, "clearedPasskeys": 0 }]),
            json!(["success", "admin", by, id, { "clearedTotp": false, "clearedPasskeys": 0 }]),
        ]
    );
}

#[tokio::test]
async fn passkeys_go_only_where_a_password_is_left() {
    let (app, admin, ann) = with_ann().await;
    let id = ann.id().await;
    give_passwords_up(&app, "email = 'ann@example.org'").await;
    assert_eq!(admin.post(&path(&id), &json!({})).await.body["clearedPasskeys"], 0);
    assert_eq!(app.count("select count(*) from passkeys").await, 1);
    app.sql("update users set password_hash = 'x' where email = 'ann@example.org'").await;
    assert_eq!(admin.post(&path(&id), &json!({})).await.body["clearedPasskeys"], 1);
    assert_eq!(app.count("select count(*) from passkeys").await, 0);
}

#[tokio::test]
async fn an_administrator_who_resets_their_own_factors_stays_signed_in_here() {
    let (app, admin) = with_administrator().await;
    let phone = Person::elsewhere(&app, ADMIN).await;
    totp::enrol(&app, &admin).await;
    let own = admin.id().await;
    let reset = admin.post(&path(&own), &json!({})).await;
    assert_eq!((&reset.body["clearedTotp"], reset.cookie("session").is_some()), (&json!(true), true));
    assert_eq!((admin.get("/api/admin/users").await.status, phone.get("/api/me").await.status), (200, 401));
}

#[tokio::test]
async fn failed_codes_are_forgotten() {
    let variables = [&FREE[1..], &[("APP_LOCKOUT_CODE_FAILURES", "2"), ("APP_RATE_LIMIT_LOGIN_IP", "1000/min")]].concat();
    let app = TestApp::with_variables(&variables).await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    totp::enrol(&app, &ann).await;
    let stranger = Person::at(&app);
    assert_eq!(stranger.login(ANN, PASSWORD).await.body["twoFactorRequired"], true);
    for _ in 0..2 {
        assert_eq!(stranger.post("/api/auth/verify-totp", &json!({ "code": "000000" })).await.status, 401);
    }
    assert_eq!(stranger.post("/api/auth/verify-totp", &json!({ "code": "000000" })).await.status, 429);
    assert!(app.count("select count(*) from lockout_counters where locked_until is not null").await > 0);
    assert_eq!(admin.post(&path(&ann.id().await), &json!({})).await.status, 200);
    assert_eq!(app.count("select count(*) from lockout_counters where locked_until is not null").await, 0);
}

#[tokio::test]
async fn the_owner_is_told_by_mail_and_not_from_where() {
    let app = links::mailing_app().await;
    let admin = super::administrator_with_mail(&app).await;
    let ann = Person::at(&app);
    ann.register(ANN).await;
    app.sql("update users set email_verified = true").await;
    ann.login(ANN, PASSWORD).await;
    app.sql("insert into totp (user_id, secret, enabled_at) select id, 'x', now() from users where email = 'ann@example.org'")
        .await;
    let before = links::letters(&app, ANN).await.len();
    assert_eq!(admin.post(&path(&ann.id().await), &json!({})).await.body["clearedTotp"], true);
    let told = links::letters(&app, ANN).await;
    assert_eq!(told.len(), before + 1);
    let domain::identity::MailContent::NewLogin { notice, ip, .. } = told.last().unwrap() else { panic!("a notice") };
    assert_eq!((*notice, *ip), (domain::identity::mail::NoticeKind::AppRemoved, None));
}
