//! The keys that tokens are signed with, as one process holds them.
//!
//! ```text
//! KeyRing::open(params)              loads the keys; the first process makes them
//! ring.sign(algorithm, typ, &claims) a token, signed on a thread of the pool
//! ring.verify(token, typ)            its claims, if one of our keys signed it
//! ring.jwks()                        the published keys
//! ring.rotate()                      takes the steps that are due: see [`domain::identity::oidc::signing_key`]
//! ring.load_or_create()              after another process has rotated
//! ```
//!
//! The rows of the database are the truth; this holds them parsed. A process that has missed a rotation still
//! signs with a key that everybody knows, and reads the rows again when it meets a key that it does not know.

mod keyset;
mod rotation;

pub use keyset::Jwks;

use crypto::{
    keys::Keys,
    oidc::{SigningPool, jws},
    seal::Seal,
};
use domain::{
    identity::oidc::{SigningAlgorithm, TokenType},
    shared::{Fault, SharedEntropy},
};
use keyset::Keyset;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use storage::{Store, identity::oidc::signing_keys};
use tokio::{sync::Mutex, time::Instant};

/// The label of the key that private keys are sealed with.
const SEAL: &str = "signing-key/1";
/// How often unknown keys are looked up at most. Tokens with invented ids must not become queries.
const LOOKUP_INTERVAL: Duration = Duration::from_secs(1);

/// What a ring is made of.
pub struct KeyRingParams<'a> {
    pub store: Store,
    /// Derives the key that private keys are sealed with.
    pub keys: &'a Keys,
    pub entropy: SharedEntropy,
    /// The threads that sign.
    pub pool: SigningPool,
}

/// The keys. Cheap to clone.
#[derive(Clone)]
pub struct KeyRing {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    seal: Seal,
    entropy: SharedEntropy,
    pool: SigningPool,
    keyset: RwLock<Arc<Keyset>>,
    /// Held while keys are loaded, so that an older reading never replaces a newer one. It has the time of
    /// the last look-up of an unknown key.
    loading: Mutex<Option<Instant>>,
}

impl KeyRing {
    /// Loads the keys. The first process of a database makes them, and of several that start at the same time
    /// one. The error is a sentence for the operator.
    pub async fn open(params: KeyRingParams<'_>) -> Result<Self, String> {
        let KeyRingParams { store, keys, entropy, pool } = params;
        let inner = Inner {
            store,
            seal: Seal::new(keys.derive(SEAL)),
            entropy,
            pool,
            keyset: RwLock::default(),
            loading: Mutex::default(),
        };
        let ring = Self { inner: Arc::new(inner) };
        ring.load_or_create().await.map_err(|fault| fault.cause.map_or_else(|| fault.message.into_owned(), String::from))?;
        Ok(ring)
    }

    /// Reads the keys again, and makes those that are missing to sign. Those that follow are left to
    /// [`KeyRing::rotate`]: a first start need not wait for them.
    pub async fn load_or_create(&self) -> Result<(), Fault> {
        self.reload().await?;
        if !self.keyset().is_complete() {
            self.create_missing().await?;
            self.reload().await?;
        }
        Ok(())
    }

    /// Signs a token with the active key of an algorithm. 503 when too many wait for a signature already.
    pub async fn sign<T: Serialize>(&self, algorithm: SigningAlgorithm, typ: TokenType, claims: &T) -> Result<String, Fault> {
        let key = self.keyset().signer(algorithm).ok_or_else(|| Fault::unavailable(format!("no {algorithm} key is active")))?;
        let input = jws::signing_input(algorithm, typ, key.public().kid(), claims)?;
        self.inner.pool.sign(key, input).await
    }

    /// The claims of a token that one of our keys has signed, retired ones too; `None` for any other text,
    /// and for a token of another type. Whether it has expired, and for whom it is, is for the caller to
    /// check.
    pub async fn verify<T: DeserializeOwned>(&self, token: &str, typ: TokenType) -> Result<Option<T>, Fault> {
        let Some(token) = jws::Unverified::parse(token) else { return Ok(None) };
        let Some(kid) = token.header.kid.as_deref().filter(|_| token.header.typ.as_deref() == Some(typ.into_str())) else {
            return Ok(None);
        };
        if !self.keyset().contains(kid) {
            self.reload_for(kid).await?;
        }
        Ok(self.keyset().public(kid).and_then(|key| key.claims(&token)))
    }

    /// The published keys.
    pub fn jwks(&self) -> Arc<Jwks> {
        self.keyset().jwks()
    }

    /// Reads the keys again.
    pub(in crate::identity) async fn reload(&self) -> Result<(), Fault> {
        let _loading = self.inner.loading.lock().await;
        self.load().await
    }

    /// Reads the keys again because of one that is not known, unless that was done a moment ago.
    async fn reload_for(&self, kid: &str) -> Result<(), Fault> {
        let mut last = self.inner.loading.lock().await;
        if self.keyset().contains(kid) || last.is_some_and(|at| at.elapsed() < LOOKUP_INTERVAL) {
            return Ok(());
        }
        *last = Some(Instant::now());
        self.load().await
    }

    async fn load(&self) -> Result<(), Fault> {
        let connection = self.inner.store.connection("signing_keys.load").await?;
        let stored = signing_keys::list(&connection).await?;
        let keyset = Keyset::open(&stored, &self.inner.seal, &self.keyset())?;
        *self.inner.keyset.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keyset);
        Ok(())
    }

    /// The database that has the keys.
    pub(in crate::identity) fn store(&self) -> &Store {
        &self.inner.store
    }

    fn keyset(&self) -> Arc<Keyset> {
        Arc::clone(&self.inner.keyset.read().unwrap_or_else(PoisonError::into_inner))
    }
}
