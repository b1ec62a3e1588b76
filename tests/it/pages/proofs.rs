//! Recent proofs at pages: the page that asks for one, and back to the page that needed it.

use super::{ANN, FREE, PASSWORD, Person, app, app_with, sql};
use jiff::SignedDuration;
use storage::Executor;
use support::{Setup, TestApp};

const TOO_LONG: SignedDuration = SignedDuration::from_secs(901);
const ADMIN: &str = "admin@example.org";

async fn text(app: &TestApp, statement: &str) -> String {
    app.database.store.connection("test").await.unwrap().row(statement, &[]).await.unwrap().get("text")
}

#[tokio::test]
async fn the_pages_of_passkeys_and_of_the_app_ask_for_a_proof_and_go_on() {
    let app = app().await;
    let ann = Person::signed_in(&app, ANN).await;
    let add = "data-start=\"/api/webauthn/register/start\"";
    assert!(ann.get("/account/security").await.html.contains(add));
    assert_eq!(ann.get("/account/security/app").await.status, 200);
    app.clock.advance(TOO_LONG);
    let security = ann.get("/account/security").await;
    let link = "href=\"/account/prove?return_to=/account/security\"";
    assert!(security.status == 200 && security.html.contains(link) && !security.html.contains(add), "{}", security.html);
    for page in ["/account/security/app", "/account/security/passkeys/00000000-0000-0000-0000-000000000000/remove"] {
        assert_eq!(ann.get(page).await.redirect(), (303, format!("/account/prove?return_to={page}").as_str()));
    }
    let csrf = security.field("csrf_token").unwrap_or_default();
    let added = ann.send("/account/security/passkeys", &[("csrf_token", csrf.as_str()), ("credential", "{}")]).await;
    assert_eq!(added.redirect(), (303, "/account/prove?return_to=/account/security/passkeys"));

    let prove = "/account/prove?return_to=/account/security/app";
    let page = ann.get(prove).await;
    assert_eq!((page.status, page.field("return_to").as_deref()), (200, Some("/account/security/app")), "{}", page.html);
    let back = [("return_to", "/account/security/app")];
    let wrong = ann.fill_in(prove, &[&back[..], &[("password", "not the harbour")]].concat()).await;
    assert!(wrong.status == 403 && wrong.html.contains("id=\"password-error\""), "{}", wrong.html);
    assert_eq!(wrong.field("return_to").as_deref(), Some("/account/security/app"), "the way back is kept");
    assert_eq!(ann.fill_in(prove, &back).await.status, 400);
    let proved = ann.fill_in(prove, &[&back[..], &[("password", PASSWORD)]].concat()).await;
    assert_eq!(proved.redirect(), (303, "/account/security/app"));
    assert_eq!(ann.get("/account/security/app").await.status, 200);
    assert!(ann.get("/account/security").await.html.contains(add));
}

#[tokio::test]
async fn the_way_back_is_a_page_of_this_server() {
    let app = app().await;
    let ann = Person::signed_in(&app, ANN).await;
    for elsewhere in ["https://evil.example/", "//evil.example", "/\\evil.example", "/api/me", ""] {
        let proved = ann.fill_in("/account/prove", &[("return_to", elsewhere), ("password", PASSWORD)]).await;
        assert_eq!(proved.redirect(), (303, "/account"), "{elsewhere}");
    }
    let german = ann.get("/account/prove?lang=de").await;
    let german = ann.get(german.location()).await;
    assert!(german.html.contains("Bestätigen Sie, dass Sie es sind"), "{}", german.html);
    let stranger = Person::at(&app).get("/account/prove?return_to=/admin").await;
    assert!(stranger.location().starts_with("/login?"), "{}", stranger.location());
}

#[tokio::test]
async fn the_file_of_the_audit_trail_needs_a_proof_and_is_in_the_trail() {
    let app = app().await;
    let admin = Person::signed_in(&app, ADMIN).await;
    Person::signed_in(&app, ANN).await;
    app.clock.advance(TOO_LONG);
    let file = "/admin/audit/csv?event=auth.login.*&person=ann%40example.org";
    let refused = admin.get(file).await;
    let prove = refused.location().to_owned();
    assert!(prove.starts_with("/account/prove?return_to=/admin/audit/csv%3Fevent%3Dauth.login.*"), "{prove}");
    let back = admin.get(&prove).await.field("return_to").unwrap();
    assert_eq!(back, file);
    assert_eq!(text(&app, "select count(*)::text as text from account_audit where event = 'admin.audit.exported'").await, "0");
    let proved = admin.fill_in(&prove, &[("return_to", back.as_str()), ("password", PASSWORD)]).await;
    assert_eq!(proved.redirect(), (303, file));
    let taken = admin.get(file).await;
    assert!(taken.status == 200 && taken.header("content-type").starts_with("text/csv"), "{}", taken.html);
    assert_eq!(admin.get("/admin/audit/csv?person=nobody%40example.org").await.status, 200);
    let recorded = "select string_agg(details->>'entries' || ' ' || coalesce(details->'filter'->>'event', 'none') || ' ' || actor_type, ', ' order by id) as text
                    from account_audit where event = 'admin.audit.exported'";
    assert_eq!(text(&app, recorded).await, "1 auth.login.* admin, 0 none admin");
    assert!(admin.get("/admin/audit?event=admin.audit.exported").await.html.contains("Audit trail taken as a file"));
}

#[tokio::test]
async fn the_console_asks_with_each_act_and_an_act_is_a_proof() {
    let app = app().await;
    let admin = Person::signed_in(&app, ADMIN).await;
    Person::signed_in(&app, ANN).await;
    let ann = format!("/admin/users/{}", text(&app, &format!("select id::text as text from users where email = '{ANN}'")).await);
    assert_eq!(admin.fill_in(&format!("{ann}/suspend"), &[]).await.status, 400, "though the administrator has just signed in");
    app.clock.advance(TOO_LONG);
    assert_eq!(admin.fill_in(&format!("{ann}/suspend"), &[("password", PASSWORD)]).await.status, 303);
    assert_eq!(admin.get("/admin/audit/csv").await.status, 200);
}

#[tokio::test]
async fn where_proofs_are_turned_off_no_page_asks() {
    let app = app_with(&[("APP_REAUTH_SECONDS", "0")]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    Person::signed_in(&app, ANN).await;
    app.clock.advance(TOO_LONG);
    let id = text(&app, &format!("select id::text as text from users where email = '{ANN}'")).await;
    let suspend = format!("/admin/users/{id}/suspend");
    assert!(!admin.get(&suspend).await.html.contains("name=\"password\""));
    assert_eq!(admin.fill_in(&suspend, &[]).await.status, 303);
    assert_eq!(admin.get("/account/security/app").await.status, 200);
}

#[tokio::test]
async fn an_account_without_a_password_proves_with_a_passkey_or_signs_in_again() {
    let app = TestApp::with(Setup { variables: FREE, ..Setup::default() }).await;
    let ann = Person::signed_in(&app, ANN).await;
    let passkey = "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
                   select gen_random_uuid(), id, uuid_send(id), '{}', 0, false, false, '{}', 'Key', created_at from users";
    sql(&app, passkey).await;
    let both = ann.get("/account/prove").await.html;
    assert!(both.contains("name=\"password\"") && both.contains("data-start=\"/api/me/password-reauth\""), "{both}");
    sql(&app, "update users set password_hash = null").await;
    let one = ann.get("/account/prove").await.html;
    assert!(!one.contains("name=\"password\"") && one.contains("data-start=\"/api/me/password-reauth\""), "{one}");
    sql(&app, "update passkeys set created_at = created_at + interval '1 hour'").await;
    let none = ann.get("/account/prove?return_to=/account/security").await.html;
    assert!(none.contains("href=\"/login?prompt=login&amp;return_to=/account/security\""), "{none}");
}
