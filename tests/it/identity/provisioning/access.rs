//! Who may provision, and how often.

use super::{CLIENTS, FREE, METRICS, OTHER_TOKEN, TOKEN, TOKENS, app, beside};
use crate::identity::LIMITED;
use support::prelude::*;

const PATHS: [&str; 3] = ["/api/provisioning/users", "/api/provisioning/users/import", "/api/provisioning/users/lookup"];

/// Attack 171.
#[tokio::test]
async fn without_a_token_there_is_nothing() {
    for variables in [&[][..], &[("APP_ADMIN_API_TOKENS_JSON", "[]")]] {
        let app = TestApp::with_variables(variables).await;
        for path in PATHS.into_iter().chain(["/api/provisioning", "/api/provisioning/x"]) {
            for method in [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
                let response = app.client.request(method.clone(), app.url(path)).bearer_auth(TOKEN).send().await.unwrap();
                assert_eq!(response.status().as_u16(), 404, "{method} {path}");
            }
        }
        let refused = app.get(PATHS[2]).answer().await;
        assert_eq!(refused.refusal(), (404, "notFound"));
    }
}

#[tokio::test]
async fn only_a_whole_token_opens_it() {
    let app = app().await;
    let admin = Person::at(&app);
    admin.register("admin@example.org").await;
    assert_eq!(admin.login("admin@example.org", super::PASSWORD).await.status, 200);
    let user = json!({ "email": "ann@example.org", "firstName": "Ann" });
    for path in PATHS {
        let method = if path.ends_with("lookup") { Method::GET } else { Method::POST };
        let request = || browser().request(method.clone(), app.url(path)).json(&user);
        let csrf = admin.csrf().await;
        for request in [
            request(),
            request().bearer_auth(""),
            request().bearer_auth(&TOKEN[..31]),
            request().bearer_auth(format!("{TOKEN}0")),
            request().bearer_auth("importer"),
            request().basic_auth("importer", Some(TOKEN)),
            request().header("x-api-key", TOKEN),
            browser().request(method.clone(), app.url(&format!("{path}?access_token={TOKEN}"))).json(&user),
            admin.browser.request(method.clone(), app.url(path)).header("x-csrf-token", csrf).json(&user),
        ] {
            let refused = request.answer().await;
            assert_eq!(refused.refusal(), (401, "unauthorized"), "{path}");
            assert_eq!(refused.headers["www-authenticate"], "Bearer");
        }
        let other = browser().put(app.url(path)).bearer_auth(TOKEN).send().await.unwrap();
        assert_eq!(other.status().as_u16(), 405, "{path}");
    }
    for token in [TOKEN, OTHER_TOKEN] {
        let found =
            browser().get(app.url("/api/provisioning/users/lookup?email=admin@example.org")).bearer_auth(token).send().await;
        assert_eq!(found.unwrap().status().as_u16(), 200, "several tokens at once");
    }
}

async fn ask(app: &TestApp, token: &str) -> Response {
    browser().get(app.url("/api/provisioning/users/lookup?legacySub=1")).bearer_auth(token).answer().await
}

/// Attack 173.
#[tokio::test]
async fn a_token_has_60_requests_a_minute_at_all_processes_together() {
    let variables = [LIMITED, &[TOKENS, CLIENTS, METRICS]].concat();
    let app = TestApp::with_variables(&variables).await;
    let second = beside(&app, &variables).await;
    for number in 0..60 {
        let app = if number % 2 == 0 { &app } else { &second };
        assert_eq!(ask(app, TOKEN).await.status, 404, "request {number}");
    }
    for app in [&app, &second] {
        let refused = ask(app, TOKEN).await;
        assert_eq!(refused.refusal(), (429, "rateLimited"));
        assert_eq!(refused.headers["retry-after"], "1");
    }
    assert_eq!(ask(&app, OTHER_TOKEN).await.status, 404, "the other token has its own");
    app.clock.advance(SignedDuration::from_millis(999));
    assert_eq!(ask(&app, TOKEN).await.status, 429);
    app.clock.advance(SignedDuration::from_millis(1));
    assert_eq!(ask(&app, TOKEN).await.status, 404, "one a second");
    assert_eq!(ask(&app, TOKEN).await.status, 429);

    // Bodies that cannot be read count too.
    let odd = browser().post(app.url("/api/provisioning/users")).bearer_auth(OTHER_TOKEN).body("{").send().await.unwrap();
    assert_eq!(odd.status().as_u16(), 400);
    for _ in 0..58 {
        assert_eq!(ask(&app, OTHER_TOKEN).await.status, 404);
    }
    assert_eq!(ask(&app, OTHER_TOKEN).await.status, 404, "a second has passed since its first request");
    assert_eq!(ask(&app, OTHER_TOKEN).await.status, 429);
    let metrics = app.get("/metrics").bearer_auth(METRICS.1).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("svc_rate_limited_total{limit=\"provisioning\"} 4\n"), "one more was refused by the other process");
}

#[tokio::test]
async fn a_crowd_at_two_processes_is_counted_as_one_and_what_is_refused_costs_the_database_nothing() {
    let variables = [LIMITED, &[TOKENS]].concat();
    let app = TestApp::with_variables(&variables).await;
    let second = beside(&app, &variables).await;
    let crowd = async |size: usize| {
        let asked = (0..size).map(|number| ask(if number % 2 == 0 { &app } else { &second }, TOKEN));
        let statuses: Vec<_> = futures_util::future::join_all(asked).await.iter().map(|response| response.status).collect();
        assert!(statuses.iter().all(|status| [404, 429].contains(status)), "{statuses:?}");
        statuses.iter().filter(|status| **status == 404).count()
    };
    assert_eq!(crowd(90).await, 60);
    assert_eq!(crowd(2).await, 0);
    let asked = || app.database.store.round_trips_of("rate_limit.acquire");
    let before = asked();
    assert_eq!((crowd(20).await, asked() - before), (0, 0), "for a second");
}

#[tokio::test]
async fn a_clock_that_jumps_neither_locks_a_token_out_nor_opens_the_limit() {
    let app = TestApp::with_variables(&[LIMITED, &[TOKENS]].concat()).await;
    let day = SignedDuration::from_hours(24);
    app.clock.advance(day);
    for _ in 0..60 {
        assert_eq!(ask(&app, TOKEN).await.status, 404);
    }
    assert_eq!(ask(&app, TOKEN).await.status, 429);
    app.clock.advance(SignedDuration::from_secs(-30));
    assert_eq!(ask(&app, TOKEN).await.status, 429, "set back a little: the bucket stays empty");
    app.clock.advance(-day);
    for number in 0..60 {
        assert_eq!(ask(&app, TOKEN).await.status, 404, "request {number} after the clock was a day ahead");
    }
    assert_eq!(ask(&app, TOKEN).await.status, 429);
}

#[tokio::test]
async fn limits_can_be_off() {
    let app = TestApp::with_variables(&[FREE, &[TOKENS]].concat()).await;
    for _ in 0..70 {
        assert_eq!(ask(&app, TOKEN).await.status, 404);
    }
}
