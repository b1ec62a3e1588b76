//! The keys of one reading of the table, parsed.

use bytes::Bytes;
use crypto::{
    digest,
    oidc::{KeyPair, PublicKey},
    seal::Seal,
};
use domain::{
    identity::oidc::{SigningAlgorithm, Stage},
    shared::Fault,
};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::sync::Arc;
use storage::identity::oidc::signing_keys::{StoredKey, StoredKeys};
use strum::VariantArray;

/// The published keys as a document (RFC 7517, section 5).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Jwks {
    /// The bytes.
    pub body: Bytes,
    pub fingerprint: String,
}

/// All keys.
#[derive(Default)]
pub(super) struct Keyset {
    keys: Vec<Key>,
    jwks: Arc<Jwks>,
}

struct Key {
    kid: String,
    algorithm: SigningAlgorithm,
    stage: Stage,
    public: Arc<PublicKey>,
    /// `None` once the key is retired.
    pair: Option<Arc<KeyPair>>,
}

impl Keyset {
    /// Parses what was stored; keys that were parsed before are taken over. An error when one cannot be
    /// opened: its cause is a sentence for the operator.
    pub(super) fn open(stored: &StoredKeys, seal: &Seal, before: &Self) -> Result<Self, Fault> {
        let keys = stored.keys.iter().map(|key| Key::open(key, seal, before.find(&key.key.kid))).collect::<Result<_, _>>()?;
        Ok(Self { keys, jwks: Arc::new(Jwks::of(stored)) })
    }

    /// Whether every algorithm has a key that signs.
    pub(super) fn is_complete(&self) -> bool {
        SigningAlgorithm::VARIANTS.iter().copied().all(|algorithm| self.signer(algorithm).is_some())
    }

    /// The key that signs with an algorithm.
    pub(super) fn signer(&self, algorithm: SigningAlgorithm) -> Option<Arc<KeyPair>> {
        let active = self.keys.iter().find(|key| key.algorithm == algorithm && matches!(key.stage, Stage::Active { .. }))?;
        active.pair.clone()
    }

    /// Whether there is a key of this id.
    pub(super) fn contains(&self, kid: &str) -> bool {
        self.find(kid).is_some()
    }

    /// The public key of this id.
    pub(super) fn public(&self, kid: &str) -> Option<&PublicKey> {
        self.find(kid).map(|key| &*key.public)
    }

    pub(super) fn jwks(&self) -> Arc<Jwks> {
        Arc::clone(&self.jwks)
    }

    fn find(&self, kid: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.kid == kid)
    }
}

impl Key {
    fn open(stored: &StoredKey, seal: &Seal, before: Option<&Self>) -> Result<Self, Fault> {
        let StoredKey { key, public_jwk, private_key, .. } = stored;
        let public = match before {
            Some(before) => Arc::clone(&before.public),
            None => Arc::new(public_key(&key.kid, public_jwk)?),
        };
        let pair = match (private_key, before.and_then(|before| before.pair.clone())) {
            (None, _) => None,
            (Some(_), Some(pair)) => Some(pair),
            (Some(sealed), None) => Some(Arc::new(open_pair(&key.kid, key.algorithm, sealed, seal)?)),
        };
        Ok(Self { kid: key.kid.clone(), algorithm: key.algorithm, stage: key.stage, public, pair })
    }
}

/// What the private part of a key is bound to when it is sealed.
pub(super) fn seal_purpose(kid: &str) -> String {
    format!("signing key {kid}")
}

fn public_key(kid: &str, jwk: &Value) -> Result<PublicKey, Fault> {
    let parsed = PublicKey::from_json(jwk).filter(|key| key.kid() == kid);
    parsed.ok_or_else(|| unreadable(kid, "its public part is damaged"))
}

fn open_pair(kid: &str, algorithm: SigningAlgorithm, sealed: &[u8], seal: &Seal) -> Result<KeyPair, Fault> {
    let pkcs8 = seal.open(&seal_purpose(kid), sealed).map_err(|_| {
        unreadable(
            kid,
            "it was sealed with another APP_SECRET; set that one, or delete the rows of signing_keys to have new keys made",
        )
    })?;
    let pair = KeyPair::from_pkcs8(algorithm, pkcs8.expose_secret()).ok().filter(|pair| pair.public().kid() == kid);
    pair.ok_or_else(|| unreadable(kid, "its private part is damaged"))
}

fn unreadable(kid: &str, why: &str) -> Fault {
    Fault::internal(format!("the signing key {kid} cannot be opened: {why}"))
}

impl Jwks {
    /// The keys that are published: those that sign first, because some clients take the first one.
    fn of(stored: &StoredKeys) -> Self {
        let mut keys: Vec<&StoredKey> =
            stored.keys.iter().filter(|stored_key| stored_key.key.stage.is_published(stored.now)).collect();
        keys.sort_by_key(|stored_key| (!matches!(stored_key.key.stage, Stage::Active { .. }), stored_key.key.algorithm));
        let public: Vec<&Value> = keys.into_iter().map(|key| &key.public_jwk).collect();
        let body = json!({ "keys": public }).to_string().into_bytes();
        Self { fingerprint: digest::fingerprint(&body), body: body.into() }
    }
}
