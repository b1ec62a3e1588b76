//! `GET /api/admin/stats`: figures for an overview.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, timestamp};
use futures_util::try_join;
use jiff::Timestamp;
use serde::Serialize;
use storage::{identity::statistics, shared::sessions};

#[derive(Serialize)]
struct Stats {
    users: Users,
    sessions: Sessions,
    logins: Logins,
    emails: Emails,
    clients: usize,
    #[serde(serialize_with = "timestamp::serialize")]
    at: Timestamp,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Users {
    total: i64,
    verified: i64,
    unverified: i64,
    admins: i64,
    suspended: i64,
    with_passkey: i64,
    with_totp: i64,
    created_last24h: i64,
    created_last7d: i64,
    created_last30d: i64,
}

#[derive(Serialize)]
struct Sessions {
    active: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logins {
    last24h: i64,
    failed_last24h: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Emails {
    sent_last24h: i64,
    failed_last24h: i64,
}

/// 200 with the figures.
pub(super) async fn stats(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let at = identity.ctx.clock.now();
    let connection = identity.ctx.store.connection("account.stats").await?;
    let (users, day, active) = try_join!(
        statistics::accounts(&connection, at),
        statistics::last_day(&connection, at),
        sessions::count_active(&connection, at)
    )?;
    ApiResponse::ok(&Stats {
        users: Users {
            total: users.total,
            verified: users.verified,
            unverified: users.total - users.verified,
            admins: users.admins,
            suspended: users.suspended,
            with_passkey: users.with_passkey,
            with_totp: users.with_totp,
            created_last24h: users.created_last_day,
            created_last7d: users.created_last_week,
            created_last30d: users.created_last_month,
        },
        sessions: Sessions { active },
        logins: Logins { last24h: day.logins, failed_last24h: day.failed_logins },
        emails: Emails { sent_last24h: day.sent_mails, failed_last24h: day.dead_mails },
        clients: identity.ctx.settings.clients.iter().count(),
        at,
    })
}
