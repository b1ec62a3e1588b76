//! Administrators: that there is always one, and making one on the command line of the server.

use domain::{
    identity::Email,
    shared::{Code, Fault, UserId},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result, Tx, TxOperation,
    identity::{
        accounts,
        audit::{self, Attempt},
    },
};

/// Refuses to go on without an administrator: 409 `lastAdmin` when an account is the only one who can sign in and administer. Whatever makes one administrator
/// fewer calls this first, in its transaction, before it locks any account: such transactions queue here.
pub(super) async fn keep_another_than(tx: &Tx<'_>, user: UserId, is_mail_on: bool) -> Result<()> {
    if accounts::lock_administrators(tx, is_mail_on).await? == [user] {
        let message = "This is the only administrator; make somebody else one first";
        return Err(Fault::new(Code::LastAdmin, message).into());
    }
    Ok(())
}

/// Makes the account with an address an administrator, or takes that back.
#[derive(Debug)]
pub struct SetAdministrator {
    pub email: Email,
    /// Whether it is to be an administrator.
    pub is_admin: bool,
    pub at: Timestamp,
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

impl TxOperation for SetAdministrator {
    type Output = AdministratorChange;

    const NAME: &'static str = "account.set_admin";

    async fn run(&self, tx: &Tx<'_>) -> Result<AdministratorChange> {
        if !self.is_admin {
            // The operator may remove even the last one, because only this command can make one again; others who remove one wait meanwhile.
            accounts::lock_administrators(tx, false).await?;
        }
        let Some((user, is_changed)) = accounts::set_admin(tx, &self.email, self.is_admin).await? else {
            return Ok(AdministratorChange::UnknownAccount);
        };
        if self.is_admin {
            // Takes the row that makes the first registered account an administrator: there is one now.
            accounts::register_first(tx, user, false).await?;
        }
        if !is_changed {
            return Ok(AdministratorChange::None);
        }
        let details = json!({ "isAdmin": self.is_admin, "by": "command line" });
        let attempt = Attempt::by_system(Some(user), self.at);
        audit::record_with(tx, audit::Event::AdminUserUpdated, &details, attempt).await?;
        Ok(AdministratorChange::Changed)
    }
}
