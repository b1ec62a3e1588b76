//! Refresh tokens: the table `oidc_refresh_tokens`. All tokens of a grant are one family, in which each token
//! has one successor.

use super::{
    access_tokens::NewAccessToken,
    grants::{self, LiveGrant},
    person,
};
use crate::{Executor, Result, Tx, expiry::Expiring, row};
use domain::identity::oidc::Scope;
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// A token to be stored.
#[derive(Debug, Clone)]
pub struct NewRefreshToken {
    /// The SHA-256 hash of the token.
    pub hash: [u8; 32],
    pub grant: Uuid,
    /// The scope that it can be exchanged for.
    pub scope: Scope,
    /// When it was issued.
    pub issued_at: Timestamp,
    pub expires_at: Timestamp,
    /// The thumbprint of the key that it is bound to (RFC 9449), if any.
    pub dpop_jkt: Option<String>,
}

/// A token with its state.
#[derive(Debug, Clone)]
pub struct RefreshToken {
    /// What it was issued for, whether that is still valid or not.
    pub grant: LiveGrant,
    /// Whether the grant was not revoked and the person is not suspended.
    pub is_live: bool,
    /// The scope that it can be exchanged for.
    pub scope: Scope,
    /// When it was issued.
    pub issued_at: Timestamp,
    pub expires_at: Timestamp,
    /// The thumbprint of the key that it is bound to (RFC 9449), if any.
    pub dpop_jkt: Option<String>,
    /// When it was used, if it was.
    pub used_at: Option<Timestamp>,
    /// How often it was used again.
    pub repeats: i32,
    /// The successor, if it was used.
    pub successor: Option<Vec<u8>>,
    /// Whether the successor was used.
    pub is_successor_used: bool,
    /// Whether another successor replaced it before it was used.
    pub is_superseded: bool,
}

/// Stores a token.
pub async fn insert(tx: &Tx<'_>, new: &NewRefreshToken) -> Result<()> {
    tx.execute_one(
        "oidc_refresh_tokens.insert",
        "insert into oidc_refresh_tokens (hash, grant_id, scope, issued_at, expires_at, dpop_jkt) values ($1, $2, $3, $4, $5, $6)",
        &[
            /* hash */ &new.hash.as_slice(),
            /* grant_id */ &new.grant,
            /* scope */ &new.scope.names(),
            /* issued_at */ &new.issued_at,
            /* expires_at */ &new.expires_at,
            /* dpop_jkt */ &new.dpop_jkt,
        ],
    )
    .await
}

/// Uses a token up for a successor, which is stored with the access token that was issued beside it, if that
/// is opaque. `false`, and nothing is stored, when the token does not exist, was used before, has expired, or
/// is one that was replaced.
///
/// It is one conditional statement, which needs no transaction around it: a concurrent call waits for the row
/// lock and then finds the token used.
pub async fn rotate(
    executor: &impl Executor,
    hash: &[u8; 32],
    successor: &NewRefreshToken,
    access: Option<&NewAccessToken>,
    at: Timestamp,
) -> Result<bool> {
    let rotated = executor
        .execute(
            "with used as (
                 update oidc_refresh_tokens set used_at = $2, successor = $3
                 where hash = $1 and used_at is null and superseded_at is null and expires_at > $2
                 returning hash
             ), access as (
                 insert into oidc_access_tokens (hash, grant_id, client_id, scope, issued_at, expires_at, dpop_jkt)
                 select $9::bytea, $4::uuid, $10::text, $11::text[], $12::timestamptz, $13::timestamptz, $14::text from used where $9 is not null
             )
             insert into oidc_refresh_tokens (hash, grant_id, scope, issued_at, expires_at, dpop_jkt)
             select $3::bytea, $4::uuid, $5::text[], $6::timestamptz, $7::timestamptz, $8::text from used",
            &[
                /* hash */ &hash.as_slice(),
                /* used_at */ &at,
                /* successor */ &successor.hash.as_slice(),
                /* grant_id */ &successor.grant,
                /* scope */ &successor.scope.names(),
                /* issued_at */ &successor.issued_at,
                /* expires_at */ &successor.expires_at,
                /* dpop_jkt */ &successor.dpop_jkt,
                /* access_hash */ &access.map(|access| access.hash.as_slice()),
                /* access_client_id */ &access.map(|access| access.client_id.as_str()),
                /* access_scope */ &access.map(|access| access.scope.names()),
                /* access_issued_at */ &access.map(|access| access.issued_at),
                /* access_expires_at */ &access.map(|access| access.expires_at),
                /* access_dpop_jkt */ &access.and_then(|access| access.dpop_jkt.as_deref()),
            ],
        )
        .await?;
    Ok(rotated == 1)
}

/// Uses a token once more within the grace: its successor, which is unused, is replaced by another one.
/// `false` when the grace is over, the successor was used meanwhile, or the token was used again
/// `max_repeats` times.
pub async fn rotate_again(
    tx: &Tx<'_>,
    hash: &[u8; 32],
    successor: &[u8; 32],
    used_since: Timestamp,
    max_repeats: i32,
    at: Timestamp,
) -> Result<bool> {
    let rotated = tx
        .execute(
            "with used as (
                 select hash, successor from oidc_refresh_tokens
                 where hash = $1 and used_at > $3 and repeats < $4 and superseded_at is null
                 for update
             ), superseded as (
                 update oidc_refresh_tokens t set superseded_at = $5 from used
                 where t.hash = used.successor and t.used_at is null and t.superseded_at is null
                 returning t.hash
             )
             update oidc_refresh_tokens t set successor = $2, repeats = t.repeats + 1
             from used, superseded where t.hash = used.hash",
            &[
                /* hash */ &hash.as_slice(),
                /* successor */ &successor.as_slice(),
                /* used_since */ &used_since,
                /* max_repeats */ &max_repeats,
                /* superseded_at */ &at,
            ],
        )
        .await?;
    Ok(rotated == 1)
}

/// The token of a hash, whatever its state.
pub async fn find(executor: &impl Executor, hash: &[u8; 32]) -> Result<Option<RefreshToken>> {
    let found = executor
        .row_opt(
            concat!(
                "select t.scope as token_scope, t.issued_at, t.expires_at, t.dpop_jkt, t.used_at, t.repeats, t.successor,
                        t.superseded_at is not null as is_superseded,
                        coalesce((select s.used_at is not null from oidc_refresh_tokens s where s.hash = t.successor), false)
                            as is_successor_used,
                        g.revoked_at is null and users.suspended_at is null as is_live, ",
                grants::grant!(),
                ", ",
                person::columns!(),
                " from oidc_refresh_tokens t
                  join oidc_grants g on g.id = t.grant_id
                  join users on users.id = g.user_id
                  where t.hash = $1"
            ),
            &[/* hash */ &hash.as_slice()],
        )
        .await?;
    found.as_ref().map(read).transpose()
}

/// Deletes tokens that expired before a time, at most `limit`.
pub async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "oidc_refresh_tokens", key: "hash", at: "expires_at" }.delete_batch(executor, until, limit).await
}

fn read(row: &Row) -> Result<RefreshToken> {
    Ok(row::read!(row => RefreshToken {
        is_live, issued_at, expires_at, dpop_jkt, used_at, repeats, successor, is_successor_used, is_superseded;
        grant: grants::read_live(row)?,
        scope: Scope::of(row::get::<Vec<String>>(row, "token_scope")?),
    }))
}
