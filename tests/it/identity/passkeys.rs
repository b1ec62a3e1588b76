//! Passkeys over HTTP, with a security key in software.

mod factors;
mod keeping;
mod login;
mod proof;
mod refusals;
mod registration;

use super::{LIMITED, app, browser, signed_in};
use support::{prelude::*, soft_key::ResponseParts};

const ANN: &str = "ann@example.org";

/// Signs in with a response that is forged.
async fn sign_in_lying(person: &Person, key: &mut SoftKey, lie: impl FnOnce(&mut ResponseParts)) -> Response {
    let options = person.options("/api/webauthn/login/start").await;
    person.finish_login(&key.get_forged(&options, lie)).await
}

/// Signs in again a moment later: from now on the passkeys that were registered before may reauthenticate.
async fn come_back(person: &Person, app: &TestApp, key: &mut SoftKey) {
    app.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(person.sign_in_with(key).await.status, 200);
}

/// The body of a reauthentication by a passkey.
async fn passkey_proof(person: &Person, key: &mut SoftKey) -> Value {
    let options = person.options("/api/me/password-reauth").await;
    json!({ "challenge": options["challenge"], "credential": key.get(&options) })
}

/// A browser that keeps its cookies of before the sign-in, so that it can repeat a request.
#[derive(Clone)]
struct Forgetful {
    origin: String,
    cookies: String,
    csrf: String,
}

impl Forgetful {
    async fn at(app: &TestApp) -> Self {
        let response = Person::at(app).get("/api/csrf-token").await;
        let lines = response.headers.get_all("set-cookie").into_iter().map(|g| g.to_str().unwrap());
        let cookies: Vec<&str> = lines.map(|line| line.split(';').next().unwrap()).collect();
        assert_eq!(cookies.len(), 2);
        let (origin, csrf) = (app.url(""), response.body["csrfToken"].as_str().unwrap().to_owned());
        Self { origin, cookies: cookies.join("; "), csrf }
    }

    async fn post(&self, path: &str, body: &Value) -> Response {
        let request = browser().post(format!("{}{path}", self.origin)).header("cookie", &self.cookies);
        request.header("x-csrf-token", &self.csrf).json(body).answer().await
    }
}

/// A person who is signed in and has a passkey on a security key.
async fn with_a_passkey(app: &TestApp, email: &str) -> (Person, SoftKey) {
    let (person, mut key) = (Person::signed_in(app, email).await, SoftKey::at(&app.url("")));
    person.add_passkey(&mut key).await.expect(200);
    (person, key)
}

/// A server, and Ann with a passkey.
async fn ann_with_a_passkey() -> (TestApp, Person, SoftKey) {
    let app = app().await;
    let (ann, key) = with_a_passkey(&app, "ann@example.org").await;
    (app, ann, key)
}

/// As above, without a password.
async fn passwordless(app: &TestApp, email: &str) -> (Person, SoftKey) {
    let (person, key) = with_a_passkey(app, email).await;
    person.delete("/api/me/password", &json!({ "password": PASSWORD })).await.expect(200);
    (person, key)
}

/// How many audit entries have this event.
async fn audit_entries(app: &TestApp, event: &str, status: &str) -> i64 {
    app.count(&format!("select count(*) from account_audit where event = '{event}' and status = '{status}'")).await
}
