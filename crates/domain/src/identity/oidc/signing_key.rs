//! The life of a signing key, and when it takes its next step.
//!
//! ```text
//! next ──────────▶ active ──90 days──▶ retired ──100 days──▶ removed
//! published        signs tokens       its tokens still verify
//! ```
//!
//! A client may keep the published keys for [`JWKS_MAX_AGE`] before it asks again. The key that follows is
//! published as soon as another one signs, so every client knows it by the time of a rotation, also of one
//! that an administrator asks for; and a key stays published until its last token has expired. So no token is
//! ever refused because keys were rotated.

use super::SigningAlgorithm;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use strum::VariantArray;

/// How long a client may use the published keys without asking again: `max-age` of their responses.
pub const JWKS_MAX_AGE: Duration = Duration::from_mins(5);
/// No signed token is valid for longer: the bound of every lifetime that can be configured for ID tokens and
/// for access tokens that are JWTs.
pub const LONGEST_TOKEN: SignedDuration = SignedDuration::from_hours(24);

/// How long a key is published before it signs, where keys rotate by themselves.
const PUBLISHED_BEFORE: SignedDuration = SignedDuration::from_hours(24);
/// How long a key is published before it signs, where an administrator rotates: until the responses without
/// it have expired at every client. Each process publishes a new key within a minute, and [`JWKS_MAX_AGE`]
/// begins then.
const KNOWN_AFTER: SignedDuration = SignedDuration::from_mins(10);
/// How long a key signs.
const ACTIVE_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How long a key stays published after the last token that it signed has expired: for clients whose clocks
/// are behind, and for processes that learn of a rotation late.
const PUBLISHED_AFTER: SignedDuration = SignedDuration::from_hours(48);
/// How long a key is kept after it was retired: an `id_token_hint` may be an ID token that has expired long
/// ago (OpenID Connect RP-Initiated Logout 1.0, section 2).
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(100 * 24);

/// Where a key is in its life, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Published, to sign later.
    Next {
        /// When it was published.
        since: Timestamp,
    },
    Active {
        /// When it became active.
        since: Timestamp,
    },
    /// Signs no more; what it signed is still verified.
    Retired {
        /// When another key took over.
        since: Timestamp,
    },
}

impl Stage {
    /// Whether the key is published at this time.
    pub fn is_published(self, now: Timestamp) -> bool {
        match self {
            Self::Next { .. } | Self::Active { .. } => true,
            Self::Retired { since } => now < after(after(since, LONGEST_TOKEN), PUBLISHED_AFTER),
        }
    }

    /// When the time of this stage is over.
    fn until(self) -> Timestamp {
        match self {
            Self::Next { since } => after(since, PUBLISHED_BEFORE),
            Self::Active { since } => after(since, ACTIVE_FOR),
            Self::Retired { since } => after(since, KEPT_FOR),
        }
    }
}

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// Its id: the JWK thumbprint (RFC 7638).
    pub kid: String,
    /// What it signs with.
    pub algorithm: SigningAlgorithm,
    /// Where it is in its life.
    pub stage: Stage,
}

/// What is to be done about the keys of one algorithm. Each step is one transaction; a process that ends
/// between two of them leaves nothing undone that the next one would not find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RotationStep<'a> {
    /// There is no key: make one that signs at once. No client can know the keys from before.
    CreateActive,
    /// No key follows the active one: publish one.
    CreateNext,
    /// The next key takes over; the active one is retired.
    Activate(&'a SigningKey),
    /// A retired key is not needed any more.
    Remove(&'a SigningKey),
    /// Nothing, until this time.
    Wait(Timestamp),
}

impl RotationStep<'_> {
    /// What it is called in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::CreateActive => "create active",
            Self::CreateNext => "create next",
            Self::Activate(_) => "activate",
            Self::Remove(_) => "remove",
            Self::Wait(_) => "wait",
        }
    }
}

/// Decides on the next step for an algorithm. `keys` may hold those of others as well.
pub fn next_rotation_step(algorithm: SigningAlgorithm, keys: &[SigningKey], now: Timestamp) -> RotationStep<'_> {
    let of_algorithm = || keys.iter().filter(move |key| key.algorithm == algorithm);
    let next = of_algorithm().find(|key| matches!(key.stage, Stage::Next { .. }));
    let active = of_algorithm().find(|key| matches!(key.stage, Stage::Active { .. }));
    let retired = of_algorithm().filter(|key| matches!(key.stage, Stage::Retired { .. })).min_by_key(|key| key.stage.until());
    let (step, due) = match (active, next) {
        (None, None) => return RotationStep::CreateActive,
        // A row was deleted by hand. Waiting would leave the clients of this algorithm without tokens.
        (None, Some(next)) => return RotationStep::Activate(next),
        (Some(_), None) => return RotationStep::CreateNext,
        (Some(active), Some(next)) => (RotationStep::Activate(next), active.stage.until().max(next.stage.until())),
    };
    if due <= now {
        return step;
    }
    match retired {
        Some(key) if key.stage.until() <= now => RotationStep::Remove(key),
        Some(key) => RotationStep::Wait(due.min(key.stage.until())),
        None => RotationStep::Wait(due),
    }
}

/// The key that takes over when an administrator rotates the keys of an algorithm, or from when on that is
/// possible: clients have to know it first. `keys` may hold those of others as well.
pub fn successor(algorithm: SigningAlgorithm, keys: &[SigningKey], now: Timestamp) -> Result<&SigningKey, Timestamp> {
    let is_next = |key: &&SigningKey| key.algorithm == algorithm && matches!(key.stage, Stage::Next { .. });
    // One that is missing is made within a minute.
    let Some(next) = keys.iter().find(is_next) else { return Err(after(now, KNOWN_AFTER)) };
    match next.stage {
        Stage::Next { since } if now < after(since, KNOWN_AFTER) => Err(after(since, KNOWN_AFTER)),
        _ => Ok(next),
    }
}

/// From when on an administrator can rotate the keys of all algorithms.
pub fn rotatable_from(keys: &[SigningKey], now: Timestamp) -> Timestamp {
    let possible = SigningAlgorithm::VARIANTS.iter().copied().map(|algorithm| successor(algorithm, keys, now).err().unwrap_or(now));
    possible.max().unwrap_or(now)
}

/// Whether the rotation does not get on: an algorithm has no key that signs, or one that signs for a day
/// longer than it should.
pub fn is_rotation_stuck(keys: &[SigningKey], now: Timestamp) -> bool {
    SigningAlgorithm::VARIANTS.iter().copied().any(|algorithm| {
        let active = keys.iter().find(|key| key.algorithm == algorithm && matches!(key.stage, Stage::Active { .. }));
        active.is_none_or(|key| after(key.stage.until(), PUBLISHED_BEFORE) < now)
    })
}

fn after(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests;
