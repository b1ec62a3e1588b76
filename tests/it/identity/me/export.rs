//! `GET /api/me/export`.

use super::{LIMITED, app, signed_in};
use support::prelude::*;

#[tokio::test]
async fn the_file_holds_what_is_known_about_the_account() {
    let (app, ann) = signed_in().await;
    app.clock.advance(jiff::SignedDuration::from_secs(1));
    ann.post("/api/me/password", &json!({ "currentPassword": PASSWORD, "newPassword": "an even quieter port" })).await;
    let profile = ann.get("/api/me").await.body;
    let response = ann.get("/api/me/export").await;
    let id = profile["id"].as_str().unwrap();
    let named = format!("attachment; filename=\"account-export-{id}-2026-03-01.json\"");
    assert_eq!(response.headers["content-disposition"].to_str().unwrap(), named);
    assert_eq!((response.status, response.headers["cache-control"].to_str().unwrap()), (200, "no-store"));

    let keys: Vec<&str> = response.body.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["meta", "profile", "passwordCredential", "webauthnCredentials", "auditLog", "oidcGrants", "roles"];
    assert_eq!(keys, expected);
    let meta = json!({ "exportedAt": "2026-03-01T12:00:01.000Z", "version": 1, "service": "identity", "userId": id });
    assert_eq!(response.body["meta"], meta);
    let mut exported = profile;
    exported["suspendedAt"] = json!(null);
    exported["legacySub"] = json!(null);
    assert_eq!(response.body["profile"], exported);
    let credential =
        json!({ "algorithm": "argon2id", "createdAt": "2026-03-01T12:00:00.000Z", "updatedAt": "2026-03-01T12:00:01.000Z" });
    assert_eq!(response.body["passwordCredential"], credential);
    let events: Vec<_> = response.body["auditLog"].as_array().unwrap().iter().map(|b| b["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["account.exported", "auth.password.changed", "auth.login.success", "auth.register"]);
    let members: Vec<&str> = response.body["auditLog"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["event", "status", "ip", "userAgent", "createdAt"]);

    give_passwords_up(&app, "true").await;
    assert_eq!(ann.get("/api/me/export").await.body["passwordCredential"], json!(null));
}

#[tokio::test]
async fn the_roles_of_the_account_are_part_of_it() {
    let app = app().await;
    let bob = Person::signed_in(&app, "bob@example.org").await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    app.sql(
        "insert into role_assignments (user_id, role_group, role, created_at)
         select id, 'web', role, created_at from users, unnest('{viewer,editor}'::text[]) as role where email = 'ann@example.org'",
    )
    .await;
    let roles = json!([{ "roleGroup": "web", "role": "editor" }, { "roleGroup": "web", "role": "viewer" }]);
    assert_eq!(ann.get("/api/me/export").await.body["roles"], roles);
    assert_eq!(bob.get("/api/me/export").await.body["roles"], json!([]));
}

#[tokio::test]
async fn it_holds_no_secret_and_no_data_of_others() {
    let app = app().await;
    let bob = Person::signed_in(&app, "bob@elsewhere.example").await;
    bob.patch("/api/me", &json!({ "displayName": "Robert" })).await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let response = ann.login("ann@example.org", PASSWORD).await;
    app.sql("insert into one_time (id, kind, user_id, hash, created_at, expires_at)
         select gen_random_uuid(), 'passwordReset', id, decode('6d61726b6572', 'hex') || uuid_send(id), created_at, created_at + interval '1 h' from users",
    )
    .await;
    let text = ann.get("/api/me/export").await.body.to_string();
    let (session, csrf) = (response.cookie("session").unwrap(), response.body["csrfToken"].as_str().unwrap());
    for secret in ["$argon2", "harbour", "marker", "6d61726b6572", "token", "secret", &session, csrf, "bob", "Robert", "elsewhere"]
    {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

/// What the owner did at another account is there too.
#[tokio::test]
async fn of_what_others_did_to_the_account_it_says_what_and_when() {
    let (app, ann) = signed_in().await;
    Person::signed_in(&app, "bob@example.org").await;
    app.sql("insert into account_audit (user_id, actor_type, actor_id, target_id, event, status, ip, user_agent, created_at)
         select target.id, 'admin', actor.id::text, target.id::text, 'admin.user.updated', 'success', '192.0.2.7', 'of ' || actor.email, now()
         from users actor join users target on target.id <> actor.id",
    )
    .await;
    let body = ann.get("/api/me/export").await.body;
    let acts: Vec<_> = body["auditLog"].as_array().unwrap().iter().filter(|entry| entry["event"] == "admin.user.updated").collect();
    let seen: Vec<_> = acts.iter().map(|entry| (entry["ip"].as_str(), entry["userAgent"].as_str())).collect();
    assert_eq!(seen.len(), 2);
    assert!(seen.contains(&(None, None)), "Bob's act on Ann's account: {seen:?}");
    assert!(seen.contains(&(Some("192.0.2.7"), Some("of ann@example.org"))), "Ann's act on Bob's: {seen:?}");
}

#[tokio::test]
async fn a_long_trail_is_exported_whole() {
    let (app, ann) = signed_in().await;
    app.sql(
        "insert into account_audit (user_id, event, status, created_at)
         select id, 'test', 'success', now() from users, generate_series(1, 2500)",
    )
    .await;
    assert_eq!(ann.get("/api/me/export").await.body["auditLog"].as_array().unwrap().len(), 2503);
}

#[tokio::test]
async fn an_export_is_audited_and_limited() {
    let app = TestApp::with_variables(LIMITED).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let head = ann.browser.head(app.url("/api/me/export")).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers()["allow"].to_str().unwrap()), (405, "GET, OPTIONS"), "a HEAD takes nothing");
    for _ in 0..5 {
        assert_eq!(ann.get("/api/me/export").await.status, 200);
    }
    assert_eq!(ann.get("/api/me/export").await.refusal(), (429, "rateLimited"));
    assert_eq!(app.count("select count(*) from account_audit where event = 'account.exported'").await, 5);
}
