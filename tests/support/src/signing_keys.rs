//! Signing keys, generated once for all servers of the tests: an RSA key takes a good part of a second.

use crate::{Database, entropy, keys};
use crypto::oidc::{SigningPool, SigningSettings};
use services::identity::oidc::{KeyRing, keys::KeyRingParams};
use tokio::sync::OnceCell;

/// Gives a database keys that were made at the time of its clock, unless it has some: of each algorithm one
/// that signs, and the one that follows.
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
