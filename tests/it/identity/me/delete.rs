//! `DELETE /api/me`.

use super::{app, get_with_cookies};
use support::prelude::*;

#[tokio::test]
async fn only_the_password_deletes_an_account() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let phone = Person::elsewhere(&app, "ann@example.org").await;
    for (body, refusal) in [
        (json!({}), (400, "passwordRequired")),
        (json!({ "password": null }), (400, "passwordRequired")),
        (json!({ "password": 7 }), (400, "validation")),
        (json!({ "password": "not the harbour" }), (403, "invalidPassword")),
        (json!({ "password": "x".repeat(5000) }), (403, "invalidPassword")),
    ] {
        assert_eq!(ann.delete("/api/me", &body).await.refusal(), refusal, "{body}");
    }
    assert_eq!(app.count("select count(*) from users").await, 2);

    let response = ann.delete("/api/me", &json!({ "password": PASSWORD })).await;
    assert_eq!(
        (response.status, response.cookie("session").as_deref(), response.cookie("csrf_token").as_deref()),
        (200, Some(""), Some(""))
    );
    assert_eq!((ann.get("/api/me").await.status, phone.get("/api/me").await.status), (401, 401));
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.refusal(), (401, "invalidCredentials"));
    assert_eq!(app.count("select count(*) from users").await, 1);
}

#[tokio::test]
async fn a_cookie_of_the_deleted_account_is_not_one_of_the_next_with_its_address() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let cookie = format!("session={}", ann.login("ann@example.org", PASSWORD).await.cookie("session").unwrap());
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200);
    let next = Person::signed_in(&app, "ann@example.org").await;
    assert_eq!(get_with_cookies(&app, "/api/me", &cookie).await.status, 401);
    assert_eq!(next.get("/api/me").await.status, 200);
}

/// What happens to each column that refers to an account when the account is deleted. A new column needs a
/// rule here.
const RULES: &[(&str, &str)] = &[
    ("account_audit.user_id", "kept: what happened stays known; the personal part is anonymised by an administrator"),
    ("first_admin.user_id", "kept: the next stranger must not become the first one"),
    ("former_passwords.user_id", "goes"),
    ("known_devices.user_id", "goes"),
    ("mails.user_id", "goes"),
    ("oidc_consents.user_id", "goes"),
    ("oidc_grants.user_id", "goes"),
    ("one_time.user_id", "goes"),
    ("passkeys.user_id", "goes"),
    ("role_assignments.user_id", "goes"),
    ("sessions.user_id", "goes"),
    ("space_invitations.email", "kept for a week at most: an invitation is to an address, which need not have an account"),
    ("space_members.user_id", "goes"),
    ("spaces.owner_id", "passed on to another admin, or emptied: a space is its editors' as well"),
    ("totp.user_id", "goes"),
    ("users.email", "goes"),
];

#[tokio::test]
async fn everything_that_hangs_on_a_deleted_account_goes_with_it() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let id = ann.get("/api/me").await.body["id"].as_str().unwrap().to_owned();
    ann.post("/api/me/password", &json!({ "currentPassword": PASSWORD, "newPassword": "an even quieter port" })).await;
    app.sql(&format!(
        "insert into one_time (id, kind, user_id, hash, created_at, expires_at)
             values (gen_random_uuid(), 'invite', '{id}', 'x', now(), now())"
    ))
    .await;
    let told = app.count(&format!("select count(*) from account_audit where user_id = '{id}'")).await;
    assert_eq!(ann.delete("/api/me", &json!({ "password": "an even quieter port" })).await.status, 200);

    let columns = app
        .rows(
            "select table_name || '.' || column_name as name, table_name::text, column_name::text from information_schema.columns
             where table_schema = 'public' and table_name not like 'refinery%'
               and (column_name ~ '(^|_)(user|owner|account)_id$' or column_name ~ 'email$')
             order by 1",
            &[],
        )
        .await;
    let rules: BTreeMap<&str, &str> = RULES.iter().copied().collect();
    let names: Vec<String> = columns.iter().map(|column| column.get("name")).collect();
    assert_eq!(names, rules.keys().copied().collect::<Vec<_>>(), "each column that names an account has a rule");
    for (name, rule) in rules {
        let (table, column) = name.split_once('.').unwrap();
        let left = app.count(&format!("select count(*) from {table} where {column}::text in ('{id}', 'ann@example.org')")).await;
        let expected = if name == "account_audit.user_id" { told + 1 } else { 0 };
        assert_eq!(left, expected, "{name}: {rule}");
    }
    let last = "select count(*) from account_audit where event = 'account.deleted' and status = 'success'";
    assert_eq!(app.count(last).await, 1);
}

#[tokio::test]
async fn the_last_administrator_stays() {
    let app = app().await;
    let admin = Person::signed_in(&app, "admin@example.org").await;
    let refusal = admin.delete("/api/me", &json!({ "password": PASSWORD })).await;
    assert_eq!(refusal.refusal(), (409, "lastAdmin"));
    assert_eq!((refusal.cookie("session"), admin.get("/api/me").await.status), (None, 200));

    Person::at(&app).register("second@example.org").await;
    app.sql("update users set is_admin = true, suspended_at = now() where email like 'second%'").await;
    assert_eq!(admin.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 409, "a suspended one cannot take over");
    app.sql("update users set suspended_at = null").await;
    let invited = "insert into users (id, email, first_name, locale, is_admin, created_at)
                   values (gen_random_uuid(), 'third@example.org', 'T', 'en', true, now())";
    app.sql(invited).await;
    app.sql("update users set is_admin = false where email like 'second%'").await;
    let refusal = admin.delete("/api/me", &json!({ "password": PASSWORD })).await;
    assert_eq!(refusal.refusal(), (409, "lastAdmin"), "one who was invited and has not come yet cannot either");
    let passkey = "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
                   select gen_random_uuid(), id, 'x', '{}', 0, false, false, '{}', 'Key', now() from users where email like 'third%'";
    app.sql(passkey).await;
    assert_eq!(admin.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200, "a passkey is enough");
}

#[tokio::test]
async fn of_ten_administrators_who_delete_their_accounts_at_once_one_stays() {
    let app = Arc::new(app().await);
    let mut people = Vec::new();
    for number in 0..10 {
        people.push(Person::signed_in(&app, &format!("admin{number}@example.org")).await);
    }
    app.sql("update users set is_admin = true").await;
    let mut crowd = JoinSet::new();
    for person in people {
        let csrf = person.csrf().await;
        crowd.spawn(async move {
            let request = person.browser.delete(person.url("/api/me")).header("x-csrf-token", csrf);
            request.json(&json!({ "password": PASSWORD })).send().await.unwrap().status().as_u16()
        });
    }
    let mut statuses = crowd.join_all().await;
    statuses.sort_unstable();
    assert_eq!((&statuses[..9], statuses[9]), (&[200; 9][..], 409));
    assert_eq!(app.count("select count(*) from users where is_admin").await, 1);
}
