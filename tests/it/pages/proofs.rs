//! Recent proofs at pages: the page that asks for one, and back to the page that needed it.

use super::{ANN, FREE, app, app_with, signed_in};
use support::prelude::*;

const TOO_LONG: SignedDuration = SignedDuration::from_secs(901);
const ADMIN: &str = "admin@example.org";

#[tokio::test]
async fn the_pages_of_passkeys_and_of_the_app_ask_for_a_proof_and_go_on() {
    let (app, ann) = signed_in().await;
    let add = "data-start=\"/api/webauthn/register/start\"";
    assert!(ann.page("/account/security").await.text.contains(add));
    assert_eq!(ann.page("/account/security/app").await.status, 200);
    app.clock.advance(TOO_LONG);
    let security = ann.page("/account/security").await;
    let link = "href=\"/account/prove?return_to=/account/security\"";
    assert!(security.status == 200 && security.text.contains(link) && !security.text.contains(add), "{}", security.text);
    for page in ["/account/security/app", "/account/security/passkeys/00000000-0000-0000-0000-000000000000/remove"] {
        assert_eq!(ann.page(page).await.redirect(), (303, format!("/account/prove?return_to={page}").as_str()));
    }
    let csrf = security.field("csrf_token").unwrap_or_default();
    let added = ann.send_form("/account/security/passkeys", &[("csrf_token", csrf.as_str()), ("credential", "{}")]).await;
    assert_eq!(added.redirect(), (303, "/account/prove?return_to=/account/security/passkeys"));

    let prove = "/account/prove?return_to=/account/security/app";
    let page = ann.page(prove).await;
    assert_eq!((page.status, page.field("return_to").as_deref()), (200, Some("/account/security/app")), "{}", page.text);
    let back = [("return_to", "/account/security/app")];
    let wrong = ann.fill_in(prove, &[&back[..], &[("password", "not the harbour")]].concat()).await;
    assert!(wrong.status == 403 && wrong.text.contains("id=\"password-error\""), "{}", wrong.text);
    assert_eq!(wrong.field("return_to").as_deref(), Some("/account/security/app"), "the way back is kept");
    assert_eq!(ann.fill_in(prove, &back).await.status, 400);
    let proved = ann.fill_in(prove, &[&back[..], &[("password", PASSWORD)]].concat()).await;
    assert_eq!(proved.redirect(), (303, "/account/security/app"));
    assert_eq!(ann.page("/account/security/app").await.status, 200);
    assert!(ann.page("/account/security").await.text.contains(add));
}

#[tokio::test]
async fn the_way_back_is_a_page_of_this_server() {
    let (app, ann) = signed_in().await;
    for elsewhere in ["https://evil.example/", "//evil.example", "/\\evil.example", "/api/me", ""] {
        let proved = ann.fill_in("/account/prove", &[("return_to", elsewhere), ("password", PASSWORD)]).await;
        assert_eq!(proved.redirect(), (303, "/account"), "{elsewhere}");
    }
    let german = ann.page("/account/prove?lang=de").await;
    let german = ann.page(german.location()).await;
    assert!(german.text.contains("Bestätigen Sie, dass Sie es sind"), "{}", german.text);
    let stranger = Person::at(&app).page("/account/prove?return_to=/admin").await;
    assert!(stranger.location().starts_with("/login?"), "{}", stranger.location());
}

#[tokio::test]
async fn the_file_of_the_audit_trail_needs_a_proof_and_is_in_the_trail() {
    let app = app().await;
    let admin = Person::signed_in(&app, ADMIN).await;
    Person::signed_in(&app, ANN).await;
    app.clock.advance(TOO_LONG);
    let file = "/admin/audit/csv?event=auth.login.*&person=ann%40example.org";
    let refused = admin.page(file).await;
    let prove = refused.location().to_owned();
    assert!(prove.starts_with("/account/prove?return_to=/admin/audit/csv%3Fevent%3Dauth.login.*"), "{prove}");
    let back = admin.page(&prove).await.field("return_to").unwrap();
    assert_eq!(back, file);
    assert_eq!(
        app.value::<String>("select count(*)::text as text from account_audit where event = 'admin.audit.exported'").await,
        "0"
    );
    let proved = admin.fill_in(&prove, &[("return_to", back.as_str()), ("password", PASSWORD)]).await;
    assert_eq!(proved.redirect(), (303, file));
    let taken = admin.page(file).await;
    assert!(taken.status == 200 && taken.header("content-type").starts_with("text/csv"), "{}", taken.text);
    assert_eq!(admin.page("/admin/audit/csv?person=nobody%40example.org").await.status, 200);
    let recorded = "select string_agg(details->>'entries' || ' ' || coalesce(details->'filter'->>'event', 'none') || ' ' || actor_type, ', ' order by id) as text
                    from account_audit where event = 'admin.audit.exported'";
    assert_eq!(app.value::<String>(recorded).await, "1 auth.login.* admin, 0 none admin");
    assert!(admin.page("/admin/audit?event=admin.audit.exported").await.text.contains("Audit trail taken as a file"));
}

#[tokio::test]
async fn the_console_asks_with_each_act_and_an_act_is_a_proof() {
    let app = app().await;
    let admin = Person::signed_in(&app, ADMIN).await;
    Person::signed_in(&app, ANN).await;
    let ann =
        format!("/admin/users/{}", app.value::<String>(&format!("select id::text as text from users where email = '{ANN}'")).await);
    assert_eq!(admin.fill_in(&format!("{ann}/suspend"), &[]).await.status, 400, "though the administrator has just signed in");
    app.clock.advance(TOO_LONG);
    assert_eq!(admin.fill_in(&format!("{ann}/suspend"), &[("password", PASSWORD)]).await.status, 303);
    assert_eq!(admin.page("/admin/audit/csv").await.status, 200);
}

#[tokio::test]
async fn where_proofs_are_turned_off_no_page_asks() {
    let app = app_with(&[("APP_REAUTH_SECONDS", "0")]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    Person::signed_in(&app, ANN).await;
    app.clock.advance(TOO_LONG);
    let id = app.value::<String>(&format!("select id::text as text from users where email = '{ANN}'")).await;
    let suspend = format!("/admin/users/{id}/suspend");
    assert!(!admin.page(&suspend).await.text.contains("name=\"password\""));
    assert_eq!(admin.fill_in(&suspend, &[]).await.status, 303);
    assert_eq!(admin.page("/account/security/app").await.status, 200);
}

#[tokio::test]
async fn an_account_without_a_password_proves_with_a_passkey_or_signs_in_again() {
    let app = TestApp::with_variables(FREE).await;
    let ann = Person::signed_in(&app, ANN).await;
    let passkey = "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
                   select gen_random_uuid(), id, uuid_send(id), '{}', 0, false, false, '{}', 'Key', created_at from users";
    app.sql(passkey).await;
    let both = ann.page("/account/prove").await.text;
    assert!(both.contains("name=\"password\"") && both.contains("data-start=\"/api/me/password-reauth\""), "{both}");
    app.sql("update users set password_hash = null").await;
    let one = ann.page("/account/prove").await.text;
    assert!(!one.contains("name=\"password\"") && one.contains("data-start=\"/api/me/password-reauth\""), "{one}");
    app.sql("update passkeys set created_at = created_at + interval '1 hour'").await;
    let none = ann.page("/account/prove?return_to=/account/security").await.text;
    assert!(none.contains("href=\"/login?prompt=login&amp;return_to=/account/security\""), "{none}");
}
