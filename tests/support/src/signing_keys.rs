//! Signing keys, generated once for all servers of the tests: an RSA key takes a good part of a second.

use crate::{Database, TestApp, entropy, keys};
use crypto::oidc::{SigningPool, SigningSettings};
use domain::identity::oidc::{SigningAlgorithm, TokenType};
use jiff::SignedDuration;
use serde_json::{Value, json};
use services::identity::oidc::{KeyRing, keys::KeyRingParams};
use tokio::sync::OnceCell;

/// Gives a database keys that were made at the time of its clock, unless it has some: of each algorithm one that signs, and the one that follows.
pub async fn provide(database: &Database) {
    static ROWS: OnceCell<String> = OnceCell::const_new();
    let rows = ROWS.get_or_init(|| generate(database)).await;
    let statement = "insert into signing_keys
                     select made.kid, made.algorithm, made.public_jwk, made.private_key, statement_timestamp(),
                            case when made.activated_at is not null then statement_timestamp() end, null
                     from json_populate_recordset(null::signing_keys, $1::text::json) made
                     where not exists (select from signing_keys)";
    database.execute(statement, &[rows]).await;
}

/// The rows that a server makes at its first start, and soon after it.
async fn generate(database: &Database) -> String {
    let pool = SigningPool::start(SigningSettings { workers: 1, queue: 1 }).unwrap();
    let params = KeyRingParams { store: database.store.clone(), keys: &keys(), entropy: entropy(0), pool };
    KeyRing::open(params).await.unwrap().rotate().await.unwrap();
    let row = database.row("select json_agg(made)::text as made from signing_keys made", &[]).await;
    row.get("made")
}

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
        let rotator = self.actors.handles().observe_all().await["key_rotator"].clone();
        assert_eq!(rotator["failures"], 0);
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

/// Moves the time of servers with one database. One of them rotates, whichever it is, and then all read the keys.
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
