//! Signing keys: how they are made, stored and opened.

use super::verify;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use crypto::{
    keys::Keys,
    oidc::{SigningPool, SigningSettings},
};
use domain::identity::oidc::{SigningAlgorithm, TokenType};
use services::identity::oidc::{KeyRing, keys::KeyRingParams};
use strum::VariantArray;
use support::{prelude::*, server, signing_keys};

/// The keys as a process holds them that hears of nothing.
pub async fn ring(database: &Database, keys: &Keys) -> Result<KeyRing, String> {
    let pool = SigningPool::start(SigningSettings { workers: 1, queue: 8 }).unwrap();
    let store = database.store.clone();
    KeyRing::open(KeyRingParams { store, keys, entropy: support::entropy(5), pool }).await
}

#[tokio::test]
async fn of_processes_that_start_at_once_one_makes_the_keys() {
    let database = support::database().await;
    let keys = support::keys();
    let rings = join_all((0..3).map(|_| ring(&database, &keys))).await;
    let published: Vec<_> = rings.into_iter().map(|ring| ring.unwrap().jwks()).collect();
    assert!(published.iter().all(|jwks| *jwks == published[0]), "{published:?}");
    let count = database.row("select count(activated_at) as signing, count(*) as made from signing_keys", &[]).await;
    assert_eq!((count.get::<_, i64>("signing"), count.get::<_, i64>("made")), (3, 3), "those that follow are not waited for");
}

#[tokio::test]
async fn a_private_key_is_sealed() {
    let database = support::database().await;
    signing_keys::provide(&database).await;
    let rows = database.rows("select private_key, public_jwk from signing_keys", &[]).await;
    for row in &rows {
        let (sealed, jwk): (Vec<u8>, Value) = (row.get("private_key"), row.get("public_jwk"));
        // A PKCS#8 document of an RSA or EC key holds the public key as well.
        let public = jwk.get("n").or(jwk.get("x")).unwrap().as_str().unwrap();
        let public = BASE64_URL_SAFE_NO_PAD.decode(public).unwrap();
        assert!(!sealed.windows(16).any(|window| window == &public[..16]), "{jwk}");
    }
    assert_eq!(rows.len(), 6);
}

#[tokio::test]
async fn a_key_that_cannot_be_opened_ends_the_start_with_one_line() {
    let (database, data) = (support::database().await, scratch());
    signing_keys::provide(&database).await;
    let url = database.target.url.expose_secret();
    let variables = [
        ("APP_DATABASE_URL", url),
        ("APP_DATA_DIR", data.path().to_str().unwrap()),
        ("APP_SECRET", "another secret than the one that sealed them"),
    ];
    let line = server::refusal(&variables).await;
    assert!(line.contains("the signing key ") && line.contains("APP_SECRET"), "{line}");
    assert!(!line.contains("panicked"), "{line}");

    // A process without the identity service needs no keys.
    let content = server::Server::start(data.path(), &[&variables[..], &[("APP_SERVICES", "content")]].concat()).await;
    assert_eq!(content.get("/.well-known/jwks.json").await, 404);

    for (damage, part) in [("public_jwk = '{}'", "public"), ("private_key = '\\x01'", "APP_SECRET")] {
        let database = support::database().await;
        signing_keys::provide(&database).await;
        let statement = format!("update signing_keys set {damage} where algorithm = 'ES256'");
        database.sql(&statement).await;
        let sentence = ring(&database, &support::keys()).await.err().unwrap();
        assert!(sentence.starts_with("the signing key ") && sentence.contains(part), "{sentence}");
    }
}

#[tokio::test]
async fn a_token_is_verified_by_its_key_its_algorithm_and_its_type() {
    let app = TestApp::start().await;
    let ring = app.key_ring.as_ref().unwrap();
    let jwks: Value = app.get("/.well-known/jwks.json").send().await.unwrap().json().await.unwrap();
    let claims = json!({ "iss": app.url(""), "sub": "ann" });
    for &algorithm in SigningAlgorithm::VARIANTS {
        let token = ring.sign(algorithm, TokenType::Access, &claims).await.unwrap();
        assert_eq!(verify(&token, &jwks), Some(claims.clone()), "{algorithm}");
        assert_eq!(ring.verify::<Value>(&token, TokenType::Access).await.unwrap(), Some(claims.clone()));
        assert_eq!(ring.verify::<Value>(&token, TokenType::Id).await.unwrap(), None, "another type");

        let (message, signature) = token.rsplit_once('.').unwrap();
        let (header, payload) = message.split_once('.').unwrap();
        let mut other: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap();
        let mut forged =
            vec![format!("{message}."), format!("{message}.AAAA"), format!("{header}.e30.{signature}"), message.to_owned()];
        for alg in ["none", "HS256", "RS256", "ES256", "EdDSA", "PS256"].into_iter().filter(|alg| *alg != algorithm.into_str()) {
            other["alg"] = json!(alg);
            let header = BASE64_URL_SAFE_NO_PAD.encode(other.to_string());
            forged.extend([format!("{header}.{payload}."), format!("{header}.{payload}.{signature}")]);
        }
        for forged in forged {
            assert_eq!(ring.verify::<Value>(&forged, TokenType::Access).await.unwrap(), None, "{forged}");
        }
    }
}

#[tokio::test]
async fn invented_keys_are_looked_up_once_in_a_while() {
    let database = support::database().await;
    signing_keys::provide(&database).await;
    let ring = ring(&database, &support::keys()).await.unwrap();
    let loads = || database.store.round_trips_of("signing_keys.load");
    let before = loads();
    for number in 0..200 {
        let header = json!({ "alg": "ES256", "typ": "JWT", "kid": format!("{number:043}") });
        let token = format!("{}.e30.AAAA", BASE64_URL_SAFE_NO_PAD.encode(header.to_string()));
        assert_eq!(ring.verify::<Value>(&token, TokenType::Id).await.unwrap(), None);
    }
    assert!((1..20).contains(&(loads() - before)), "{}", loads() - before);
}
