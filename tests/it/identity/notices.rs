//! The mails that tell the owner of an account what was changed. The mail server is down, so every mail waits
//! in the outbox.

use super::{FREE, links, mailed_codes, totp};
use domain::identity::{MailContent, mail::NoticeKind, one_time::Kind};
use support::prelude::*;

const ANN: &str = "ann@example.org";
const OTHER: &str = "an even quieter port";

/// The notices to Ann since the last call, of which `read` were read before.
async fn news(app: &TestApp, read: &mut usize) -> Vec<NoticeKind> {
    let mails = links::letters(app, ANN).await;
    let notices = mails.iter().filter_map(|mail| match mail {
        MailContent::NewLogin { notice, .. } => Some(*notice),
        _ => None,
    });
    let news: Vec<NoticeKind> = notices.skip(*read).collect();
    *read += news.len();
    news
}

/// A server that sends mail and asks for no mailed codes, and Ann, who is signed in.
async fn with_ann() -> (TestApp, Person) {
    let app = TestApp::with_variables(&[FREE, mailed_codes::MAIL, &[("APP_EMAIL_LOGIN_CODE", "off")]].concat()).await;
    let ann = Person::at(&app);
    assert_eq!(ann.register(ANN).await.status, 201);
    app.sql("update users set email_verified = true").await;
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
    (app, ann)
}

#[tokio::test]
async fn a_changed_set_removed_or_reset_password_is_told() {
    let (app, ann) = with_ann().await;
    let mut read = 0;
    assert_eq!(news(&app, &mut read).await, []);
    let change = json!({ "currentPassword": PASSWORD, "newPassword": OTHER });
    let wrong = json!({ "currentPassword": "not the harbour", "newPassword": OTHER });
    assert_eq!(ann.post("/api/me/password", &wrong).await.status, 403);
    assert_eq!(news(&app, &mut read).await, [], "nothing was changed");
    assert_eq!(ann.post("/api/me/password", &change).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::PasswordChanged]);

    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::PasskeyAdded]);
    assert_eq!(ann.delete("/api/me/password", &json!({ "password": OTHER })).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::PasswordRemoved]);
    assert_eq!(ann.post("/api/me/password", &json!({ "newPassword": "a second harbour" })).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::PasswordSet]);

    let token = links::link_of_kind(&app, ANN, Kind::PasswordReset).await;
    let reset = json!({ "token": token, "newPassword": "a third harbour" });
    assert_eq!(Person::at(&app).post("/api/auth/password/reset", &reset).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::PasswordReset]);
}

#[tokio::test]
async fn a_new_replaced_or_removed_second_factor_is_told() {
    let (app, ann) = with_ann().await;
    let mut read = 0;
    let (first, _) = totp::enrol(&app, &ann).await;
    assert_eq!(news(&app, &mut read).await, [NoticeKind::AppAdded]);

    app.clock.advance(SignedDuration::from_secs(30));
    let second = totp::start(&ann).await;
    let confirm = json!({ "code": second.code(app.clock.now()), "currentCode": first.code(app.clock.now()) });
    assert_eq!(ann.post("/api/me/totp/confirm", &json!({ "code": confirm["code"] })).await.status, 400);
    assert_eq!(news(&app, &mut read).await, []);
    assert_eq!(ann.post("/api/me/totp/confirm", &confirm).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::AppReplaced]);

    let code = || json!({ "code": second.code(app.clock.now()) });
    assert_eq!(ann.post("/api/me/totp/backup-codes", &code()).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::BackupCodesRenewed]);
    app.clock.advance(SignedDuration::from_secs(30));
    assert_eq!(ann.delete("/api/me/totp", &code()).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::AppRemoved]);
}

#[tokio::test]
async fn a_removed_passkey_is_told() {
    let (app, ann) = with_ann().await;
    let (mut read, mut key) = (0, SoftKey::at(&app.url("")));
    let id = ann.add_passkey(&mut key).await.body["passkey"]["id"].as_str().unwrap().to_owned();
    assert_eq!(news(&app, &mut read).await, [NoticeKind::PasskeyAdded]);
    assert_eq!(ann.delete(&format!("/api/me/passkeys/{}", uuid::Uuid::nil()), &json!({})).await.status, 404);
    assert_eq!(news(&app, &mut read).await, []);
    assert_eq!(ann.delete(&format!("/api/me/passkeys/{id}"), &json!({})).await.status, 200);
    assert_eq!(news(&app, &mut read).await, [NoticeKind::PasskeyRemoved]);
}
