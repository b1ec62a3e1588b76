//! Verifying an address.

use super::{NAVIGATES, forgot_password, last_token, letters, limited_app, mailing_app, open, registered, reset_password, visit};
use support::prelude::*;

const YES: &str = "/login?verified=1";
/// A program that is no browser.
const PROGRAM: &[(&str, &str)] = &[("accept", "*/*")];
const NO: &str = "/login?verified=0&reason=invalid";

fn path(token: &str) -> String {
    format!("/api/auth/verify-email?token={token}")
}

#[tokio::test]
async fn only_the_whole_link_works_once_and_in_its_time() {
    let app = mailing_app().await;
    let (ann, bob) = (Person::at(&app), Person::at(&app));
    ann.register("ann@example.org").await;
    bob.register("bob@example.org").await;
    let (token, other) = (last_token(&app, "ann@example.org").await, last_token(&app, "bob@example.org").await);
    let swapped: String =
        token.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect();
    for broken in ["", &token[1..], &token[..42], &format!("{token}="), &format!("{token}x"), &swapped, "%00", "a%2fb"] {
        let (status, location) = visit(&ann, &path(broken)).await;
        assert!((status, location.as_str()) == (302, NO) || status == 400, "{broken} {status} {location}");
        assert_eq!(ann.get(&path(broken)).await.status, 400, "{broken}");
    }
    assert_eq!(app.count("select count(*) from users where email_verified").await, 0);
    // Only the owner of the link is verified.
    assert_eq!(visit(&bob, &path(&other)).await, (302, YES.to_owned()));
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.refusal(), (403, "emailNotVerified"));

    app.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(visit(&ann, &path(&token)).await, (302, NO.to_owned()));
    assert_eq!(ann.get(&path(&token)).await.refusal(), (400, "invalidToken"));
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.refusal(), (403, "emailNotVerified"));
}

#[tokio::test]
async fn a_mail_program_that_follows_the_link_first_does_no_harm() {
    let app = mailing_app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let token = last_token(&app, "ann@example.org").await;
    let head = ann.browser.head(app.url(&path(&token))).send().await.unwrap();
    assert_eq!((head.status().as_u16(), app.count("select count(*) from users where email_verified").await), (405, 0));
    for _ in 0..3 {
        assert_eq!(visit(&ann, &path(&token)).await, (302, YES.to_owned()));
    }
    app.clock.advance(SignedDuration::from_hours(24) - SignedDuration::from_secs(1));
    assert_eq!(visit(&Person::at(&app), &path(&token)).await, (302, YES.to_owned()));
    app.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(visit(&ann, &path(&token)).await, (302, NO.to_owned()));
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.email.verified'").await, 1);
}

const VERIFIED: &str = "select count(*) from users where email_verified";

#[tokio::test]
async fn a_link_verifies_only_where_the_account_was_registered_and_leads_others_to_the_page() {
    let app = mailing_app().await;
    let eve = Person::at(&app);
    eve.register("ann@example.org").await;
    let token = last_token(&app, "ann@example.org").await;
    let page = (303, format!("/verify-email?token={token}"));
    // Ann's browser, and programs that look at her mail and say that they are one.
    let ann = Person::at(&app);
    ann.csrf().await;
    let image = [("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];
    let script = [("accept", "*/*"), ("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty")];
    let html = [("accept", "text/html")];
    for headers in [NAVIGATES, &image, &script, &html, &[("sec-fetch-site", "none")]] {
        assert_eq!(open(&ann, &path(&token), headers).await, page, "{headers:?}");
        assert_eq!(open(&Person::at(&app), &path(&token), headers).await, page, "{headers:?}");
    }
    // In the browser of the registration too it takes a person who goes there.
    let early = [NAVIGATES, &[("sec-purpose", "prefetch;prerender")]].concat();
    for headers in [&early[..], &image, &script, &[("purpose", "prefetch")], &[("x-moz", "prefetch")]] {
        assert_eq!(open(&eve, &path(&token), headers).await, page, "{headers:?}");
    }
    // A prefetch of a program is one as well.
    assert_eq!(open(&Person::at(&app), &path(&token), &[("purpose", "prefetch")]).await, page);
    assert_eq!(app.count(VERIFIED).await, 0);
    assert_eq!(visit(&eve, &path(&token)).await, (302, YES.to_owned()));
    assert_eq!(app.count(VERIFIED).await, 1);
}

/// Over plain http, to another host than localhost, browsers do not say how a link is opened.
#[tokio::test]
async fn the_browser_of_the_registration_is_known_without_what_browsers_tell_over_https() {
    let app = mailing_app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let token = last_token(&app, "ann@example.org").await;
    assert_eq!(open(&ann, &path(&token), &[("accept", "text/html,*/*;q=0.8")]).await, (302, YES.to_owned()));
}

#[tokio::test]
async fn a_program_that_calls_it_verifies() {
    let app = mailing_app().await;
    Person::at(&app).register("ann@example.org").await;
    let token = last_token(&app, "ann@example.org").await;
    assert_eq!(open(&Person::at(&app), &path(&token), PROGRAM).await, (302, YES.to_owned()));
    assert_eq!(app.count(VERIFIED).await, 1);
}

/// A stranger who asks for another link does not become the one who registered.
#[tokio::test]
async fn another_link_is_still_for_the_browser_of_the_registration() {
    let app = mailing_app().await;
    let (ann, eve) = (Person::at(&app), Person::at(&app));
    ann.register("ann@example.org").await;
    for _ in 0..2 {
        eve.post("/api/auth/resend-verification", &json!({ "email": "ann@example.org" })).await;
    }
    let token = last_token(&app, "ann@example.org").await;
    assert_eq!(visit(&eve, &path(&token)).await.0, 303);
    assert_eq!(visit(&ann, &path(&token)).await, (302, YES.to_owned()));
}

#[tokio::test]
async fn of_fifty_concurrent_uses_of_a_link_one_verifies_and_all_succeed() {
    let app = Arc::new(mailing_app().await);
    Person::at(&app).register("ann@example.org").await;
    let token = last_token(&app, "ann@example.org").await;
    assert_eq!(join_all((0..50).map(async |_| open(&Person::at(&app), &path(&token), PROGRAM).await.1)).await, [YES; 50]);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.email.verified'").await, 1);
}

#[tokio::test]
async fn it_leads_to_the_login_page_and_nowhere_else() {
    let app = mailing_app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let token = last_token(&app, "ann@example.org").await;
    for more in ["&next=https://evil.example", "&next=//evil.example", "&redirect=https://evil.example", "&token=x"] {
        let (status, location) = visit(&ann, &format!("{}{more}", path(&token))).await;
        assert!(status == 302 && (location == YES || location == NO), "{more}: {location}");
    }
    let request = ann.browser.get(app.url(&path(&token))).header("host", "evil.example").header("x-forwarded-host", "evil.example");
    assert_eq!(request.send().await.unwrap().headers()["location"], YES);
}

#[tokio::test]
async fn another_mail_makes_the_one_before_void_and_the_answer_tells_nothing() {
    let app = mailing_app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let first = last_token(&app, "ann@example.org").await;
    let resend = async |email: &str| ann.post("/api/auth/resend-verification", &json!({ "email": email })).await;
    let response = resend("Ann@Example.org").await;
    assert_eq!(response.status, 200, "{}", response.body);
    let comparable = |response: &Response| (response.status, response.body.clone());
    assert_eq!(comparable(&resend("nobody@example.org").await), comparable(&response));
    let second = last_token(&app, "ann@example.org").await;
    assert_eq!(visit(&ann, &path(&first)).await.1, NO);
    assert_eq!(visit(&ann, &path(&second)).await.1, YES);
    assert_eq!(comparable(&resend("ann@example.org").await), comparable(&response));
    assert_eq!(letters(&app, "ann@example.org").await.len(), 2, "none to who is verified");
    assert_eq!(app.count("select count(*) from mails").await, 2);
    for odd in [json!({}), json!({ "email": "no address" }), json!({ "email": null })] {
        assert_eq!(ann.post("/api/auth/resend-verification", &odd).await.refusal(), (400, "validation"), "{odd}");
    }
}

#[tokio::test]
async fn of_links_that_are_asked_for_at_once_only_the_newest_works() {
    let app = Arc::new(mailing_app().await);
    Person::at(&app).register("ann@example.org").await;
    assert_eq!(
        join_all((0..20).map(async |_| {
            Person::at(&app).post("/api/auth/resend-verification", &json!({ "email": "ann@example.org" })).await.status
        }))
        .await,
        [200; 20]
    );
    let open = "select count(*) from one_time where kind = 'verification' and expires_at > '2026-03-01T12:00:00Z'";
    assert_eq!(app.count(open).await, 1);
}

#[tokio::test]
async fn three_mails_an_hour_go_to_an_address_and_the_response_does_not_tell() {
    let app = limited_app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    for _ in 0..6 {
        assert_eq!(ann.post("/api/auth/resend-verification", &json!({ "email": "ann@example.org" })).await.status, 200);
    }
    assert_eq!(letters(&app, "ann@example.org").await.len(), 1 + 3);
    for _ in 6..20 {
        assert_eq!(forgot_password(&ann, "nobody@example.org").await.status, 200);
    }
    assert_eq!(forgot_password(&ann, "other@example.org").await.refusal(), (429, "rateLimited"), "twenty an hour from one address");
    app.clock.advance(SignedDuration::from_mins(20));
    assert_eq!(ann.post("/api/auth/resend-verification", &json!({ "email": "ann@example.org" })).await.status, 200);
    assert_eq!(letters(&app, "ann@example.org").await.len(), 5);
}

#[tokio::test]
async fn guessing_links_is_limited_and_a_right_one_still_works() {
    let app = limited_app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let token = last_token(&app, "ann@example.org").await;
    for _ in 0..20 {
        assert_eq!(ann.get(&path(&"x".repeat(43))).await.refusal(), (400, "invalidToken"));
    }
    assert_eq!(ann.get(&path(&"x".repeat(43))).await.refusal(), (429, "rateLimited"));
    assert_eq!(reset_password(&ann, &"x".repeat(43), "an even quieter port").await.refusal(), (429, "rateLimited"));
    assert_eq!(ann.get(&format!("/api/auth/invite?token={}", "x".repeat(43))).await.refusal(), (429, "rateLimited"));
    let body = json!({ "token": "x".repeat(43) });
    assert_eq!(ann.post("/api/auth/confirm-email", &body).await.refusal(), (429, "rateLimited"));
    assert_eq!(visit(&ann, &path(&token)).await.1, YES);
}

#[tokio::test]
async fn without_mail_nothing_is_sent_and_the_answers_are_the_same() {
    let (app, ann) = registered().await;
    app.sql("update users set email_verified = false").await;
    for email in ["ann@example.org", "nobody@example.org"] {
        assert_eq!(ann.post("/api/auth/resend-verification", &json!({ "email": email })).await.status, 200);
        assert_eq!(forgot_password(&ann, email).await.status, 200);
    }
    assert_eq!(app.count("select (select count(*) from mails) + (select count(*) from jobs where queue = 'mail')").await, 0);
}
