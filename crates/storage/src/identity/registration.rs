//! Registering, as one transaction.

use super::{Outcome, Source, accounts, audit, links::MailedLink};
use crate::{Result, Tx, TxOperation};
use domain::{identity::NewAccount, shared::UserId};

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
    /// The link that proves its address. Without one the address counts as proved: no mail can be sent, so nothing could prove it later.
    pub verification: Option<MailedLink>,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for Register {
    /// Whether the account was made: `false` when its address is taken.
    type Output = bool;

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
            email_verified: self.verification.is_none(),
            at: self.source.at,
        };
        if !accounts::insert(tx, new).await? {
            return Ok(false);
        }
        accounts::register_first(tx, self.id, self.first_is_admin).await?;
        if let Some(verification) = &self.verification {
            verification.add(tx).await?;
        }
        audit::record(tx, "auth.register", Outcome::Success, self.source.attempt(Some(self.id))).await?;
        Ok(true)
    }
}
