//! Registering, as one transaction.

use super::{Attempt, Outcome, accounts, audit};
use crate::{Result, Tx, Work};
use domain::{
    identity::NewAccount,
    shared::{Origin, UserId},
};
use jiff::Timestamp;

/// A registration that passed every check but the database's.
pub struct Register {
    /// The new account's id.
    pub id: UserId,
    /// What it holds.
    pub account: NewAccount,
    /// Its password as a PHC string.
    pub password_hash: String,
    /// Whether the first one who registers becomes administrator.
    pub first_is_admin: bool,
    /// Where it came from.
    pub origin: Origin,
    /// The browser.
    pub user_agent: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Work for Register {
    /// Whether the account was made: `false` when its address is taken.
    type Done = bool;

    const NAME: &'static str = "account.register";

    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        let account = &self.account;
        let new = accounts::NewRow {
            id: self.id,
            email: &account.email,
            first_name: &account.first_name,
            last_name: account.last_name.as_deref(),
            display_name: account.display_name.as_deref(),
            locale: &account.locale,
            password_hash: &self.password_hash,
            // No mail can be sent yet, so nothing could prove it later.
            email_verified: true,
            at: self.at,
        };
        if !accounts::insert(tx, new).await? {
            return Ok(false);
        }
        if self.first_is_admin {
            accounts::claim_first_admin(tx, self.id).await?;
        }
        let user_agent = self.user_agent.as_deref();
        let attempt = Attempt { user: Some(self.id), origin: self.origin, user_agent, at: self.at };
        audit::record(tx, "auth.register", Outcome::Success, attempt).await?;
        Ok(true)
    }
}
