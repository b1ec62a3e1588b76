//! How clients authenticate themselves, at the revocation endpoint: 200 shows that they did.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use futures_util::future;
use support::prelude::*;

/// A secret that needs encoding in a header and in a form.
const ODD: &str = "a+b%2Bc/d=e:f&g h%";
/// The secret of `web-app` that is derived from the master of these tests.
const DERIVED: &str = "5fMdDkFmFPIFh9FuXPrFqUzrdQa2qlM6XAn8Uno7hfs";
const ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// A key of a client.
pub struct Key(EcdsaKeyPair);

impl Key {
    pub fn new() -> Self {
        Self(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
    }

    pub fn jwk(&self, kid: &str) -> Value {
        let point = self.0.public_key().as_ref();
        json!({ "kty": "EC", "crv": "P-256", "kid": kid, "x": BASE64.encode(&point[1..33]), "y": BASE64.encode(&point[33..]) })
    }

    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let input = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()));
        let signature = self.0.sign(&SystemRandom::new(), input.as_bytes()).unwrap();
        format!("{input}.{}", BASE64.encode(signature))
    }
}

/// The variables of a server whose clients authenticate in every way; `key` is that of the client `keyed`.
fn clients(key: &Key) -> String {
    let redirect = ["https://app.example/cb"];
    let all = json!([
        { "clientId": "web-app", "redirectUris": redirect },
        { "clientId": "odd", "redirectUris": redirect, "clientSecret": ODD },
        { "clientId": "public", "kind": "public", "redirectUris": redirect },
        { "clientId": "keyed", "redirectUris": redirect, "tokenEndpointAuthMethod": "private_key_jwt",
          "jwks": { "keys": [Key::new().jwk("old"), key.jwk("new")] } },
    ]);
    all.to_string()
}

/// A server with these clients.
async fn start(key: &Key, more: &[(&str, &str)], database: Option<Arc<Database>>) -> TestApp {
    let clients = clients(key);
    let usual = [("APP_CLIENT_SECRET_MASTER", "0123456789abcdef0123456789abcdef"), ("APP_OIDC_CLIENTS_JSON", clients.as_str())];
    TestApp::with(Setup { variables: &[&usual, more].concat(), database, ..Setup::default() }).await
}

/// Revokes a token that was never issued, with more parameters and, if any, a value of `Authorization`.
async fn revoke(app: &TestApp, form: &[(&str, &str)], authorization: Option<&str>) -> Response {
    let mut request = browser().post(app.url("/oidc/revoke")).form(&[&[("token", "x")], form].concat());
    if let Some(value) = authorization {
        request = request.header("authorization", value);
    }
    request.answer().await
}

fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{id}:{secret}")))
}

/// The form encoding of a text.
fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

#[tokio::test]
async fn a_secret_is_accepted_in_the_header_and_in_the_form() {
    let app = start(&Key::new(), &[], None).await;
    let accepted = async |form: &[(&str, &str)], header: Option<&str>| {
        let response = revoke(&app, form, header).await;
        assert_eq!((response.status, response.text.as_str()), (200, ""), "{form:?} {header:?}");
    };
    accepted(&[], Some(&basic("web-app", DERIVED))).await;
    accepted(&[("client_id", "web-app")], Some(&basic("web-app", DERIVED).replace("Basic", "bASIC"))).await;
    accepted(&[("client_id", "web-app"), ("client_secret", DERIVED)], None).await;
    accepted(&[], Some(&basic("odd", &encoded(ODD)))).await;
    accepted(&[], Some(&basic("odd", &encoded(ODD).replace("%20", "+")))).await;
    accepted(&[("client_id", "odd"), ("client_secret", ODD)], None).await;
    accepted(&[("client_id", "public")], None).await;
}

#[tokio::test]
async fn a_wrong_proof_and_an_unknown_client_are_the_same_401() {
    let app = start(&Key::new(), &[], None).await;
    for (form, header) in [
        (vec![], Some(basic("web-app", ""))),
        (vec![], Some(basic("web-app", "DQmtd2FKO9fAyv4Fik2LKSbKpddjQxhKAZi2yLiNrzI"))),
        (vec![], Some(basic("Web-app", DERIVED))),
        (vec![], Some(basic("nobody", DERIVED))),
        // Not encoded, so that decoding makes another secret of it; and encoded twice.
        (vec![], Some(basic("odd", ODD))),
        (vec![], Some(basic("odd", &encoded(&encoded(ODD))))),
        (vec![], Some(basic("public", ""))),
        (vec![], Some(basic("public", "x"))),
        (vec![], Some(basic("keyed", "x"))),
        (vec![("client_id", "web-app")], None),
        (vec![("client_id", "web-app"), ("client_secret", "x")], None),
        (vec![("client_id", "public"), ("client_secret", "x")], None),
        (vec![("client_id", "keyed")], None),
        (vec![("client_id", "nobody")], None),
        (vec![("client_id", "keyed"), ("client_assertion_type", ASSERTION), ("client_assertion", "x.y.z")], None),
        (vec![("client_assertion_type", ASSERTION), ("client_assertion", "no token")], None),
    ] {
        let response = revoke(&app, &form, header.as_deref()).await;
        assert_eq!(response.refusal(), (401, "invalid_client"), "{form:?} {header:?}");
        assert_eq!(response.body["error_description"], "The client is unknown, or its authentication failed");
        let challenge = format!("Basic realm=\"{}\", error=\"invalid_client\"", app.url(""));
        let expected = if header.is_some() { challenge } else { String::new() };
        assert_eq!(response.header("www-authenticate"), expected, "{form:?} {header:?}");
        assert_eq!(response.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn a_request_that_contradicts_itself_is_400() {
    let app = start(&Key::new(), &[], None).await;
    let right = basic("web-app", DERIVED);
    for (form, header) in [
        (vec![], None),
        (vec![("client_id", "")], None),
        (vec![("client_secret", DERIVED)], None),
        (vec![("client_id", "web-app"), ("client_secret", DERIVED)], Some(right.as_str())),
        (vec![("client_assertion_type", ASSERTION), ("client_assertion", "x")], Some(&right)),
        (vec![("client_id", "odd")], Some(&right)),
        (vec![("client_id", "web-app"), ("client_id", "web-app")], None),
        (vec![("client_id", "keyed"), ("client_assertion", "x")], None),
        (vec![("client_id", "keyed"), ("client_assertion_type", ASSERTION)], None),
        (vec![("client_id", "keyed"), ("client_assertion_type", "jwt"), ("client_assertion", "x")], None),
        (vec![("client_id", "web-app")], Some("Basic")),
        (vec![("client_id", "web-app")], Some("Basic !!!")),
        (vec![("client_id", "web-app")], Some(&format!("Basic {}", BASE64_STANDARD.encode("web-app")))),
        (vec![("client_id", "web-app")], Some(&format!("Basic {}", BASE64_STANDARD.encode(b"web-app:\xff")))),
        (vec![("client_id", "web-app")], Some(&basic("web-app", "%ff"))),
        (vec![("client_id", "web-app")], Some("Bearer x")),
    ] {
        let response = revoke(&app, &form, header).await;
        assert_eq!(response.refusal(), (400, "invalid_request"), "{form:?} {header:?}");
        assert_eq!(response.header("www-authenticate"), "");
    }
}

/// Claims of an assertion of `keyed` that are right, with some replaced.
fn claims(app: &TestApp, changes: &Value) -> Value {
    let now = app.clock.now().as_second();
    let mut claims = json!({ "iss": "keyed", "sub": "keyed", "aud": app.url(""), "exp": now + 60, "iat": now, "jti": "1" });
    claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    claims
}

async fn assert_by(app: &TestApp, assertion: &str) -> Response {
    revoke(app, &[("client_assertion_type", ASSERTION), ("client_assertion", assertion)], None).await
}

#[tokio::test]
async fn an_assertion_authenticates_once() {
    let key = Key::new();
    let app = start(&key, &[], None).await;
    let header = json!({ "alg": "ES256", "kid": "new" });
    for (number, (header, changes)) in [
        (header.clone(), json!({})),
        (json!({ "alg": "ES256", "typ": "JWT" }), json!({ "jti": "2" })),
        (header.clone(), json!({ "jti": "3", "aud": [app.url("/oidc/token")] })),
    ]
    .into_iter()
    .enumerate()
    {
        let assertion = key.sign(&header, &claims(&app, &changes));
        assert_eq!(assert_by(&app, &assertion).await.status, 200, "{number}");
        assert_eq!(assert_by(&app, &assertion).await.refusal(), (401, "invalid_client"), "{number} again");
    }
    let again = key.sign(&header, &claims(&app, &json!({ "exp": app.clock.now().as_second() + 61 })));
    assert_eq!(assert_by(&app, &again).await.status, 401, "the same jti in another assertion");

    // Of any number of requests at once, on two processes, one is the first.
    let other = start(&key, &[], Some(Arc::clone(&app.database))).await;
    let assertion = key.sign(&header, &claims(&app, &json!({ "jti": "race" })));
    let both = [&app, &other, &app, &other].map(|server| assert_by(server, &assertion));
    let statuses: Vec<u16> = future::join_all(both).await.iter().map(|response| response.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
}

#[tokio::test]
async fn an_assertion_that_is_wrong_in_any_way_is_refused_and_uses_nothing_up() {
    let key = Key::new();
    let app = start(&key, &[], None).await;
    let now = app.clock.now().as_second();
    let header = json!({ "alg": "ES256", "kid": "new" });
    let with = |changes: &Value| key.sign(&header, &claims(&app, changes));
    let right = with(&json!({}));
    let (input, _) = right.rsplit_once('.').unwrap();
    for (what, assertion) in [
        ("another key", Key::new().sign(&header, &claims(&app, &json!({})))),
        ("the name of another key", key.sign(&json!({ "alg": "ES256", "kid": "old" }), &claims(&app, &json!({})))),
        ("no algorithm", key.sign(&json!({ "alg": "none" }), &claims(&app, &json!({})))),
        ("another algorithm", key.sign(&json!({ "alg": "RS256" }), &claims(&app, &json!({})))),
        ("an extension", key.sign(&json!({ "alg": "ES256", "crit": ["x"], "x": 1 }), &claims(&app, &json!({})))),
        ("no signature", format!("{input}.")),
        ("another server", with(&json!({ "aud": "https://elsewhere.example" }))),
        ("two servers", with(&json!({ "aud": [app.url(""), "https://elsewhere.example"] }))),
        ("another issuer", with(&json!({ "iss": "web-app" }))),
        ("another client", with(&json!({ "sub": "web-app", "iss": "web-app" }))),
        ("expired", with(&json!({ "exp": now - 60 }))),
        ("too long", with(&json!({ "exp": now + 600 }))),
        ("from the future", with(&json!({ "iat": now + 60 }))),
        ("no jti", with(&json!({ "jti": null }))),
    ] {
        assert_eq!(assert_by(&app, &assertion).await.refusal(), (401, "invalid_client"), "{what}");
    }
    assert_eq!(assert_by(&app, &right).await.status, 200);
}

/// What is stored for a public client, whose requests prove nothing, is bounded; a client with a secret is
/// not slowed down by that.
#[tokio::test]
async fn an_address_has_only_so_many_requests_stored_for_clients_without_a_secret() {
    let limited = [("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_PUBLIC_CLIENT_IP", "3/min")];
    let app = start(&Key::new(), &limited, None).await;
    let request = [("response_type", "code"), ("redirect_uri", "https://app.example/cb"), ("scope", "openid")];
    let push = async |client: &[(&str, &str)], basic: Option<&str>| {
        let pushed = browser().post(app.url("/oidc/par")).form(&[&request[..], client].concat());
        let pushed = if let Some(basic) = basic { pushed.header("Authorization", basic) } else { pushed };
        pushed.answer().await
    };
    for _ in 0..3 {
        assert_ne!(push(&[("client_id", "public")], None).await.status, 429);
    }
    for path in ["/oidc/par", "/oidc/device_authorization"] {
        let sent = browser().post(app.url(path)).form(&[("client_id", "public"), ("scope", "openid")]).send().await.unwrap();
        let refused = Response::of(sent).await;
        assert_eq!((refused.status, refused.header("retry-after")), (429, "20"), "{path}");
    }
    assert_ne!(push(&[], Some(&basic("web-app", DERIVED))).await.status, 429);
    app.clock.advance(jiff::SignedDuration::from_secs(20));
    assert_ne!(push(&[("client_id", "public")], None).await.status, 429);
}

#[tokio::test]
async fn too_many_wrong_proofs_of_one_client_are_429_and_right_ones_never_count() {
    let limited = [("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_CLIENT_FAILURES", "3/min")];
    let app = start(&Key::new(), &limited, None).await;
    let right = basic("web-app", DERIVED);
    for _ in 0..5 {
        assert_eq!(revoke(&app, &[], Some(&right)).await.status, 200);
    }
    for _ in 0..3 {
        assert_eq!(revoke(&app, &[], Some(&basic("web-app", "x"))).await.status, 401);
    }
    let response = revoke(&app, &[], Some(&right)).await;
    assert_eq!((response.status, response.header("retry-after")), (429, "20"));
    assert_eq!(revoke(&app, &[("client_id", "public")], None).await.status, 200, "another client");
    app.clock.advance(jiff::SignedDuration::from_secs(20));
    assert_eq!(revoke(&app, &[], Some(&right)).await.status, 200);
}

/// Two servers count wrong proofs together. A client that sends right ones costs neither of them a question
/// to the database.
#[tokio::test]
async fn wrong_proofs_are_counted_by_all_processes_together() {
    let limited = [("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_CLIENT_FAILURES", "5/min")];
    let key = Key::new();
    let one = start(&key, &limited, None).await;
    let other = start(&key, &limited, Some(one.database.clone())).await;
    let (right, wrong) = (basic("web-app", DERIVED), basic("web-app", "x"));
    let apps = [&one, &other];
    for app in apps {
        assert_eq!(revoke(app, &[], Some(&right)).await.status, 200);
    }
    let asked = |name: &str| one.database.store.round_trips_of(name);
    assert_eq!((asked("rate_limit.check"), asked("rate_limit.acquire")), (0, 0));

    let crowd = future::join_all((0..20).map(|number| revoke(apps[number % 2], &[], Some(&wrong)))).await;
    let statuses: Vec<_> = crowd.iter().map(|response| response.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 5, "{statuses:?}");
    for response in crowd.iter().filter(|response| response.status != 401) {
        assert_eq!((response.status, response.header("retry-after")), (429, "12"));
    }
    assert!(asked("rate_limit.acquire") <= 5 + 2, "no more were compared, but for one at each server that did not know yet");
    for app in apps {
        assert_eq!(revoke(app, &[], Some(&right)).await.status, 429, "not even a right one");
        assert_eq!(revoke(app, &[("client_id", "public")], None).await.status, 200, "another client");
    }
    for app in apps {
        app.clock.advance(jiff::SignedDuration::from_secs(12));
    }
    for app in apps {
        assert_eq!(revoke(app, &[], Some(&right)).await.status, 200);
    }
    assert_eq!(revoke(&one, &[], Some(&wrong)).await.status, 401);
    assert_eq!(revoke(&other, &[], Some(&wrong)).await.status, 429, "one each twelve seconds, at both together");
}

/// Names that no client has are counted as one at each address, or each of them would be a row and a new
/// start.
#[tokio::test]
async fn invented_clients_are_counted_together() {
    let limited = [("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_CLIENT_FAILURES", "3/min")];
    let app = start(&Key::new(), &limited, None).await;
    for number in 0..8 {
        let response = revoke(&app, &[], Some(&basic(&format!("invented-{number}"), "x"))).await;
        assert_eq!(response.status, if number < 3 { 401 } else { 429 }, "{number}");
    }
    let rows = app.rows("select from rate_limits", &[]).await;
    assert_eq!(rows.len(), 1);
    assert_eq!(revoke(&app, &[], Some(&basic("web-app", "x"))).await.status, 401, "a client has its own");
    assert_eq!(revoke(&app, &[], Some(&basic("web-app", DERIVED))).await.status, 200);
}
