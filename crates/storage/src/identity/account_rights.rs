//! What administrators change of an account beside its profile: its right to administer, whether it is
//! suspended, whether its address counts as verified.

use crate::{Executor, Result, Tx};
use domain::shared::UserId;
use jiff::Timestamp;

/// Makes an account an administrator, or takes that back.
pub async fn set_admin(tx: &Tx<'_>, id: UserId, is_admin: bool, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "users.set_admin",
        "update users set is_admin = $2, updated_at = $3 where id = $1",
        &[/* id */ &id, /* is_admin */ &is_admin, /* updated_at */ &at],
    )
    .await
}

/// Sets whether the address of an account counts as verified.
pub async fn set_email_verified(tx: &Tx<'_>, id: UserId, is_verified: bool, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "users.set_email_verified",
        "update users set email_verified = $2, updated_at = $3 where id = $1",
        &[/* id */ &id, /* email_verified */ &is_verified, /* updated_at */ &at],
    )
    .await
}

/// Suspends an account, or ends its suspension.
pub async fn set_suspended(tx: &Tx<'_>, id: UserId, is_suspended: bool, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "users.set_suspended",
        "update users set suspended_at = case when $2 then $3::timestamptz end, updated_at = $3 where id = $1",
        &[/* id */ &id, /* is_suspended */ &is_suspended, /* at */ &at],
    )
    .await
}
