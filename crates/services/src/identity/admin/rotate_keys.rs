//! Rotating the signing keys before their time.

use super::{attempt, check_administrator};
use crate::identity::oidc::KeyRing;
use domain::{
    identity::oidc::{
        SigningAlgorithm,
        signing_key::{rotatable_from, successor},
    },
    shared::{Code, Detail, Fault, FieldCode},
};
use jiff::Timestamp;
use serde_json::json;
use std::time::Duration;
use storage::{
    Result as StoreResult, Tx,
    identity::{
        AuditSource, audit,
        oidc::signing_keys::{self, NewKey, SIGNING_KEYS, StoredKey, StoredKeys},
    },
    queue,
    shared::sessions::SessionClaims,
    transact,
};
use strum::VariantArray;

/// A rotation that an administrator asks for. The key rotator carries it out.
#[derive(Debug, Clone)]
pub struct ManualRotation {
    /// Who asks for it.
    pub administrator: SessionClaims,
    /// What the audit trail records of the request.
    pub source: AuditSource,
    /// Whether the keys may be known to others. Then nothing that was signed so far is valid any more.
    pub is_compromised: bool,
    /// The time of the database's clock when the request came.
    pub asked_at: Timestamp,
}

/// All keys, and from when on they can be rotated by hand.
pub async fn list_keys(ring: &KeyRing) -> Result<(StoredKeys, Timestamp), Fault> {
    let connection = ring.store().connection("signing_keys.list").await?;
    let stored = signing_keys::list(&connection).await?;
    let keys: Vec<_> = stored.keys.iter().map(|stored| stored.key.clone()).collect();
    let possible_from = rotatable_from(&keys, stored.now);
    Ok((stored, possible_from))
}

/// Rotates the keys of every algorithm. The next keys take over, if clients know them; 409 `nextKeyTooNew`
/// with the time at which they do. Keys that are compromised are all removed, and new ones sign at once,
/// although no client knows them yet.
///
/// Of several requests at the same time, at whichever processes, one rotates: the next keys are new then, and
/// keys that were made after a request came are not those that it calls compromised.
pub async fn rotate_keys(ring: &KeyRing, request: &ManualRotation) -> Result<(), Fault> {
    let mut new_keys = Vec::new();
    if request.is_compromised {
        for &algorithm in SigningAlgorithm::VARIANTS {
            new_keys.push(ring.generate(algorithm).await?);
        }
    }
    let new_keys = new_keys.as_slice();
    transact!(ring.store(), "signing_keys.rotate_by_hand", async |tx| {
        let ManualRotation { administrator, ref source, is_compromised, .. } = *request;
        signing_keys::lock(tx).await?;
        check_administrator(tx, administrator, source.at).await?;
        let stored = signing_keys::list(tx).await?;
        if is_compromised {
            let is_new = |key: &StoredKey| key.created_at >= request.asked_at;
            if !stored.keys.is_empty() && stored.keys.iter().all(is_new) {
                // Another request has replaced them.
                return Ok(());
            }
            replace(tx, new_keys).await?;
        } else {
            activate_next(tx, &stored).await?;
        }
        // The keys that follow are published soon, also when this process ends here.
        queue::make_due(tx, SIGNING_KEYS).await?;
        let details = json!({ "compromised": is_compromised });
        audit::record_with(tx, audit::Event::AdminKeysRotated, &details, attempt(source, administrator, None)).await
    })
    .await?;
    if let Err(fault) = ring.reload().await {
        // The keys are rotated, and this process has been woken to read them.
        tracing::warn!(cause = fault.cause.as_deref(), "the keys could not be read after their rotation; they are read again");
    }
    Ok(())
}

async fn replace(tx: &Tx<'_>, new_keys: &[NewKey]) -> StoreResult<()> {
    tracing::warn!("the signing keys are replaced, because they are said to be compromised");
    signing_keys::remove_all(tx).await?;
    for new in new_keys {
        signing_keys::insert(tx, new, true).await?;
    }
    Ok(())
}

async fn activate_next(tx: &Tx<'_>, stored: &StoredKeys) -> StoreResult<()> {
    let keys: Vec<_> = stored.keys.iter().map(|stored| stored.key.clone()).collect();
    let possible_from = rotatable_from(&keys, stored.now);
    for &algorithm in SigningAlgorithm::VARIANTS {
        let next = successor(algorithm, &keys, stored.now).map_err(|_| too_new(possible_from, stored.now))?;
        signing_keys::activate(tx, next).await?;
    }
    tracing::info!("an administrator has rotated the signing keys");
    Ok(())
}

fn too_new(possible_from: Timestamp, now: Timestamp) -> Fault {
    let wait = Duration::try_from(possible_from.duration_since(now)).unwrap_or_default();
    let message = format!("Clients may not know the next keys yet; they can take over from {possible_from} on");
    Fault::new(Code::NextKeyTooNew, message).retry(wait).about(vec![Detail::new(
        "possibleFrom",
        FieldCode::TooEarly,
        possible_from.to_string(),
    )])
}
