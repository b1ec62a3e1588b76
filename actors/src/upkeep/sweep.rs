//! The sweeps: what each removes, and how long that is kept.

use domain::content::asset::ObjectKey;
use jiff::{SignedDuration, Timestamp};
use storage::{Connection, Result, blobs::Blobs, content, identity, queue, shared::deliveries};

/// How many rows a batch removes at most.
const BATCH: i64 = 500;

/// How long it is kept that a mail was given up.
const DEAD_MAILS: SignedDuration = SignedDuration::from_hours(24 * 90);

/// What the operator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// `APP_ACCOUNT_AUDIT_DAYS`.
    pub account_audit: SignedDuration,
    /// `APP_WEBHOOK_KEEP_DAYS`: deliveries that arrived; of those that were given up the bodies and the answers; events.
    pub deliveries: SignedDuration,
    /// `APP_WEBHOOK_DEAD_LETTER_DAYS`: deliveries that were given up.
    pub dead_letters: SignedDuration,
}

impl Default for Kept {
    fn default() -> Self {
        Self { account_audit: days(400), deliveries: days(30), dead_letters: days(90) }
    }
}

fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}

/// What a batch did.
pub(super) struct Batch {
    /// How many rows or objects it removed.
    pub(super) removed: u64,
    /// Whether there may be more.
    pub(super) more: bool,
}

/// One kind of thing that expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sweep {
    /// Sessions that expired a day ago.
    Sessions,
    /// Links, codes and challenges that expired a day ago.
    OneTime,
    /// Browsers that were not seen for 90 days.
    KnownDevices,
    /// Counts of failures of a day ago.
    Guesses,
    /// Stories that were deleted 90 days ago.
    Stories,
    /// Assets that were put into the trash 90 days ago.
    Assets,
    /// Uploads whose form expired a day ago.
    Uploads,
    /// Objects of assets that no row has had for a day.
    Objects,
    /// Spaces whose grace of 30 days is over (decisions 12).
    Spaces,
    /// Jobs that were finished 7 days ago.
    Jobs,
    /// Entries of the accounts' audit trail of 400 days ago, or as configured. A space's audit log goes only with its space.
    AccountAudit,
    /// Deliveries that arrived, and the bodies of those that did not.
    Deliveries,
    /// Deliveries that were given up.
    DeadLetters,
    /// Receivers that are closed, with everything of them.
    Receivers,
    /// Events of which deliveries were made.
    Events,
    /// Mails that were sent 7 days ago, and those that were given up 90 days ago.
    Mails,
}

impl Sweep {
    pub(super) const ALL: [Self; 16] = [
        Self::Sessions,
        Self::OneTime,
        Self::KnownDevices,
        Self::Guesses,
        Self::Stories,
        Self::Assets,
        Self::Uploads,
        Self::Objects,
        Self::Spaces,
        Self::Jobs,
        Self::AccountAudit,
        Self::Deliveries,
        Self::DeadLetters,
        Self::Receivers,
        Self::Events,
        Self::Mails,
    ];

    /// The key of its job.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::OneTime => "oneTime",
            Self::KnownDevices => "knownDevices",
            Self::Guesses => "guesses",
            Self::Stories => "stories",
            Self::Assets => "assets",
            Self::Uploads => "uploads",
            Self::Objects => "objects",
            Self::Spaces => "spaces",
            Self::Jobs => "jobs",
            Self::AccountAudit => "accountAudit",
            Self::Deliveries => "deliveries",
            Self::DeadLetters => "deadLetters",
            Self::Receivers => "receivers",
            Self::Events => "events",
            Self::Mails => "mails",
        }
    }

    /// The sweep of a key.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }

    /// How long its things are kept.
    fn kept_for(self, kept: Kept) -> SignedDuration {
        match self {
            Self::Sessions | Self::OneTime | Self::Guesses | Self::Uploads | Self::Objects => days(1),
            Self::KnownDevices | Self::Stories | Self::Assets => days(90),
            Self::Spaces => days(30),
            Self::Jobs | Self::Mails => days(7),
            Self::AccountAudit => kept.account_audit,
            Self::Deliveries | Self::Events => kept.deliveries,
            Self::DeadLetters => kept.dead_letters,
            Self::Receivers => SignedDuration::ZERO,
        }
    }

    /// Removes one batch of rows that are due.
    pub(super) async fn batch(self, connection: &Connection, kept: Kept, now: Timestamp) -> Result<Batch> {
        let removed = self.rows(connection, kept, now).await?;
        Ok(Batch { removed, more: removed > 0 })
    }

    async fn rows(self, connection: &Connection, kept: Kept, now: Timestamp) -> Result<u64> {
        let until = now.checked_sub(self.kept_for(kept)).unwrap_or(Timestamp::MIN);
        match self {
            Self::Sessions => identity::upkeep::remove_expired_sessions(connection, until, BATCH).await,
            Self::OneTime => identity::one_time::remove_expired(connection, until, BATCH).await,
            Self::KnownDevices => identity::known_devices::remove_old(connection, until, BATCH).await,
            Self::Guesses => identity::guesses::remove_old(connection, until, BATCH).await,
            Self::Stories => content::upkeep::remove_deleted_stories(connection, until, BATCH).await,
            Self::Spaces => match content::upkeep::find_deleted_space(connection, until).await? {
                Some(space) => content::upkeep::remove_deleted_space(connection, space, until, BATCH).await,
                None => Ok(0),
            },
            Self::Assets => content::upkeep::remove_deleted_assets(connection, until, BATCH).await,
            Self::Uploads => content::upkeep::remove_expired_uploads(connection, until, BATCH).await,
            // They are no rows: see [`objects`].
            Self::Objects => Ok(0),
            Self::Jobs => queue::remove_finished(connection, until, BATCH).await,
            Self::AccountAudit => identity::upkeep::remove_old_audit(connection, until, BATCH).await,
            Self::Deliveries => match deliveries::remove_delivered(connection, until, BATCH).await? {
                0 => deliveries::expunge(connection, until, BATCH).await,
                removed => Ok(removed),
            },
            Self::DeadLetters => deliveries::remove_dead(connection, until, BATCH).await,
            Self::Receivers => deliveries::remove_closed(connection, BATCH).await,
            Self::Events => content::upkeep::remove_old_events(connection, until, BATCH).await,
            Self::Mails => {
                let dead_until = now.checked_sub(DEAD_MAILS).unwrap_or(Timestamp::MIN);
                identity::mails::remove_old(connection, until, dead_until, BATCH).await
            }
        }
    }
}

/// Removes from one page of objects, from `place` on, those without a row that are too old to get one. A row is never made for one of these any more (see
/// [`ObjectKey::is_fresh`]), so nothing is lost between the look and the removal.
pub(super) async fn objects(
    connection: &Connection,
    blobs: Option<&Blobs>,
    place: &mut Option<String>,
    now: Timestamp,
) -> Result<Batch> {
    let Some(blobs) = blobs else { return Ok(Batch { removed: 0, more: false }) };
    let page = blobs.list(place.as_deref()).await?;
    let overdue: Vec<ObjectKey> = page.keys.into_iter().filter(|key| key.is_overdue(now)).collect();
    let mut removed = 0;
    for part in overdue.chunks(1000) {
        for key in content::assets::without_row(connection, part).await? {
            // One that cannot be removed is looked at again in the next round; the others are not to wait for it.
            match blobs.remove(key).await {
                Ok(()) => removed += 1,
                Err(error) => tracing::warn!(%error, object = %key, "an object without a row could not be removed"),
            }
        }
    }
    *place = page.next;
    Ok(Batch { removed, more: place.is_some() })
}
