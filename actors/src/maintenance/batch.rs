//! What a sweep removes at a time, and what that depends on.

use jiff::{SignedDuration, Timestamp};
use storage::{Connection, blobs::Blobs};

/// How long the operator wants things to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// `APP_ACCOUNT_AUDIT_DAYS`.
    pub account_audit: SignedDuration,
    /// `APP_WEBHOOK_KEEP_DAYS`: deliveries that arrived; the bodies and answers of dead ones; events.
    pub deliveries: SignedDuration,
    /// `APP_WEBHOOK_DEAD_LETTER_DAYS`: dead deliveries.
    pub dead_letters: SignedDuration,
    /// `APP_EMAIL_DEAD_LETTER_DAYS`: the content of dead mails.
    pub dead_mails: SignedDuration,
}

impl Default for Retention {
    fn default() -> Self {
        Self { account_audit: days(400), deliveries: days(30), dead_letters: days(90), dead_mails: days(7) }
    }
}

/// What a batch is removed with.
pub(super) struct SweepContext<'a> {
    pub(super) connection: &'a Connection,
    pub(super) blobs: Option<&'a Blobs>,
    pub(super) retention: Retention,
    pub(super) now: Timestamp,
}

/// What a batch did.
pub(super) struct Batch {
    /// How many rows or objects it removed.
    pub(super) removed: u64,
    /// Whether there may be more.
    pub(super) has_more: bool,
}

/// A number of days.
pub(super) const fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}
