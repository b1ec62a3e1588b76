//! `GET /api/admin/stats`: figures for an overview.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::admin::overview::{Statistics, read_statistics};

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
    let Statistics { accounts: users, day, sessions: active, clients, at, .. } = read_statistics(&identity.ctx).await?;
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
        clients,
        at,
    })
}
