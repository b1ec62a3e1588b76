//! Session cookies that must not work.

use super::{FREE, get_with_cookies, registered};
use crypto::{
    keys::Keys,
    session::{Claims, SessionTokens},
};
use domain::shared::{SessionId, UserId};
use support::prelude::*;

#[tokio::test]
async fn a_cookie_that_was_signed_out_or_whose_account_changed_is_dead() {
    let (app, ann) = registered().await;
    let sign_in =
        async || format!("session={}", Person::at(&app).login("ann@example.org", PASSWORD).await.cookie("session").unwrap());
    let status = async |cookie: &str| get_with_cookies(&app, "/api/me", cookie).await.status;

    let cookie = format!("session={}", ann.login("ann@example.org", PASSWORD).await.cookie("session").unwrap());
    assert_eq!(status(&cookie).await, 200);
    let response = ann.post("/api/auth/logout", &json!({})).await;
    assert_eq!(
        (response.status, response.cookie("session").as_deref(), response.cookie("csrf_token").as_deref()),
        (200, Some(""), Some(""))
    );
    assert_eq!(status(&cookie).await, 401, "the row is dead, not only the cookie");
    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200, "again is fine");

    for statement in [
        "update users set token_version = token_version + 1",
        "update users set suspended_at = now()",
        "update sessions set revoked_at = now()",
        "delete from users",
    ] {
        let cookie = sign_in().await;
        assert_eq!(status(&cookie).await, 200);
        app.sql(statement).await;
        assert_eq!(status(&cookie).await, 401, "{statement}");
        app.sql("update users set suspended_at = null").await;
    }
    // Another account with the same address has other sessions.
    Person::at(&app).register("ann@example.org").await;
    assert_eq!(status(&cookie).await, 401);
}

/// A server, the session cookie of a signed-in person, and its claims.
async fn with_claims() -> (TestApp, String, Claims) {
    let (app, ann) = registered().await;
    let good = ann.login("ann@example.org", PASSWORD).await.cookie("session").unwrap();
    let claims = tokens(7, &app.url("")).verify(&good, app.clock.now().as_second()).unwrap();
    (app, good, claims)
}

fn tokens(key: u8, issuer: &str) -> SessionTokens {
    SessionTokens::new(&Keys::new(vec![key; 32].into()), issuer)
}

/// Checks that none of these cookies is a session.
async fn are_refused(app: &TestApp, forged: &[String]) {
    for cookie in forged {
        // Each has a client of its own, because a request that the HTTP parser refuses costs the connection.
        let request = support::browser().get(app.url("/api/me"));
        let Ok(value) = reqwest::header::HeaderValue::from_str(&format!("session={cookie}")) else { continue };
        assert_eq!(request.header("cookie", value).send().await.unwrap().status().as_u16(), 401, "{cookie}");
    }
}

#[tokio::test]
async fn a_cookie_with_another_signature_is_401() {
    let (app, good, claims) = with_claims().await;
    let (_, rest) = good.split_once('.').unwrap();
    let (payload, signature) = rest.split_once('.').unwrap();
    let mut forged = vec![tokens(8, &app.url("")).sign(claims).unwrap()];
    // {"alg":"none","typ":"session+jwt"} and {"alg":"RS256","typ":"session+jwt"}
    for head in ["eyJhbGciOiJub25lIiwidHlwIjoic2Vzc2lvbitqd3QifQ", "eyJhbGciOiJSUzI1NiIsInR5cCI6InNlc3Npb24rand0In0"] {
        forged.extend([format!("{head}.{payload}."), format!("{head}.{payload}.{signature}")]);
    }
    are_refused(&app, &forged).await;
}

#[tokio::test]
async fn a_cookie_with_wrong_claims_is_401() {
    let (app, _, claims) = with_claims().await;
    let issuer = app.url("");
    let sign = |issuer: &str, claims: Claims| tokens(7, issuer).sign(claims).unwrap();
    let forged = [
        sign("https://evil.example.org", claims.clone()),
        sign(&issuer, Claims { exp: app.clock.now().as_second(), ..claims.clone() }),
        sign(&issuer, Claims { tv: 1, ..claims.clone() }),
        sign(&issuer, Claims { sub: UserId(Uuid::nil()), ..claims.clone() }),
        sign(&issuer, Claims { sid: SessionId(Uuid::nil()), ..claims.clone() }),
    ];
    are_refused(&app, &forged).await;
}

#[tokio::test]
async fn a_damaged_cookie_is_401() {
    let (app, good, _) = with_claims().await;
    let (head, rest) = good.split_once('.').unwrap();
    let (payload, _) = rest.split_once('.').unwrap();
    let damaged = [
        format!("{head}.{payload}."),
        format!("{head}.{payload}"),
        good[1..].to_owned(),
        good[..good.len() - 1].to_owned(),
        format!("{good}="),
        format!("{good}x"),
        format!("{head} .{payload}"),
        good.replace('.', ".."),
        "a".repeat(8 << 10),
        String::new(),
        "\u{7f}".to_owned(),
    ];
    are_refused(&app, &damaged).await;
    let twice = format!("session={good}; session={good}");
    assert_eq!(get_with_cookies(&app, "/api/me", &twice).await.refusal(), (401, "unauthorized"));
    let padded = format!("a=b; session={good} ; c=d");
    assert_eq!(get_with_cookies(&app, "/api/me", &padded).await.status, 200, "the good one is good");
}

#[tokio::test]
async fn over_https_cookies_have_the_names_that_browsers_protect() {
    let app = TestApp::with_variables(&[FREE, &[("APP_COOKIE_SECURE", "true")]].concat()).await;
    let response = Person::at(&app).get("/api/csrf-token").await;
    let cookies: Vec<_> = response.headers.get_all("set-cookie").iter().map(|g| g.to_str().unwrap()).collect();
    assert!(
        cookies.iter().any(|cooky| cooky.starts_with("csrf_token=") && cooky.ends_with("; Path=/; SameSite=Lax; Secure")),
        "{cookies:?}"
    );
    assert!(
        cookies.iter().any(|cooky| cooky.starts_with("__Host-presession=") && cooky.ends_with("; HttpOnly; Secure")),
        "{cookies:?}"
    );
}
