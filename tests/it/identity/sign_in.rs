//! A sign-in whose account changed after its owner authenticated is rolled back whole.

use domain::{
    identity::{
        AuthMethod,
        lockout::{Admission, Rules},
    },
    shared::{RequestOrigin, SessionId, UserId},
};
use services::identity::session_start::{LoginAttempt, PreparedSession};
use storage::identity::{AuditSource, known_devices::Device, lockout};
use support::prelude::*;

/// All rows that a sign-in writes.
async fn traces(app: &TestApp) -> Vec<String> {
    let all = "select coalesce(json_agg(entry)::text, '') from sessions entry union all
               select coalesce(json_agg(entry)::text, '') from known_devices entry union all
               select coalesce(json_agg(entry)::text, '') from account_audit entry union all
               select coalesce(json_agg(entry)::text, '') from lockout_counters entry union all
               select coalesce(json_agg(last_login_at)::text, '') from users";
    app.column(all).await
}

#[tokio::test]
async fn a_sign_in_into_an_account_that_changed_or_was_deleted_is_rolled_back() {
    let app = TestApp::start().await;
    assert_eq!(Person::at(&app).register("ann@example.org").await.status, 201);
    let session = app.connection().await;
    let user = UserId(session.row("select id from users", &[]).await.unwrap().get("id"));
    let at = app.clock.now();
    let (admission, attempt) = lockout::register(&session, &[7; 32], &Rules::default(), at).await.unwrap();
    assert_eq!(admission, Admission::Allowed);
    drop(session);
    let attempt = LoginAttempt { pending_attempt: Some(attempt), ..LoginAttempt::new(user, 0, AuthMethod::Password) };
    let mut sign_in = PreparedSession {
        attempt,
        session: SessionId(Uuid::from_u128(1)),
        expires_at: at + SignedDuration::from_hours(1),
        device_token: String::new(),
        device_hash: [1; 32],
        device: Device { hash: None, browser: "Firefox".into(), network: None },
        is_new_device: false,
        mail: None,
        former_session: None,
        source: AuditSource { origin: RequestOrigin::default(), user_agent: None, at },
    };
    let before = traces(&app).await;
    assert!(sign_in.run(&app.database.store).await.unwrap().is_some());
    let after = traces(&app).await;
    assert!(before.iter().zip(&after).all(|(before, after)| before != after), "{before:?} {after:?}");
    app.sql("update lockout_counters set recent = array[now()], day_count = 1").await;
    sign_in.session = SessionId(Uuid::from_u128(2));
    let changes = [
        "update users set token_version = 1",
        "update users set token_version = 0, suspended_at = now()",
        "insert into totp (user_id, secret, enabled_at) select id, 'x', now() from users",
        "delete from users",
    ];
    for change in changes {
        app.sql(change).await;
        let left = traces(&app).await;
        assert!(sign_in.run(&app.database.store).await.unwrap().is_none(), "{change}");
        assert_eq!(traces(&app).await, left, "{change}");
        app.sql("update users set suspended_at = null").await;
    }
}
