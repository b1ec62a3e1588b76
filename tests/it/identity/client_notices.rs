//! What clients of the OpenID provider are told: that sessions ended, and that an account was deleted.

mod durable;
mod webhook;

use super::{FREE, links::link_of_kind};
use crate::oidc::verify;
use domain::identity::one_time::Kind;
use support::{prelude::*, receiver::Got, silence::Silence};

const ANN: &str = "ann@example.org";
const METRICS: (&str, &str) = ("APP_METRICS_TOKEN", "0123456789abcdef");
const TARGETS: (&str, &str) = ("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1");

/// Two clients with logout tokens, and one without.
fn clients(web: &Receiver, shop: &Receiver) -> String {
    let client = |id: &str| json!({ "clientId": id, "redirectUris": ["https://app.example.org/cb"] });
    let (mut first, mut second) = (client("web"), client("shop"));
    first["backchannelLogoutUri"] = json!(web.url());
    second["backchannelLogoutUri"] = json!(shop.url());
    second["idTokenSignedResponseAlg"] = json!("ES256");
    json!([first, second, client("plain")]).to_string()
}

/// A server with these clients.
async fn app(clients: &str) -> TestApp {
    TestApp::with_variables(&[FREE, &[TARGETS, ("APP_OIDC_CLIENTS_JSON", clients)]].concat()).await
}

/// Signs every session of a person in to clients, as the authorization endpoint does.
async fn sign_in_to(app: &TestApp, email: &str, clients: &[&str]) {
    for client in clients {
        let statement = format!(
            "insert into oidc_session_clients (session_id, client_id, first_used_at)
             select sessions.id, '{client}', sessions.created_at from sessions join users on users.id = user_id where email = '{email}'
             on conflict do nothing"
        );
        app.sql(&statement).await;
    }
}

/// The claims of a logout token, whose delivery and signature are checked as a client checks them.
async fn claims(app: &TestApp, got: &Got) -> Value {
    assert_eq!(got.header("content-type"), "application/x-www-form-urlencoded");
    assert!(!got.headers.keys().any(|name| name.as_str().contains("webhook")), "{:?}", got.headers);
    let token = got.text().strip_prefix("logout_token=").expect("the one parameter");
    assert!(!token.contains('&'), "{token}");
    let jwks: Value = app.get("/.well-known/jwks.json").send().await.unwrap().json().await.unwrap();
    assert_eq!(jsonwebtoken::decode_header(token).unwrap().typ.as_deref(), Some("logout+jwt"));
    verify(token, &jwks).expect("a key that is published")
}

/// The active sessions of a person, the newest first.
async fn session_ids(person: &Person) -> Vec<String> {
    let listed = person.get("/api/me/sessions").await.body["sessions"].as_array().unwrap().clone();
    listed.iter().map(|session| session["id"].as_str().unwrap().to_owned()).collect()
}

/// The `sid` of a session.
fn sid(id: &str) -> Value {
    json!(id.replace('-', ""))
}

/// Moves the time, and lets the dispatcher look at it.
fn later(app: &TestApp, by: SignedDuration) {
    app.clock.advance(by);
    app.actors.handles().notifications.wake_all();
}

#[tokio::test]
async fn signing_out_tells_the_clients_of_the_session_and_no_others() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let app = app(&clients(&web, &shop)).await;
    let ann = Person::signed_in(&app, ANN).await;
    let elsewhere = Person::elsewhere(&app, ANN).await;
    let user = ann.get("/api/me").await.body["id"].clone();
    sign_in_to(&app, ANN, &["web", "shop", "plain", "gone"]).await;
    let all: BTreeSet<String> = session_ids(&ann).await.into_iter().collect();
    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200);

    let kept = session_ids(&elsewhere).await;
    let ended = all.iter().find(|id| !kept.contains(id)).unwrap();
    let now = app.clock.now().as_second();
    for (receiver, client, algorithm) in [(&web, "web", "RS256"), (&shop, "shop", "ES256")] {
        let got = receiver.got(1).await.remove(0);
        let mut told = claims(&app, &got).await;
        assert!(told["jti"].as_str().unwrap().len() >= 22, "{told}");
        told["jti"] = json!("");
        assert_eq!(
            told,
            json!({
                "iss": app.url(""), "sub": user, "aud": client, "iat": now, "exp": now + 120, "jti": "", "sid": sid(ended),
                "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
            })
        );
        let header = jsonwebtoken::decode_header(got.text().strip_prefix("logout_token=").unwrap()).unwrap();
        assert_eq!(format!("{:?}", header.alg), algorithm);
    }
    assert_eq!(app.count("select count(*) from deliveries").await, 2);
    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200, "once more");
    assert_eq!(app.count("select count(*) from deliveries").await, 2);
}

/// Each way to end sessions, with Ann in two browsers. What the client is told of: one session, by its `sid`,
/// or all of them.
#[tokio::test]
async fn whatever_ends_a_session_tells_its_clients() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let app = app(&clients(&web, &shop)).await;
    let mut told = 0;
    for (number, (name, is_about_all)) in [
        ("logout", false),
        ("one", false),
        ("others", false),
        ("password", false),
        ("address", false),
        ("sign-in", false),
        ("reset", true),
        ("deletion", true),
    ]
    .into_iter()
    .enumerate()
    {
        let email = format!("ann{number}@example.org");
        let (here, there) = (Person::signed_in(&app, &email).await, Person::elsewhere(&app, &email).await);
        app.sql("update users set email_verified = true").await;
        let user = here.get("/api/me").await.body["id"].clone();
        sign_in_to(&app, &email, &["web"]).await;
        let all: BTreeSet<String> = session_ids(&here).await.into_iter().collect();
        let status = match name {
            "logout" => there.post("/api/auth/logout", &json!({})).await,
            "one" => {
                let listed = here.get("/api/me/sessions").await.body["sessions"].as_array().unwrap().clone();
                let other = listed.iter().find(|session| session["current"] == false).unwrap()["id"].as_str().unwrap().to_owned();
                here.delete(&format!("/api/me/sessions/{other}"), &json!({})).await
            }
            "others" => here.post("/api/me/sessions/revoke-others", &json!({})).await,
            "password" => {
                here.post("/api/me/password", &json!({ "currentPassword": PASSWORD, "newPassword": "an even quieter port" })).await
            }
            "address" => here.post("/api/me/email", &json!({ "newEmail": "new@example.org", "password": PASSWORD })).await,
            "sign-in" => there.login(&email, PASSWORD).await,
            "reset" => {
                let token = link_of_kind(&app, &email, Kind::PasswordReset).await;
                let body = json!({ "token": token, "newPassword": "an even quieter port" });
                Person::at(&app).post("/api/auth/password/reset", &body).await
            }
            _ => here.delete("/api/me", &json!({ "password": PASSWORD })).await,
        };
        assert_eq!(status.status, 200, "{name}: {}", status.body);
        told += 1;
        let claims = claims(&app, &web.got(told).await[told - 1]).await;
        assert_eq!(claims["sub"], user, "{name}");
        if is_about_all {
            assert_eq!(claims.get("sid"), None, "{name}");
        } else {
            let left: BTreeSet<String> = session_ids(&here).await.into_iter().collect();
            let ended: Vec<&String> = all.difference(&left).collect();
            assert_eq!((ended.len(), &claims["sid"]), (1, &sid(ended[0])), "{name}");
        }
        assert_eq!(app.count("select count(*) from deliveries").await, i64::try_from(told).unwrap(), "{name}");
    }
    assert!(shop.so_far().is_empty());
}

/// A grant with `offline_access` outlives the session in which it was given; the others do not.
#[tokio::test]
async fn a_session_takes_its_grants_with_it() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let app = app(&clients(&web, &shop)).await;
    let (ann, kept) = (Person::signed_in(&app, ANN).await, Person::elsewhere(&app, ANN).await);
    let give = "insert into oidc_grants (id, client_id, user_id, session_id, scope, resources, claims, auth_at, amr, is_offline, created_at, expires_at)
                select gen_random_uuid(), 'web', user_id, sessions.id, '{openid}', '{}', '{}', created_at, '{pwd}', is_offline, created_at, expires_at
                from sessions, (values (true), (false)) kinds (is_offline) where revoked_at is null";
    let valid =
        |is_offline: bool| format!("select count(*) from oidc_grants where revoked_at is null and is_offline = {is_offline}");
    assert_eq!(app.sql(give).await, 4);
    ann.post("/api/auth/logout", &json!({})).await;
    assert_eq!((app.count(&valid(false)).await, app.count(&valid(true)).await), (1, 2));

    Person::elsewhere(&app, ANN).await;
    assert_eq!(app.sql(give).await, 4);
    kept.post("/api/me/sessions/revoke-others", &json!({})).await;
    let own = format!("{} and session_id is not null", valid(false));
    assert_eq!((app.count(&own).await, app.count(&valid(true)).await), (2, 4), "those of the session that is kept");

    let token = link_of_kind(&app, ANN, Kind::PasswordReset).await;
    let body = json!({ "token": token, "newPassword": "an even quieter port" });
    assert_eq!(ann.post("/api/auth/password/reset", &body).await.status, 200);
    assert_eq!(
        (app.count(&valid(false)).await, app.count(&valid(true)).await),
        (0, 0),
        "a reset ends also those that outlive sessions"
    );
}

#[tokio::test]
async fn a_session_that_does_not_end_tells_nobody() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let app = app(&clients(&web, &shop)).await;
    let ann = Person::signed_in(&app, ANN).await;
    sign_in_to(&app, ANN, &["web"]).await;
    for (path, body) in [
        ("/api/me/sessions/revoke-others", json!({})),
        ("/api/me/password", json!({ "currentPassword": "wrong", "newPassword": "an even quieter port" })),
    ] {
        ann.post(path, &body).await;
    }
    assert_eq!(ann.delete("/api/me", &json!({ "password": "wrong" })).await.status, 403);
    assert_eq!(app.count("select count(*) from deliveries").await, 0);
    assert_eq!(ann.get("/api/me").await.status, 200);
}

#[tokio::test]
async fn a_failed_delivery_is_repeated_with_a_fresh_token() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let app = app(&clients(&web, &shop)).await;
    let ann = Person::signed_in(&app, ANN).await;
    sign_in_to(&app, ANN, &["web"]).await;
    let redirect = Reaction::Full(302, vec![("location", shop.url())], Vec::new());
    web.will([redirect, Reaction::Status(500), Reaction::Status(204)]);
    ann.post("/api/auth/logout", &json!({})).await;
    for (attempt, wait) in [(1, 12), (2, 72), (3, 0)] {
        web.got(attempt).await;
        app.database.until("select count(*) from delivery_attempts", attempt).await;
        later(&app, SignedDuration::from_secs(wait));
    }
    let mut tokens = Vec::new();
    for got in web.got(3).await {
        tokens.push(claims(&app, &got).await);
    }
    let distinct = |claim: &str| tokens.iter().map(|token| token[claim].to_string()).collect::<BTreeSet<_>>().len();
    assert_eq!((distinct("jti"), distinct("iat"), distinct("sid")), (3, 3, 1));
    assert!(tokens.iter().all(|token| token["exp"].as_i64().unwrap() - token["iat"].as_i64().unwrap() == 120));
    assert_eq!(app.count("select count(*) from delivery_queue").await, 0, "204 is success");
    assert!(shop.so_far().is_empty(), "no redirect is followed");
}

/// 400: the client refuses the token, and would refuse the next one.
#[tokio::test]
async fn a_refused_token_is_not_repeated() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let app = app(&clients(&web, &shop)).await;
    let ann = Person::signed_in(&app, ANN).await;
    sign_in_to(&app, ANN, &["web"]).await;
    web.will([Reaction::Status(400)]);
    ann.post("/api/auth/logout", &json!({})).await;
    app.database.until("select count(*) from delivery_queue where dead_at is not null", 1).await;
    let entry = "select count(*) from account_audit where event = 'oidc.backchannel_logout.failed' and status = 'failure'
                 and details ->> 'result' = 'refused' and details ->> 'status' = '400' and details ->> 'attempts' = '1'";
    assert_eq!(app.count(entry).await, 1);
    later(&app, SignedDuration::from_hours(2));
    app.actors.handles().observe_all().await;
    assert_eq!(web.so_far().len(), 1);
}

/// The values of `svc_backchannel_logout_total`: delivered, to be tried again, given up.
async fn attempts(app: &TestApp) -> [String; 3] {
    // The dispatcher counts after it has written the row.
    app.actors.handles().observe_all().await;
    let text = app.get("/metrics").bearer_auth(METRICS.1).send().await.unwrap().text().await.unwrap();
    ["delivered", "retried", "failed"].map(|result| {
        let series = format!("svc_backchannel_logout_total{{result=\"{result}\"}} ");
        let value = text.lines().find_map(|line| line.strip_prefix(&series));
        value.unwrap_or_else(|| panic!("{series} in {text}")).to_owned()
    })
}

#[tokio::test]
async fn attempts_to_deliver_logout_tokens_are_counted_by_what_followed() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let clients = clients(&web, &shop);
    let app = TestApp::with_variables(&[FREE, &[TARGETS, METRICS, ("APP_OIDC_CLIENTS_JSON", clients.as_str())]].concat()).await;
    let ann = Person::signed_in(&app, ANN).await;
    assert_eq!(attempts(&app).await, ["0", "0", "0"]);
    sign_in_to(&app, ANN, &["web", "shop"]).await;
    web.will([Reaction::Status(503)]);
    shop.will([Reaction::Status(400)]);
    ann.post("/api/auth/logout", &json!({})).await;
    app.database.until("select count(*) from delivery_attempts", 2).await;
    assert_eq!(attempts(&app).await, ["0", "1", "1"]);
    later(&app, SignedDuration::from_secs(12));
    app.database.until("select count(*) from delivery_attempts", 3).await;
    assert_eq!(attempts(&app).await, ["1", "1", "1"]);
}

/// The guard against requests to internal targets applies to the URLs of clients as to all others.
#[tokio::test]
async fn a_client_inside_is_called_only_if_that_is_allowed() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let clients = clients(&web, &shop);
    let app = TestApp::with_variables(&[FREE, &[("APP_OIDC_CLIENTS_JSON", clients.as_str())]].concat()).await;
    let ann = Person::signed_in(&app, ANN).await;
    sign_in_to(&app, ANN, &["web"]).await;
    ann.post("/api/auth/logout", &json!({})).await;
    app.database.until("select count(*) from delivery_attempts where result = 'blocked'", 1).await;
    assert!(web.so_far().is_empty());
}

#[tokio::test]
async fn receivers_follow_the_configuration() {
    let (web, shop, moved) = (Receiver::start().await, Receiver::start().await, Receiver::start().await);
    let first = app(&clients(&web, &shop)).await;
    let ann = Person::signed_in(&first, ANN).await;
    let again = Person::elsewhere(&first, ANN).await;
    sign_in_to(&first, ANN, &["web", "shop"]).await;
    // The next start has another address for one client, and does not have the other.
    let clients = json!([{
        "clientId": "web", "redirectUris": ["https://app.example.org/cb"], "backchannelLogoutUri": moved.url(),
    }]);
    let clients = clients.to_string();
    let variables = [FREE, &[TARGETS, ("APP_OIDC_CLIENTS_JSON", clients.as_str())]].concat();
    let setup = Setup { variables: &variables, database: Some(first.database.clone()), ..Setup::default() };
    let second = TestApp::with(setup).await;
    let open = "select count(*) from receivers where closed_at is null and kind = 'logout'";
    assert_eq!((second.count(open).await, second.count("select count(*) from client_receivers").await), (1, 1));
    ann.post("/api/auth/logout", &json!({})).await;
    moved.got(1).await;
    again.post("/api/auth/logout", &json!({})).await;
    moved.got(2).await;
    assert!(web.so_far().is_empty() && shop.so_far().is_empty());
}

/// Clients of the provider share attempts with spaces in the same way.
#[tokio::test]
async fn a_logout_token_does_not_wait_for_silent_webhooks() {
    let (web, shop, silence) = (Receiver::start().await, Receiver::start().await, Silence::start().await);
    let app = app(&clients(&web, &shop)).await;
    assert_eq!(app.count("select count(*) from receivers where kind = 'logout' and owner in ('web', 'shop')").await, 2);
    let ann = Person::signed_in(&app, ANN).await;
    sign_in_to(&app, ANN, &["web"]).await;
    silence.register(&app.database, "number / 10", "failing", 5).await;
    later(&app, SignedDuration::ZERO);
    silence.under_way(192).await;
    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200);
    web.got(1).await;
    silence.lasts(&app.database).await;
}
