//! Accounts through the wire: registering, sessions, CSRF, limits, and everything that must not work.

mod accounts;
mod addresses;
mod admin;
mod audit_trail;
mod client_notices;
mod csrf;
mod devices;
mod former_session;
mod hashing;
mod input;
mod languages;
pub(crate) mod links;
mod lockout;
mod login;
mod logs;
mod mailed_codes;
mod me;
mod measured;
mod notices;
mod one_time;
mod passkeys;
mod proofs;
mod provisioning;
mod refused_forms;
mod round_trips;
mod second_factor;
mod seen;
mod session;
mod shared_limits;
mod sign_in;
mod strict_bodies;
mod totp;

use futures_util::future;
use std::future::Future;
use support::prelude::*;

/// The usual limits, and cheap hashes.
const LIMITED: &[(&str, &str)] = &[("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")];
/// No limits, and cheap hashes.
const FREE: &[(&str, &str)] = &[("APP_RATE_LIMITS", "off"), LIMITED[0], LIMITED[1]];

/// A server that does not limit callers.
async fn app() -> TestApp {
    TestApp::with_variables(FREE).await
}

/// A server, and Ann who has an account.
async fn registered() -> (TestApp, Person) {
    let app = app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await.expect(201);
    (app, ann)
}

/// The same, and she is signed in.
async fn signed_in() -> (TestApp, Person) {
    let (app, ann) = registered().await;
    ann.login("ann@example.org", PASSWORD).await.expect(200);
    (app, ann)
}

/// Sends a request with these cookies and no others.
async fn get_with_cookies(app: &TestApp, path: &str, cookies: &str) -> Response {
    browser().get(app.url(path)).header("cookie", cookies).answer().await
}
/// Locks every account, sends a request that waits for the lock, changes something meanwhile, and returns the
/// response.
async fn meanwhile<T>(app: &TestApp, change: &str, request: impl Future<Output = T>) -> T {
    let mut session = app.connection().await;
    let tx = session.begin();
    tx.rows("select id from users for update", &[]).await.unwrap();
    let changed = async {
        support::until_waited_for(&tx).await;
        tx.execute(change, &[]).await.unwrap();
        tx.commit().await.unwrap();
    };
    future::join(request, changed).await.0
}
