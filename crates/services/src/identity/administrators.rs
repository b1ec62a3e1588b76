//! Makes an account an administrator, or takes that back, on the command line of the server.

use domain::identity::Email;
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result, Tx, TxOperation,
    identity::{
        accounts,
        audit::{self, Attempt},
    },
};

/// Makes the account with an address an administrator, or takes that back.
#[derive(Debug)]
pub struct SetAdministrator {
    /// The address.
    pub email: Email,
    /// Whether it is to be an administrator.
    pub is_admin: bool,
    /// The time.
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
        audit::record_with(tx, "admin.user.updated", &details, attempt).await?;
        Ok(AdministratorChange::Changed)
    }
}
