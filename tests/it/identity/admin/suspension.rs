//! Suspending people.

use super::{ANN, FREE, administrator, recorded, user, with_ann};
use support::prelude::*;

#[tokio::test]
async fn a_suspended_person_is_signed_out_and_cannot_come_back_until_that_ends() {
    let (app, admin, ann) = with_ann().await;
    let (own, id) = (admin.id().await, ann.id().await);
    let (suspend, unsuspend) = (format!("{}/suspend", user(&id)), format!("{}/unsuspend", user(&id)));
    assert_eq!(admin.post(&unsuspend, &json!({})).await.body, json!({ "suspended": false }), "nothing to end");
    assert_eq!(admin.post(&format!("{}/suspend", user(&own)), &json!({})).await.refusal(), (400, "cannotSuspendSelf"));
    for _ in 0..2 {
        let suspended = admin.post(&suspend, &json!({})).await;
        assert_eq!((suspended.status, suspended.body), (200, json!({ "suspended": true })));
    }
    assert_eq!(ann.get("/api/me").await.refusal(), (401, "unauthorized"));
    assert_eq!(ann.login(ANN, PASSWORD).await.refusal(), (403, "accountSuspended"));
    assert!(admin.get(&user(&id)).await.body["suspendedAt"].is_string());
    assert_eq!(admin.post(&unsuspend, &json!({})).await.body, json!({ "suspended": false }));
    assert_eq!(admin.get(&user(&id)).await.body["suspendedAt"], json!(null));
    assert_eq!(ann.get("/api/me").await.refusal(), (401, "unauthorized"), "the session does not come back");
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
    for event in ["admin.user.suspended", "admin.user.unsuspended"] {
        assert_eq!(recorded(&app, event).await, [json!(["success", "admin", own, id, {}])], "{event}: once for each change");
    }
}

#[tokio::test]
async fn what_a_suspended_person_has_granted_is_revoked() {
    let (app, admin, ann) = with_ann().await;
    let id = ann.id().await;
    let grant = "insert into oidc_grants (id, client_id, user_id, scope, resources, claims, auth_at, amr, is_offline, created_at, expires_at)
                 select gen_random_uuid(), 'web', id, '{openid}', '{}', '{}', now(), '{}', true, now(), now() + interval '1 year'
                 from users where email = 'ann@example.org'";
    app.sql(grant).await;
    let active = "select count(*) from oidc_grants where revoked_at is null";
    assert_eq!(admin.post(&format!("{}/force-logout", user(&id)), &json!({})).await.status, 200);
    assert_eq!(app.count(active).await, 1, "a logout leaves it");
    assert_eq!(admin.post(&format!("{}/suspend", user(&id)), &json!({})).await.status, 200);
    assert_eq!(app.count(active).await, 0);
}

#[tokio::test]
async fn who_was_locked_out_can_sign_in_when_the_suspension_ends() {
    let few = [("APP_LOCKOUT_FAILURES", "2"), ("APP_LOCKOUT_CODE_FAILURES", "2"), ("APP_RATE_LIMIT_LOGIN_IP", "1000/min")];
    let app = TestApp::with_variables(&[&FREE[1..], &few].concat()).await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    let id = ann.id().await;
    let stranger = Person::at(&app);
    let guess = async || {
        let csrf = ann.csrf().await;
        let form = format!("csrf_token={csrf}&user_code=BBBB-BBBB");
        let request = ann.browser.post(ann.url("/device")).header("content-type", "application/x-www-form-urlencoded").body(form);
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!([guess().await, guess().await, guess().await], [400, 400, 429], "codes of devices");
    for person in [&ann, &stranger] {
        for _ in 0..2 {
            assert_eq!(person.login(ANN, "not the harbour").await.status, 401);
        }
        assert_eq!(person.login(ANN, PASSWORD).await.refusal(), (429, "rateLimited"));
    }
    for act in ["suspend", "unsuspend"] {
        assert_eq!(admin.post(&format!("{}/{act}", user(&id)), &json!({})).await.status, 200);
    }
    assert_eq!(stranger.login(ANN, PASSWORD).await.status, 200);
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
    assert_eq!(guess().await, 400);
}
