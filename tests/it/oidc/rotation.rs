//! Keys rotate without an interruption for any process or client.

use super::{keys::ring, verify};
use domain::identity::oidc::TokenType;
use support::{
    NEVER_IDLE,
    key_rotation::{ALGORITHM, rotate_after},
    prelude::*,
};

const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn hours(number: i64) -> SignedDuration {
    SignedDuration::from_hours(number)
}

/// The keys that sign: they are published first.
fn signing(jwks: &Value) -> BTreeSet<String> {
    jwks["keys"].as_array().unwrap()[..3].iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

fn kids(jwks: &Value) -> BTreeSet<String> {
    jwks["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

/// Two servers, a client that keeps the keys for as long as it may, and a process that hears of nothing.
#[tokio::test]
async fn every_token_verifies_everywhere_before_during_and_after_a_rotation() {
    let app = TestApp::start().await;
    let other = app.beside(&[]).await;
    let deaf = ring(&app.database, &support::keys()).await.unwrap();
    let cached = app.jwks().await;
    let first = signing(&cached);
    let old = app.sign().await;
    assert_eq!(kids(&cached).len(), 6, "the next keys are published");

    rotate_after(&[&app, &other], hours(90 * 24 - 1)).await;
    assert_eq!(kids(&app.jwks().await), kids(&cached));
    let unchanged = app.sign().await;

    rotate_after(&[&app, &other], hours(1)).await;
    let new = app.sign().await;
    let after = app.jwks().await;
    assert!(signing(&after).is_disjoint(&first), "new keys sign");
    assert!(verify(&new, &cached).is_some(), "which a client knows that fetched the keys before");
    assert_eq!(kids(&after).difference(&kids(&cached)).count(), 3, "and those that follow are published");
    assert!(other.accepts(&new).await, "and so does the other server");
    assert!(deaf.verify::<Value>(&new, TokenType::Access).await.unwrap().is_some(), "and one that has to look it up");
    let published = app.jwks().await;
    for old in [&old, &unchanged] {
        assert!(app.accepts(old).await && other.accepts(old).await && verify(old, &published).is_some());
    }

    // The last token of the old key has expired, and two days are over.
    rotate_after(&[&app, &other], hours(24 + 48)).await;
    let published = app.jwks().await;
    assert!(kids(&published).is_disjoint(&first));
    assert!(app.accepts(&old).await, "as a hint it is known for longer");
    assert!(verify(&new, &published).is_some());

    rotate_after(&[&app, &other], hours(100 * 24)).await;
    let kept = app.rows("select kid from signing_keys", &[]).await;
    let kept: BTreeSet<String> = kept.iter().map(|row| row.get("kid")).collect();
    assert!(kept.is_disjoint(&first), "and then it is forgotten");
}

#[tokio::test]
async fn a_process_that_misses_a_rotation_signs_what_the_others_accept() {
    let app = TestApp::start().await;
    let deaf = ring(&app.database, &support::keys()).await.unwrap();
    app.rotate_after(hours(90 * 24)).await;
    let late = deaf.sign(ALGORITHM, TokenType::Access, &json!({})).await.unwrap();
    assert!(app.accepts(&late).await);
    assert!(verify(&late, &app.jwks().await).is_some());
}

/// The private part of a retired key can sign nothing any more, even for an attacker who has the database and
/// the secret.
#[tokio::test]
async fn a_retired_key_has_no_private_part() {
    let app = TestApp::start().await;
    let first = signing(&app.jwks().await);
    app.rotate_after(hours(90 * 24)).await;
    let rows = app.rows("select kid from signing_keys where private_key is null", &[]).await;
    assert_eq!(rows.iter().map(|row| row.get("kid")).collect::<BTreeSet<String>>(), first);
}

/// The clock of the database was a year ahead when the keys were made.
#[tokio::test]
async fn a_clock_that_was_ahead_makes_no_key_last_longer() {
    let app = TestApp::start().await;
    let ahead =
        "update signing_keys set created_at = created_at + interval '1 year', activated_at = activated_at + interval '1 year'";
    app.sql(ahead).await;
    let first = signing(&app.jwks().await);
    app.rotate_after(hours(1)).await;
    app.rotate_after(hours(90 * 24)).await;
    assert!(signing(&app.jwks().await).is_disjoint(&first));
}

#[tokio::test]
async fn keys_that_were_deleted_are_replaced() {
    let app = TestApp::start().await;
    let (first, old) = (kids(&app.jwks().await), app.sign().await);
    app.sql("delete from signing_keys").await;
    app.rotate_after(hours(0)).await;
    let published = app.jwks().await;
    assert!(kids(&published).is_disjoint(&first));
    assert!(verify(&app.sign().await, &published).is_some());
    assert!(!app.accepts(&old).await);
}

/// A server of its own is killed while it rotates; the next one does the work.
#[tokio::test]
async fn a_rotation_that_is_cut_off_is_done_by_the_next_process() {
    let (database, clock, data) = (support::database().await, support::clock(), scratch());
    clock.drives(&database);
    let variables =
        [("APP_DATABASE_URL", database.target.url.expose_secret()), ("APP_SECRET", SECRET), ("APP_SERVICES", "identity")];
    let server = Server::start(data.path(), &variables).await;
    // It has made the keys and given its lease back: what it would write after the clock has moved would wait
    // for an hour of that clock.
    let is_idle = "select count(*) = 6 and exists (select from jobs where queue = 'signing_keys' and lease_token is null) as yes from signing_keys";
    database.until(is_idle, true).await;
    let mut holder = database.connection().await;
    let tx = holder.begin();
    // On a busy machine the server may take longer than a transaction may be idle.
    tx.execute(NEVER_IDLE, &[]).await.unwrap();
    tx.execute("lock table signing_keys in row exclusive mode", &[]).await.unwrap();
    clock.advance(hours(90 * 24));
    wake(&database).await;
    support::until_waited_for(&tx).await;
    server.signal(Signal::SIGKILL);
    server.end().await;
    drop(tx);

    let retired = database.rows("select kid from signing_keys where retired_at is not null", &[]).await;
    assert_eq!(retired.len(), 0, "nothing is half done");
    // Its lease would run out within two minutes.
    let expire = "update jobs set lease_until = clock_timestamp() where queue = 'signing_keys' and lease_token is not null";
    assert_eq!(database.sql(expire).await, 1);
    let next = Server::start(data.path(), &variables).await;
    database.until("select count(*) = 9 and count(retired_at) = 3 as yes from signing_keys", true).await;
    let response = support::browser().get(next.url("/.well-known/jwks.json")).send().await.unwrap();
    assert!(response.json::<Value>().await.unwrap()["keys"].as_array().unwrap().len() >= 3);
}

/// Wakes the rotators of all processes.
async fn wake(database: &Database) {
    database.rows("select pg_notify('lectern_jobs', 'signing_keys')", &[]).await;
}
