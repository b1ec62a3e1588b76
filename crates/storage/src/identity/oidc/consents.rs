//! What people have consented to: the table `oidc_consents`.

use crate::{Executor, Result, Tx, row};
use domain::{identity::oidc::Scope, shared::UserId};
use jiff::Timestamp;

/// A consent of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredConsent {
    pub client_id: String,
    pub scope: Scope,
    /// When the person consented first.
    pub created_at: Timestamp,
    /// When the person consented last.
    pub updated_at: Timestamp,
}

/// Adds scopes to what a person has consented to.
pub async fn add(tx: &Tx<'_>, user: UserId, client_id: &str, scope: &Scope, at: Timestamp) -> Result<()> {
    tx.execute(
        "insert into oidc_consents as known (user_id, client_id, scope, created_at, updated_at) values ($1, $2, $3, $4, $4)
         on conflict (user_id, client_id) do update
         set scope = array(select distinct name from unnest(known.scope || excluded.scope) as name order by name), updated_at = $4",
        &[/* user_id */ &user, /* client_id */ &client_id, /* scope */ &scope.names(), /* at */ &at],
    )
    .await
    .map(|_| ())
}

/// Withdraws a consent. `false` when there is none.
pub async fn remove(tx: &Tx<'_>, user: UserId, client_id: &str) -> Result<bool> {
    let removed = tx
        .execute(
            "delete from oidc_consents where user_id = $1 and client_id = $2",
            &[/* user_id */ &user, /* client_id */ &client_id],
        )
        .await?;
    Ok(removed == 1)
}

/// What a person has consented to, by client.
pub async fn list(executor: &impl Executor, user: UserId) -> Result<Vec<StoredConsent>> {
    let rows = executor
        .rows(
            "select client_id, scope, created_at, updated_at from oidc_consents where user_id = $1 order by client_id",
            &[/* user_id */ &user],
        )
        .await?;
    let stored = |row| {
        Ok(StoredConsent {
            client_id: row::get(row, "client_id")?,
            scope: Scope::of(row::get::<Vec<String>>(row, "scope")?),
            created_at: row::get(row, "created_at")?,
            updated_at: row::get(row, "updated_at")?,
        })
    };
    rows.iter().map(stored).collect()
}
