//! Registration on a server that sends mail.

use super::{forgot_password, last_link, letters, limited_app, mailing_app, verified, visit};
use domain::identity::MailContent;
use support::prelude::*;

#[tokio::test]
async fn a_new_account_has_to_be_verified_before_the_first_sign_in() {
    let app = mailing_app().await;
    let ann = Person::at(&app);
    let response = ann.register("ann@example.org").await;
    assert_eq!(
        (response.status, &response.body["emailVerificationRequired"], response.body.get("user")),
        (201, &json!(true), None)
    );
    assert_eq!(response.cookie("session"), None);
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.refusal(), (403, "emailNotVerified"));
    assert_eq!(ann.login("ann@example.org", "not the harbour").await.refusal(), (401, "invalidCredentials"));

    let link = last_link(&app, "ann@example.org").await;
    let path = link.strip_prefix(&app.url("")).expect("a link to the configured address");
    let token = path.strip_prefix("/verify-email?token=").expect("a link to a page, which asks for a click");
    assert_eq!(token.len(), 43, "{path}");
    assert_eq!(visit(&ann, &format!("/api/auth/verify-email?token={token}")).await, (302, "/login?verified=1".to_owned()));
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.status, 200);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.email.verified'").await, 1);
}

#[tokio::test]
async fn a_taken_address_is_answered_as_a_new_one_and_its_owner_is_told() {
    let app = limited_app().await;
    verified(&app, "ann@example.org").await;
    let new = Person::at(&app).register("new@example.org").await;
    for spelling in ["ann@example.org", "ANN@Example.org", "  ann@example.org "] {
        let response = Person::at(&app).register(spelling).await;
        assert_eq!((response.status, &response.body), (new.status, &new.body), "{spelling}");
    }
    for other in ["ánn@example.org", "ａnn@example.org"] {
        assert_eq!(Person::at(&app).register(other).await.refusal(), (400, "validation"), "{other}");
    }
    assert_eq!(app.count("select count(*) from users").await, 2, "no second account");
    let letters = letters(&app, "ann@example.org").await;
    assert!(
        matches!(letters[..], [MailContent::Verification { .. }, MailContent::PasswordReset { .. }]),
        "told once an hour: {letters:?}"
    );
    assert_eq!(Person::at(&app).login("ann@example.org", PASSWORD).await.status, 200, "nothing was changed");

    app.clock.advance(jiff::SignedDuration::from_hours(1));
    Person::at(&app).register("ann@example.org").await;
    // What is in a mail whose time is over may be gone already.
    let mails = "select count(*) from mails join users on users.id = mails.user_id where users.email = 'ann@example.org'";
    assert_eq!(app.count(mails).await, 3);
    let hashed = "select count(*) from one_time where user_id is null";
    assert_eq!(app.count(hashed).await, 0, "what was done in the place of a link leaves none behind");
}

#[tokio::test]
async fn fifty_concurrent_registrations_of_one_address_get_the_same_response() {
    let app = Arc::new(mailing_app().await);
    let mut bodies = join_all((0..50).map(async |_| Person::at(&app).register("ann@example.org").await.body.to_string())).await;
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
    assert_eq!(app.count("select count(*) from users").await, 1);
    assert_eq!(app.count("select count(*) from one_time where kind = 'verification'").await, 1);
}

#[tokio::test]
async fn a_suspended_owner_gets_no_mail() {
    let app = mailing_app().await;
    verified(&app, "ann@example.org").await;
    app.sql("update users set suspended_at = now()").await;
    assert_eq!(Person::at(&app).register("ann@example.org").await.status, 201);
    assert_eq!(forgot_password(&Person::at(&app), "ann@example.org").await.status, 200);
    assert_eq!(letters(&app, "ann@example.org").await.len(), 1);
}
