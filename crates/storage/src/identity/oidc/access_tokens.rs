//! Opaque access tokens: the table `oidc_access_tokens`.

use super::{
    grants::{self, LiveGrant},
    person,
};
use crate::{Executor, Result, Tx, expiry::Expiring, row};
use domain::identity::oidc::Scope;
use jiff::Timestamp;
use uuid::Uuid;

/// A token to be stored.
#[derive(Debug, Clone)]
pub struct NewAccessToken {
    /// The SHA-256 hash of the token.
    pub hash: [u8; 32],
    /// The grant; `None` when the client acts for itself.
    pub grant: Option<Uuid>,
    pub client_id: String,
    pub scope: Scope,
    /// When it was issued.
    pub issued_at: Timestamp,
    pub expires_at: Timestamp,
    /// The thumbprint of the key that it is bound to (RFC 9449), if any.
    pub dpop_jkt: Option<String>,
}

/// A token that is valid.
#[derive(Debug, Clone)]
pub struct AccessToken {
    pub client_id: String,
    pub scope: Scope,
    /// When it was issued.
    pub issued_at: Timestamp,
    pub expires_at: Timestamp,
    /// The thumbprint of the key that it is bound to (RFC 9449), if any.
    pub dpop_jkt: Option<String>,
    /// What it was issued for; `None` when the client acts for itself.
    pub grant: Option<LiveGrant>,
}

/// Stores a token.
pub async fn insert(executor: &impl Executor, new: &NewAccessToken) -> Result<()> {
    executor
        .execute_one(
            "oidc_access_tokens.insert",
            "insert into oidc_access_tokens (hash, grant_id, client_id, scope, issued_at, expires_at, dpop_jkt)
             values ($1, $2, $3, $4, $5, $6, $7)",
            &[
                /* hash */ &new.hash.as_slice(),
                /* grant_id */ &new.grant,
                /* client_id */ &new.client_id,
                /* scope */ &new.scope.names(),
                /* issued_at */ &new.issued_at,
                /* expires_at */ &new.expires_at,
                /* dpop_jkt */ &new.dpop_jkt,
            ],
        )
        .await
}

/// The token of a hash, if it is valid: not expired, its grant not revoked, its person not suspended.
pub async fn find_valid(executor: &impl Executor, hash: &[u8; 32], now: Timestamp) -> Result<Option<AccessToken>> {
    let found = executor
        .row_opt(
            concat!(
                "select t.client_id as token_client, t.scope as token_scope, t.issued_at, t.expires_at, t.dpop_jkt, ",
                grants::grant!(),
                ", ",
                person::columns!(),
                " from oidc_access_tokens t
                  left join oidc_grants g on g.id = t.grant_id
                  left join users on users.id = g.user_id
                  where t.hash = $1 and t.expires_at > $2
                    and (t.grant_id is null or g.revoked_at is null and users.suspended_at is null)"
            ),
            &[/* hash */ &hash.as_slice(), /* now */ &now],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let has_grant = row::get::<Option<Uuid>>(&found, "id")?.is_some();
    Ok(Some(AccessToken {
        client_id: row::get(&found, "token_client")?,
        scope: Scope::of(row::get::<Vec<String>>(&found, "token_scope")?),
        issued_at: row::get(&found, "issued_at")?,
        expires_at: row::get(&found, "expires_at")?,
        dpop_jkt: row::get(&found, "dpop_jkt")?,
        grant: has_grant.then(|| grants::read_live(&found)).transpose()?,
    }))
}

/// Deletes a token of a client. `false` when there is none.
pub async fn remove(tx: &Tx<'_>, hash: &[u8; 32], client_id: &str) -> Result<bool> {
    let removed = tx
        .execute(
            "delete from oidc_access_tokens where hash = $1 and client_id = $2",
            &[/* hash */ &hash.as_slice(), /* client_id */ &client_id],
        )
        .await?;
    Ok(removed == 1)
}

/// Deletes tokens that expired before a time, at most `limit`.
pub async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "oidc_access_tokens", key: "hash", at: "expires_at" }.delete_batch(executor, until, limit).await
}
