//! Administrators: that there is always one, and making one on the command line of the server.

use domain::{
    identity::Email,
    shared::{Code, Fault, UserId},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result, Store, Tx,
    identity::{
        accounts,
        audit::{self, Attempt},
    },
    transact,
};

/// Refuses to go on without an administrator: 409 `lastAdmin` when an account is the only one who can sign in
/// and administer. Whatever makes one administrator fewer calls this first, in its transaction, before it
/// locks any account: such transactions queue here.
pub(super) async fn keep_another_than(tx: &Tx<'_>, user: UserId, is_mail_on: bool) -> Result<()> {
    if accounts::lock_administrators(tx, is_mail_on).await? == [user] {
        let message = "This is the only administrator; make somebody else one first";
        return Err(Fault::new(Code::LastAdmin, message).into());
    }
    Ok(())
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdministratorChange {
    /// No account has the address.
    UnknownAccount,
    /// It was so before.
    None,
    /// It was changed, and the audit trail has an entry.
    Changed,
}

/// Makes the account with an address an administrator, or takes that back.
pub async fn set_administrator(store: &Store, email: &Email, is_admin: bool, at: Timestamp) -> Result<AdministratorChange> {
    transact!(store, "account.set_admin", async |tx| {
        if !is_admin {
            // The operator may remove even the last one, because only this command can make one again; others
            // who remove one wait meanwhile.
            accounts::lock_administrators(tx, false).await?;
        }
        let Some((user, is_changed)) = accounts::set_admin(tx, email, is_admin).await? else {
            return Ok(AdministratorChange::UnknownAccount);
        };
        if is_admin {
            // Takes the row that makes the first registered account an administrator: there is one now.
            accounts::register_first(tx, user, false).await?;
        }
        if !is_changed {
            return Ok(AdministratorChange::None);
        }
        let details = json!({ "isAdmin": is_admin, "by": "command line" });
        audit::record_with(tx, audit::Event::AdminUserUpdated, &details, Attempt::by_system(Some(user), at)).await?;
        Ok(AdministratorChange::Changed)
    })
    .await
}
