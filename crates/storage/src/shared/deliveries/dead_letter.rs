//! Dead letters: deliveries that are given up, each for a reason.

use super::{AttemptRecord, DeliveryLease, LeasedDelivery, mark_dead, mark_expired_dead};
use crate::{Result, Tx};
use domain::shared::delivery::DeadReason;
use jiff::Timestamp;
use std::sync::Arc;

/// A delivery that is given up. Cheap to clone but for the answer in the record.
#[derive(Debug, Clone)]
pub struct DeadLetter {
    /// The delivery, as it was leased.
    pub delivery: Arc<LeasedDelivery>,
    pub cause: DeadCause,
}

/// What made a delivery dead.
#[derive(Debug, Clone)]
pub enum DeadCause {
    /// An attempt that failed: the fifth one, or one after which no further one makes sense.
    Attempt(AttemptRecord, DeadReason),
    /// Its age. No attempt was made.
    Age,
}

impl DeadLetter {
    /// Why it is dead.
    pub fn reason(&self) -> DeadReason {
        match &self.cause {
            DeadCause::Attempt(_, reason) => *reason,
            DeadCause::Age => DeadReason::Age,
        }
    }

    /// The last attempt, if that made it dead.
    pub fn attempt(&self) -> Option<&AttemptRecord> {
        if let DeadCause::Attempt(record, _) = &self.cause { Some(record) } else { None }
    }

    /// How many attempts were made in all.
    pub fn attempts(&self) -> i32 {
        self.attempt().map_or(self.delivery.attempts, |record| record.number)
    }
}

/// Marks the deliveries of letters dead, with their last attempts: within the transaction that tells the
/// owner. Returns the letters that it wrote; the deliveries of the others were leased by another process
/// meanwhile.
pub async fn write_dead_letters<'a>(
    tx: &Tx<'_>,
    letters: impl IntoIterator<Item = &'a DeadLetter>,
    at: Timestamp,
) -> Result<Vec<&'a DeadLetter>> {
    let letters: Vec<_> = letters.into_iter().collect();
    let attempt = |letter: &&DeadLetter| {
        if let DeadCause::Attempt(record, reason) = &letter.cause { Some((record.clone(), *reason)) } else { None }
    };
    let records: Vec<_> = letters.iter().filter_map(attempt).collect();
    let expired: Vec<DeliveryLease> =
        letters.iter().filter(|letter| letter.attempt().is_none()).map(|letter| letter.delivery.lease).collect();
    let mut written = if records.is_empty() { Vec::new() } else { mark_dead(tx, &records, at).await? };
    if !expired.is_empty() {
        written.extend(mark_expired_dead(tx, &expired, at).await?);
    }
    Ok(letters.into_iter().filter(|letter| written.contains(&letter.delivery.lease)).collect())
}
