//! A sign-in whose account became another one since its owner was proved: nothing of it stands.

use super::{Person, sql};
use crate::support::TestApp;
use domain::{
    identity::Proof,
    shared::{Clock, Origin, SessionId, UserId},
};
use jiff::SignedDuration;
use storage::identity::{
    known_devices::Device,
    sign_in::{SignIn, Told, unless_changed},
};
use uuid::Uuid;

/// How many rows a sign-in would add to.
async fn traces(app: &TestApp) -> i64 {
    let session = app.database.store.read("test").await.unwrap();
    let count = "select (select count(*) from sessions) + (select count(*) from known_devices) + (select count(*) from account_audit) as rows";
    session.row(count, &[]).await.unwrap().get("rows")
}

#[tokio::test]
async fn of_a_sign_in_into_an_account_that_changed_or_is_gone_nothing_stands() {
    let app = TestApp::start().await;
    assert_eq!(Person::at(&app).register("ann@example.org").await.status, 201);
    let session = app.database.store.read("test").await.unwrap();
    let user = UserId(session.row("select id from users", &[]).await.unwrap().get("id"));
    drop(session);
    let at = app.clock.now();
    let mut sign_in = SignIn {
        user,
        token_version: 0,
        proof: Proof::Password,
        rehashed: None,
        session: SessionId(Uuid::from_u128(1)),
        expires_at: at + SignedDuration::from_hours(1),
        cookie: [1; 32],
        device: Device { hash: None, browser: "Firefox".into(), network: None },
        told: Told::default(),
        forgiven: None,
        origin: Origin::default(),
        user_agent: None,
        at,
    };
    let before = traces(&app).await;
    assert!(unless_changed(app.database.store.run(&sign_in).await).unwrap().is_some());
    assert_eq!(traces(&app).await, before + 3, "a session, a browser, an entry");
    sign_in.session = SessionId(Uuid::from_u128(2));
    let changes = [
        "update users set token_version = 1",
        "update users set token_version = 0, suspended_at = now()",
        "insert into totp (user_id, secret, enabled_at) select id, 'x', now() from users",
        "delete from users",
    ];
    for change in changes {
        sql(&app, change).await;
        let left = traces(&app).await;
        assert!(unless_changed(app.database.store.run(&sign_in).await).unwrap().is_none(), "{change}");
        assert_eq!(traces(&app).await, left, "{change}");
        sql(&app, "update users set suspended_at = null").await;
    }
}
