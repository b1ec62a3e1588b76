//! Figures about accounts, for the overview of administrators.

use crate::{Executor, Result, row};
use jiff::{SignedDuration, Timestamp};

/// How many accounts there are, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountFigures {
    pub total: i64,
    /// Those whose address is verified.
    pub verified: i64,
    pub admins: i64,
    /// Those that are suspended.
    pub suspended: i64,
    /// Those with a passkey.
    pub with_passkey: i64,
    /// Those with an authenticator app.
    pub with_totp: i64,
    /// Those that were created within a day.
    pub created_last_day: i64,
    pub created_last_week: i64,
    pub created_last_month: i64,
}

/// What happened within a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayFigures {
    pub logins: i64,
    pub failed_logins: i64,
    /// Mails that were sent.
    pub sent_mails: i64,
    /// Mails that were given up.
    pub dead_mails: i64,
}

/// Counts the accounts.
pub async fn accounts(executor: &impl Executor, now: Timestamp) -> Result<AccountFigures> {
    let row = executor
        .row(
            "select coalesce(sum(number), 0)::bigint as total,
                    coalesce(sum(number) filter (where email_verified), 0)::bigint as verified,
                    coalesce(sum(number) filter (where is_admin), 0)::bigint as admins,
                    coalesce(sum(number) filter (where is_suspended), 0)::bigint as suspended,
                    (select count(distinct user_id) from passkeys) as with_passkey,
                    (select count(*) from totp where secret is not null) as with_totp,
                    (select count(*) from users where created_at > $1) as last_day,
                    (select count(*) from users where created_at > $2) as last_week,
                    (select count(*) from users where created_at > $3) as last_month
             from account_counts",
            &[/* day */ &days_before(now, 1), /* week */ &days_before(now, 7), /* month */ &days_before(now, 30)],
        )
        .await?;
    Ok(row::read!(&row => AccountFigures {
        total, verified, admins, suspended, with_passkey, with_totp;
        created_last_day: row::get(&row, "last_day")?,
        created_last_week: row::get(&row, "last_week")?,
        created_last_month: row::get(&row, "last_month")?,
    }))
}

/// Counts what happened within a day.
pub async fn last_day(executor: &impl Executor, now: Timestamp) -> Result<DayFigures> {
    let row = executor
        .row(
            "select (select count(*) from account_audit where event = 'auth.login.success' and status = 'success' and created_at > $1) as logins,
                    (select count(*) from account_audit where event = 'auth.login.failure' and status = 'failure' and created_at > $1) as failed_logins,
                    (select count(*) from mails where sent_at > $1) as sent_mails,
                    (select count(*) from mails where dead_at > $1) as dead_mails",
            &[/* day */ &days_before(now, 1)],
        )
        .await?;
    Ok(row::read!(&row => DayFigures { logins, failed_logins, sent_mails, dead_mails }))
}

fn days_before(now: Timestamp, days: i64) -> Timestamp {
    now.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(Timestamp::MIN)
}
