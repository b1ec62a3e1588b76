//! The sweeps: what each removes, and how long that is kept.

use super::{
    batch::{Batch, Retention, SweepContext, days},
    object_sweep::{self, ObjectSweep},
};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use storage::{
    Connection, Result, content, identity, queue,
    shared::{deliveries, rate_limits},
};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// How many rows a batch removes at most.
const BATCH: i64 = 500;
/// The same of rate limits, whose rows are small and which no index finds.
const RATE_LIMITS_BATCH: i64 = 10_000;
/// The same of those that are too many.
const RATE_LIMITS_EXCESS_BATCH: i64 = 100_000;
/// How many callers of each rate limit are remembered.
const MAX_RATE_LIMITS: i64 = 250_000;
/// How often a sweep is due.
pub(super) const SWEEP_INTERVAL: Duration = Duration::from_hours(1);
/// How long mails are kept that could not be sent.
const DEAD_MAILS: SignedDuration = days(90);

/// One kind of thing that expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "camelCase")]
pub(super) enum Sweep {
    /// Sessions that expired a day ago.
    Sessions,
    /// Links, codes and challenges that expired a day ago.
    OneTime,
    /// Assertions of OIDC clients that expired a day ago.
    ClientAssertions,
    /// Tokens of the OpenID provider that expired a day ago, and grants without a valid token since then.
    OidcTokens,
    /// Browsers that were not seen for 90 days.
    KnownDevices,
    /// Counters of failed logins that did not change for a day.
    #[strum(serialize = "lockoutCounters")]
    Attempts,
    /// Callers of rate limits that may do again as much as if they had done nothing.
    RateLimits,
    /// Stories that were deleted 90 days ago.
    Stories,
    /// Assets that were put into the trash 90 days ago.
    Assets,
    /// Components that were deleted 90 days ago, with their versions.
    Components,
    /// Uploads whose form expired a day ago.
    Uploads,
    /// Invitations to spaces that expired a day ago.
    Invitations,
    /// Results of the image service whose original is not served any more, with their objects.
    ImageResults,
    /// Objects that had no row for a day.
    Objects,
    /// Spaces that were deleted 30 days ago: until then an operator can bring them back.
    Spaces,
    /// Jobs that were finished 7 days ago.
    Jobs,
    /// Entries of the accounts' audit trail, after [`Retention::account_audit`]. A space's audit log goes
    /// only with its space.
    AccountAudit,
    /// Removes nothing: counts the entries of that trail on days that are over, so that lists need not.
    AccountAuditDays,
    /// Deliveries that arrived, and the bodies and answers of dead ones.
    Deliveries,
    DeadLetters,
    /// Receivers that are closed, with their deliveries.
    Receivers,
    /// Events that became deliveries.
    Events,
    /// Mails that were sent 7 days ago, dead ones of 90 days ago, and before that their content.
    Mails,
}

impl Sweep {
    /// When it is due again.
    pub(super) fn interval(self) -> Duration {
        match self {
            // Most are full within minutes, and callers who are not signed in add them.
            Self::RateLimits => Duration::from_mins(1),
            _ => SWEEP_INTERVAL,
        }
    }

    /// How long its things are kept after they expired.
    fn kept_for(self, retention: Retention) -> SignedDuration {
        match self {
            Self::Sessions
            | Self::OneTime
            | Self::ClientAssertions
            | Self::OidcTokens
            | Self::Attempts
            | Self::Uploads
            | Self::Invitations
            | Self::Objects => days(1),
            Self::KnownDevices | Self::Stories | Self::Assets | Self::Components => days(90),
            Self::Spaces => days(30),
            Self::Jobs | Self::Mails => days(7),
            Self::AccountAudit | Self::AccountAuditDays => retention.account_audit,
            Self::Deliveries | Self::Events => retention.deliveries,
            Self::DeadLetters => retention.dead_letters,
            Self::RateLimits | Self::ImageResults | Self::Receivers => SignedDuration::ZERO,
        }
    }

    /// Removes one batch of what is due. Only the sweep of objects has to know how far it has come; what
    /// others removed is gone.
    pub(super) async fn remove_batch(self, context: &SweepContext<'_>, objects: &mut ObjectSweep) -> Result<Batch> {
        if self == Self::Objects {
            return objects.remove_batch(context).await;
        }
        if self == Self::RateLimits {
            return remove_rate_limits(context.connection).await;
        }
        let removed = self.remove_rows(context).await?;
        Ok(Batch { removed, has_more: removed > 0 })
    }

    async fn remove_rows(self, context: &SweepContext<'_>) -> Result<u64> {
        let SweepContext { connection, retention, now, .. } = *context;
        let until = now.checked_sub(self.kept_for(retention)).unwrap_or(Timestamp::MIN);
        match self {
            Self::Sessions => identity::maintenance::remove_expired_sessions(connection, until, BATCH).await,
            Self::OneTime => identity::one_time::remove_expired(connection, until, BATCH).await,
            Self::ClientAssertions => identity::oidc::client_assertions::remove_expired(connection, until, BATCH).await,
            Self::OidcTokens => identity::oidc::remove_expired(connection, until, BATCH).await,
            Self::KnownDevices => identity::known_devices::remove_old(connection, until, BATCH).await,
            Self::Attempts => identity::lockout::remove_old(connection, until, BATCH).await,
            Self::Stories => content::maintenance::remove_deleted_stories(connection, until, BATCH).await,
            Self::Spaces => match content::maintenance::find_deleted_space(connection, until).await? {
                Some(space) => content::maintenance::remove_deleted_space(connection, space, until, BATCH).await,
                None => Ok(0),
            },
            Self::Assets => content::maintenance::remove_deleted_assets(connection, until, BATCH).await,
            Self::Components => content::maintenance::remove_deleted_components(connection, until, BATCH).await,
            Self::Uploads => content::maintenance::remove_expired_uploads(connection, until, BATCH).await,
            Self::Invitations => content::maintenance::remove_expired_invitations(connection, until, BATCH).await,
            Self::ImageResults => {
                let released = content::image_results::remove_stale(connection, now, BATCH).await?;
                if let Some(blobs) = context.blobs {
                    object_sweep::remove_released(blobs, &released).await;
                }
                Ok(released.len() as u64)
            }
            // They have batches of their own.
            Self::Objects | Self::RateLimits => Ok(0),
            Self::Jobs => queue::remove_finished(connection, until, BATCH).await,
            Self::AccountAudit => identity::maintenance::remove_old_audit(connection, until, BATCH).await,
            Self::AccountAuditDays => identity::audit::count_next_day(connection, until, now).await,
            Self::Deliveries => match deliveries::remove_delivered(connection, until, BATCH).await? {
                0 => deliveries::purge_dead_bodies(connection, until, BATCH).await,
                removed => Ok(removed),
            },
            Self::DeadLetters => deliveries::remove_dead(connection, until, BATCH).await,
            Self::Receivers => deliveries::remove_closed(connection, BATCH).await,
            Self::Events => content::maintenance::remove_old_events(connection, until, BATCH).await,
            Self::Mails => {
                let dead_until = now.checked_sub(DEAD_MAILS).unwrap_or(Timestamp::MIN);
                let kept_until = now.checked_sub(retention.dead_mails).unwrap_or(Timestamp::MIN);
                match identity::mails::remove_old(connection, until, dead_until, BATCH).await? {
                    0 => identity::mails::erase_dead(connection, kept_until, BATCH).await,
                    removed => Ok(removed),
                }
            }
        }
    }
}

/// Only a whole batch is followed by another one: buckets become full all the time, and the sweep would never
/// end. What is too much reads the whole table, so it comes last and in larger batches.
async fn remove_rate_limits(connection: &Connection) -> Result<Batch> {
    let full = rate_limits::remove_full(connection, RATE_LIMITS_BATCH).await?;
    if full >= RATE_LIMITS_BATCH.unsigned_abs() {
        return Ok(Batch { removed: full, has_more: true });
    }
    let excess = rate_limits::remove_excess(connection, MAX_RATE_LIMITS, RATE_LIMITS_EXCESS_BATCH).await?;
    Ok(Batch { removed: full + excess, has_more: excess >= RATE_LIMITS_EXCESS_BATCH.unsigned_abs() })
}
