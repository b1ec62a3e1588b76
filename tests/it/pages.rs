//! The pages through the wire, as a browser without scripts sees them.

mod account;
mod addresses;
mod console;
mod device;
mod forms;
mod headers;
mod interactions;
mod links;
mod proofs;
mod sign_in;

use support::prelude::*;

const ANN: &str = "ann@example.org";

/// No limits, and cheap hashes.
const FREE: &[(&str, &str)] = &[("APP_RATE_LIMITS", "off"), ("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")];

/// A server that does not limit callers and sends no mail.
async fn app() -> TestApp {
    app_with(&[]).await
}

/// The same with more variables.
async fn app_with(more: &[(&str, &str)]) -> TestApp {
    TestApp::with_variables(&[FREE, more].concat()).await
}

/// Such a server, and Ann who is signed in.
async fn signed_in() -> (TestApp, Person) {
    let app = app().await;
    let ann = Person::signed_in(&app, ANN).await;
    (app, ann)
}
