//! Forms: how they are read, and what other sites cannot send.

use super::{ANN, app, signed_in};
use reqwest::header;
use support::prelude::*;

#[tokio::test]
async fn a_form_without_the_token_of_its_page_changes_nothing() {
    let (app, ann) = signed_in().await;
    let foreign = Person::at(&app).page("/login").await.field("csrf_token").unwrap();
    let own = ann.page("/logout").await.field("csrf_token").unwrap();
    let forms: Vec<_> = app.endpoints.iter().filter(|endpoint| endpoint.is_page && endpoint.method == Method::POST).collect();
    assert!(forms.len() > 15, "{}", forms.len());
    for form in forms {
        let path = form
            .template
            .replace("{id}", "00000000-0000-0000-0000-000000000000")
            .replace("{space}", "7")
            .replace("{name}", "webhooks");
        for fields in [&[][..], &[("csrf_token", "")], &[("csrf_token", "x")], &[("csrf_token", &foreign)]] {
            let page = ann.send_form(&path, fields).await;
            assert!(page.status == 403 && page.text.contains("This form has expired"), "{path} {fields:?}: {}", page.status);
        }
    }
    let logout = || ann.form("/logout", &[("csrf_token", &own)]);
    for request in [
        logout().header("sec-fetch-site", "cross-site"),
        logout().header("sec-fetch-site", "same-site").header("origin", "https://evil.example.org"),
        logout().header("origin", "https://evil.example.org"),
        // Of a page in a sandbox, for example.
        logout().header("origin", "null"),
    ] {
        assert_eq!(request.send().await.unwrap().status(), 403);
    }
    assert!(ann.is_signed_in().await, "nothing of it ended the session");
    // As a browser sends it over plain http on a host that is not localhost: without Sec-Fetch-Site.
    let page = logout().header("origin", app.url("")).answer().await;
    assert_eq!((page.redirect(), ann.is_signed_in().await), ((303, "/logout"), false));
}

#[tokio::test]
async fn the_header_of_the_api_is_no_token_of_a_form_and_the_api_takes_no_form() {
    let (_app, ann) = signed_in().await;
    let token = ann.page("/logout").await.field("csrf_token").unwrap();
    let response = ann.form("/logout", &[]).header("x-csrf-token", &token).send().await.unwrap();
    assert_eq!(response.status(), 403);
    let response =
        ann.form("/api/auth/login", &[("csrf_token", &token), ("email", ANN)]).header("x-csrf-token", &token).send().await.unwrap();
    assert_eq!(response.status(), 415);
}

#[tokio::test]
async fn a_form_is_read_strictly() {
    let app = app().await;
    let person = Person::at(&app);
    let token = person.page("/login").await.field("csrf_token").unwrap();
    let post = async |content_type: &str, body: String| {
        let request =
            person.browser.post(person.url("/login")).header(header::CONTENT_TYPE, content_type).header("accept", "text/html");
        request.body(body).answer().await
    };
    let urlencoded = "application/x-www-form-urlencoded";
    let long = format!("csrf_token={token}&email={}", "a".repeat(70_000));
    for (content_type, body, status) in [
        ("text/plain", format!("csrf_token={token}"), 415),
        ("multipart/form-data; boundary=x", format!("csrf_token={token}"), 415),
        ("application/json", "{}".to_owned(), 415),
        (urlencoded, format!("csrf_token={token}&email=a&email=b"), 400),
        (urlencoded, format!("csrf_token={token}&csrf_token={token}"), 400),
        (urlencoded, format!("csrf_token={token}&email=%ff"), 400),
        (urlencoded, format!("csrf_token={token}&email=%00"), 400),
        (urlencoded, format!("csrf_token={token}{}", "&".repeat(300)), 400),
        (urlencoded, long, 413),
        ("Application/X-WWW-Form-Urlencoded; charset=UTF-8", format!("csrf_token={token}&email=a"), 400),
    ] {
        let page = post(content_type, body).await;
        assert_eq!(page.status, status, "{content_type}");
        assert!(page.text.starts_with("<!DOCTYPE html>"), "{content_type}: {}", page.text);
    }
}

#[tokio::test]
async fn what_is_wrong_is_told_at_its_field_and_nothing_typed_is_lost_but_passwords() {
    let app = app().await;
    let person = Person::at(&app);
    let fields =
        [("firstName", "A\"nn"), ("lastName", ""), ("email", "no address"), ("password", "short"), ("return_to", "/account/data")];
    let page = person.fill_in("/register", &fields).await;
    assert_eq!(page.status, 400);
    assert!(page.text.contains("<title>Error: Create an account"), "{}", page.text);
    for wrong in ["email", "password"] {
        assert!(page.text.contains(&format!("href=\"#{wrong}\"")), "the summary leads to {wrong}");
        let input = page.text.split("<input").find(|input| input.contains(&format!("id=\"{wrong}\""))).unwrap();
        assert!(input.contains("aria-invalid=\"true\"") && input.contains(&format!("aria-describedby=\"{wrong}-error")), "{input}");
        assert!(page.text.contains(&format!("id=\"{wrong}-error\"")));
    }
    assert!(page.text.contains("Use at least 8 characters."));
    let kept = ["firstName", "lastName", "email", "return_to"].map(|name| page.field(name).unwrap());
    assert_eq!(kept, ["A\"nn", "", "no address", "/account/data"]);
    assert_eq!(page.field("password"), None, "a password is not sent back");
    assert!(!page.text.contains("short\""));

    let script = "<script>alert(1)</script>@example.org";
    let page = person.fill_in("/login", &[("email", script), ("password", PASSWORD)]).await;
    assert!(page.status == 400 && !page.text.contains("<script>alert"), "{}", page.text);
}
