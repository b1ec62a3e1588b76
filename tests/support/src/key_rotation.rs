//! The signing keys of a server: what they sign, and how they rotate.

use crate::TestApp;
use domain::identity::oidc::{SigningAlgorithm, TokenType};
use jiff::SignedDuration;
use serde_json::{Value, json};

/// The algorithm of the tests' tokens.
pub const ALGORITHM: SigningAlgorithm = SigningAlgorithm::Es256;

impl TestApp {
    /// Moves the time, and lets the rotator of this server look at it.
    pub async fn rotate_after(&self, hours: SignedDuration) {
        rotate_after(&[self], hours).await;
    }

    /// Lets the rotator do what is to be done.
    pub async fn look(&self) {
        self.actors.handles().notifications.wake_all();
        // It answers when it has made the keys, which may take longer than anybody waits for an answer.
        let failures = loop {
            let failures = self.actors.handles().observe_all().await["key_rotator"]["failures"].clone();
            if !failures.is_null() {
                break failures;
            }
        };
        assert_eq!(failures, 0);
    }

    pub async fn jwks(&self) -> Value {
        self.get("/.well-known/jwks.json").send().await.unwrap().json().await.unwrap()
    }

    pub async fn sign(&self) -> String {
        self.key_ring.as_ref().unwrap().sign(ALGORITHM, TokenType::Access, &json!({ "sub": "ann" })).await.unwrap()
    }

    pub async fn accepts(&self, token: &str) -> bool {
        self.key_ring.as_ref().unwrap().verify::<Value>(token, TokenType::Access).await.unwrap().is_some()
    }
}

/// Moves the time of servers with one database. One of them rotates, whichever it is, and then all read the
/// keys.
pub async fn rotate_after(all: &[&TestApp], hours: SignedDuration) {
    // What they began at their start is done.
    for app in all {
        app.look().await;
    }
    all[0].clock.advance(hours);
    for app in all.iter().chain(all) {
        app.look().await;
    }
}
