//! An account keeps a way to sign in, whatever is requested concurrently, and no mailed link bypasses a
//! second factor.

use super::{ANN, SoftKey, app, passwordless, signed_in, with_a_passkey};
use crate::identity::{links, meanwhile, totp};
use support::prelude::*;

/// Sends requests at the same time. Returns their statuses.
async fn at_once(ann: &Person, requests: [(&str, Value); 2]) -> [u16; 2] {
    let csrf = ann.csrf().await;
    let send = |(path, body): (&str, Value)| {
        let request = ann.browser.delete(ann.url(path)).header("x-csrf-token", &csrf).json(&body);
        async move { request.send().await.unwrap().status().as_u16() }
    };
    let [first, second] = requests;
    let (first, second) = tokio::join!(send(first), send(second));
    [first, second]
}

fn path(passkey: &Value) -> String {
    format!("/api/me/passkeys/{}", passkey["id"].as_str().unwrap())
}

#[tokio::test]
async fn the_last_passkey_of_an_account_without_a_password_stays() {
    let app = app().await;
    let (ann, mut key) = passwordless(&app, ANN).await;
    let first = ann.passkeys().await[0].clone();
    assert_eq!(ann.delete(&path(&first), &Value::Null).await.refusal(), (403, "lastFactor"));
    let mut other = SoftKey::at(&app.url(""));
    ann.add_passkey(&mut other).await;
    assert_eq!(ann.delete(&path(&first), &Value::Null).await.status, 200);
    assert_eq!(Person::at(&app).sign_in_with(&mut key).await.status, 401);
    assert_eq!(Person::at(&app).sign_in_with(&mut other).await.status, 200);
}

#[tokio::test]
async fn of_a_password_and_the_last_passkey_that_go_at_once_one_stays() {
    let (app, ann) = signed_in().await;
    let mut password = PASSWORD.to_owned();
    for round in 0..50 {
        if ann.passkeys().await.is_empty() {
            assert_eq!(ann.add_passkey(&mut SoftKey::at(&app.url(""))).await.status, 200);
        }
        let removal = path(&ann.passkeys().await[0]);
        let statuses = at_once(&ann, [("/api/me/password", json!({ "password": password })), (&removal, Value::Null)]).await;
        let profile = ann.get("/api/me").await.body;
        let left = (profile["hasPassword"].as_bool().unwrap(), profile["passkeyCount"].as_u64().unwrap());
        match left {
            (true, 0) => assert_eq!(statuses, [403, 200], "round {round}"),
            // One request reissued the session cookie, and the other one may have come with the old cookie.
            (false, 1) => assert!(statuses == [200, 403] || statuses == [200, 401], "round {round}: {statuses:?}"),
            _ => panic!("round {round}: {left:?} after {statuses:?}"),
        }
        if !left.0 {
            password = format!("a harbour for round {round}");
            assert_eq!(ann.post("/api/me/password", &json!({ "newPassword": password })).await.status, 200);
        }
    }
    assert_eq!(app.count("select count(*) from users where password_hash is null").await, 0);
}

#[tokio::test]
async fn of_the_last_two_passkeys_that_go_at_once_one_stays() {
    let app = app().await;
    let (ann, _) = passwordless(&app, ANN).await;
    for round in 0..50 {
        assert_eq!(ann.add_passkey(&mut SoftKey::at(&app.url(""))).await.status, 200);
        let both = ann.passkeys().await;
        let mut statuses = at_once(&ann, [(&path(&both[0]), Value::Null), (&path(&both[1]), Value::Null)]).await;
        statuses.sort_unstable();
        assert_eq!((statuses, ann.passkeys().await.len()), ([200, 403], 1), "round {round}");
    }
}

/// Past the server: two concurrent transactions, each of which still sees what the other one removes.
#[tokio::test]
async fn the_database_itself_keeps_a_way_in() {
    let app = app().await;
    let (ann, _) = with_a_passkey(&app, ANN).await;
    let removal = "delete from passkeys";
    let forgetting = "update users set password_hash = null";
    for [first, second] in [[removal, forgetting], [forgetting, removal]] {
        let other = app.connection().await;
        let refused = meanwhile(&app, first, other.execute(second, &[])).await.unwrap_err();
        assert_eq!(refused.constraint(), Some("account_keeps_a_factor"), "{first}; {second}");
        // The account gets both back.
        ann.post("/api/me/password", &json!({ "newPassword": "an even quieter port" })).await;
        if ann.passkeys().await.is_empty() {
            assert_eq!(ann.add_passkey(&mut SoftKey::at(&app.url(""))).await.status, 200);
        }
    }
}

#[tokio::test]
async fn the_database_itself_keeps_one_of_the_last_two_passkeys() {
    let app = app().await;
    let (ann, _) = passwordless(&app, ANN).await;
    for turn in [[0, 1], [1, 0]] {
        assert_eq!(ann.add_passkey(&mut SoftKey::at(&app.url(""))).await.status, 200);
        let [first, second] =
            turn.map(|turn| format!("delete from passkeys where id = (select id from passkeys order by id offset {turn} limit 1)"));
        let other = app.connection().await;
        let refused = meanwhile(&app, &first, other.execute(&second, &[])).await.unwrap_err();
        assert_eq!(refused.constraint(), Some("account_keeps_a_factor"), "{turn:?}");
        assert_eq!(ann.passkeys().await.len(), 1, "{turn:?}");
    }
}

#[tokio::test]
async fn a_session_that_ends_meanwhile_changes_no_passkey() {
    let ended = "update users set token_version = token_version + 1";
    let app = app().await;
    let (ann, _) = with_a_passkey(&app, ANN).await;
    let passkey = path(&ann.passkeys().await[0]);
    let removed = meanwhile(&app, ended, ann.delete(&passkey, &Value::Null)).await;
    assert_eq!(removed.refusal(), (401, "unauthorized"));
    // Signing out, or ending one session from another browser, leaves the `token_version` as it is.
    for (email, ended) in [("bob@example.org", ended), ("cem@example.org", "update sessions set revoked_at = now()")] {
        let (person, mut key) = with_a_passkey(&app, email).await;
        let added = meanwhile(&app, ended, person.add_passkey(&mut key)).await;
        assert_eq!(added.refusal(), (401, "unauthorized"), "{ended}");
    }
    let (dee, _) = with_a_passkey(&app, "dee@example.org").await;
    let ended = "update sessions set revoked_at = now()";
    let left = meanwhile(&app, ended, dee.delete("/api/me", &json!({ "password": PASSWORD }))).await;
    assert_eq!(left.refusal(), (401, "unauthorized"));
    assert_eq!(app.count("select count(*) from passkeys").await, 4);
}

#[tokio::test]
async fn an_old_invitation_is_no_way_round_a_passkey() {
    let app = app().await;
    let (_, mut key) = passwordless(&app, ANN).await;
    let token = links::invitation(&app, ANN).await;
    let stranger = Person::at(&app);
    let body = json!({ "token": token, "newPassword": "an even quieter port" });
    assert_eq!(stranger.post("/api/auth/accept-invite", &body).await.refusal(), (400, "alreadyUsed"));
    assert_eq!(app.count("select count(*) from users where password_hash is null").await, 1);
    assert_eq!(stranger.sign_in_with(&mut key).await.status, 200);
}

/// The passkey is registered while the acceptance waits for the lock of the account.
#[tokio::test]
async fn an_invitation_is_no_way_round_a_passkey_that_came_at_that_moment() {
    let app = app().await;
    let invited = "insert into users (id, email, first_name, locale, created_at) values (gen_random_uuid(), 'ann@example.org', 'Ann', 'en', now())";
    app.sql(invited).await;
    let token = links::invitation(&app, ANN).await;
    let body = json!({ "token": token, "newPassword": "an even quieter port" });
    let stranger = Person::at(&app);
    let passkey = "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
                   select gen_random_uuid(), id, uuid_send(id), '{}', 0, false, false, '{}', 'Key', now() from users";
    let response = meanwhile(&app, passkey, stranger.post("/api/auth/accept-invite", &body)).await;
    assert_eq!((response.refusal(), response.cookie("session")), ((400, "alreadyUsed"), None));
    assert_eq!(app.count("select count(*) from users where password_hash is null").await, 1);
}

#[tokio::test]
async fn a_reset_link_of_an_account_without_a_password_leaves_the_second_factor_in_place() {
    let app = app().await;
    let (ann, _) = passwordless(&app, ANN).await;
    let (authenticator, _) = totp::enrol(&app, &ann).await;
    let token = links::link_of_kind(&app, ANN, domain::identity::one_time::Kind::PasswordReset).await;
    let stranger = Person::at(&app);
    let body = json!({ "token": token, "newPassword": "an even quieter port" });
    let response = stranger.post("/api/auth/password/reset", &body).await;
    assert_eq!((response.status, response.cookie("session")), (200, None), "{}", response.body);
    let login = stranger.login(ANN, "an even quieter port").await;
    assert_eq!((&login.body["twoFactorRequired"], login.cookie("session")), (&json!(true), None));
    let code = authenticator.code(app.clock.now());
    stranger.post("/api/auth/verify-totp", &json!({ "code": code })).await.expect(200);
}
