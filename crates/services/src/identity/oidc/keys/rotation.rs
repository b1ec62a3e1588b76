//! Taking the steps in the lives of keys that are due.

use super::{KeyRing, keyset::seal_purpose};
use domain::{
    identity::oidc::{
        SigningAlgorithm,
        signing_key::{RotationStep, next_rotation_step},
    },
    shared::Fault,
};
use secrecy::ExposeSecret;
use std::time::Duration;
use storage::{
    Result as StoreResult, Tx,
    identity::oidc::signing_keys::{self, NewKey},
    transact,
};
use strum::VariantArray;

impl KeyRing {
    /// Takes the steps that are due for any algorithm, in one transaction. Returns for how long none is due.
    /// Two processes that call it at the same time do it one after the other, and the second one finds
    /// nothing to do.
    pub async fn rotate(&self) -> Result<Duration, Fault> {
        self.take_steps(Rotate::default()).await
    }

    /// The same without making the keys that follow.
    pub(super) async fn create_missing(&self) -> Result<(), Fault> {
        self.take_steps(Rotate { without_next: true, ..Rotate::default() }).await.map(drop)
    }

    async fn take_steps(&self, mut operation: Rotate) -> Result<Duration, Fault> {
        // What a private key takes to be generated must not be spent in a transaction. So the first run says
        // which keys are needed.
        loop {
            let rotate = &operation;
            let outcome = transact!(self.inner.store, "signing_keys.rotate", async |tx| { rotate.run(tx).await }).await?;
            if outcome.missing.is_empty() {
                return Ok(outcome.idle_for);
            }
            for algorithm in outcome.missing {
                operation.new_keys.push(self.generate(algorithm).await?);
            }
        }
    }

    /// Makes a key, which is not stored yet.
    pub(in crate::identity) async fn generate(&self, algorithm: SigningAlgorithm) -> Result<NewKey, Fault> {
        let pair = self.inner.pool.generate(algorithm).await?;
        let kid = pair.public().kid().to_owned();
        let pkcs8 = pair.to_pkcs8()?;
        let private_key = self.inner.seal.seal(&seal_purpose(&kid), pkcs8.expose_secret(), self.inner.entropy.as_ref())?;
        Ok(NewKey { kid, algorithm, public_jwk: pair.public().to_json(), private_key })
    }
}

#[derive(Default)]
struct Rotate {
    /// Keys for the steps that need one.
    new_keys: Vec<NewKey>,
    /// Whether the keys that follow are left to a later run.
    without_next: bool,
}

struct Rotated {
    /// The algorithms that need a new key.
    missing: Vec<SigningAlgorithm>,
    /// For how long no step is due.
    idle_for: Duration,
}

impl Rotate {
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Rotated> {
        signing_keys::lock(tx).await?;
        if signing_keys::draw_back(tx).await? > 0 {
            tracing::warn!("the clock of the database went back: times of signing keys that lay ahead are now");
        }
        let mut rotated = Rotated { missing: Vec::new(), idle_for: Duration::MAX };
        for &algorithm in SigningAlgorithm::VARIANTS {
            match self.take_steps(tx, algorithm).await? {
                Some(idle_for) => rotated.idle_for = rotated.idle_for.min(idle_for),
                None => rotated.missing.push(algorithm),
            }
        }
        Ok(rotated)
    }

    /// Takes the steps of one algorithm. Returns for how long none is due; `None` when the next step needs a
    /// new key.
    async fn take_steps(&self, tx: &Tx<'_>, algorithm: SigningAlgorithm) -> StoreResult<Option<Duration>> {
        loop {
            let stored = signing_keys::list(tx).await?;
            let keys: Vec<_> = stored.keys.into_iter().map(|stored| stored.key).collect();
            let is_unused = |new: &&NewKey| new.algorithm == algorithm && keys.iter().all(|key| key.kid != new.kid);
            let new_key = self.new_keys.iter().find(is_unused);
            let step = next_rotation_step(algorithm, &keys, stored.now);
            match (&step, new_key) {
                (RotationStep::Wait(until), _) => {
                    return Ok(Some(Duration::try_from(until.duration_since(stored.now)).unwrap_or_default()));
                }
                (RotationStep::CreateNext, _) if self.without_next => return Ok(Some(Duration::ZERO)),
                (RotationStep::CreateActive | RotationStep::CreateNext, None) => return Ok(None),
                (RotationStep::CreateActive, Some(new)) => signing_keys::insert(tx, new, true).await?,
                (RotationStep::CreateNext, Some(new)) => signing_keys::insert(tx, new, false).await?,
                (RotationStep::Activate(key), _) => signing_keys::activate(tx, key).await?,
                (RotationStep::Remove(key), _) => signing_keys::remove(tx, &key.kid).await?,
            }
            tracing::info!(%algorithm, step = step.name(), "signing keys changed");
        }
    }
}
