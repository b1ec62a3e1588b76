//! The outbox of mails: `mails`, each with a job of the queue [`queue::MAIL`] that carries it out.

mod carry;
mod upkeep;

pub use carry::{GaveUp, Mail, PutOff, Sent, find};
pub use upkeep::{Backlog, backlog, remove_old};

use crate::{
    Executor, Result, Tx,
    queue::{self, NewJob},
};
use domain::{
    identity::letter::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;
use serde_json::json;

/// A mail that is to be sent. `routes::identity::Post` makes one; there is none while mail is off.
#[derive(Debug, Clone)]
pub struct NewMail {
    /// Never used before.
    pub id: MailId,
    /// Whose account it is about.
    pub user: UserId,
    /// Which of the five.
    pub template: Template,
    /// The language.
    pub locale: String,
    /// The sealed envelope.
    pub sealed: Vec<u8>,
    /// When.
    pub at: Timestamp,
}

/// Adds a mail. It is sent when the transaction has committed, and never if it does not. The account has to be there.
pub async fn add(tx: &Tx<'_>, new: &NewMail) -> Result<()> {
    tx.execute_one(
        "mail.insert",
        "insert into mails (id, user_id, template, locale, sealed, created_at) values ($1, $2, $3, $4, $5, $6)",
        &[
            /* id */ &new.id.0,
            /* user_id */ &new.user.0,
            /* template */ &new.template.name(),
            /* locale */ &new.locale,
            /* sealed */ &new.sealed,
            /* created_at */ &new.at,
        ],
    )
    .await?;
    // A key of its own: one mail waits for no other.
    let job = NewJob { queue: queue::MAIL, key: new.id.to_string(), payload: json!({}), due_at: new.at, at: new.at };
    queue::add(tx, &job).await?;
    Ok(())
}

/// The same, where there is one.
pub async fn add_if(tx: &Tx<'_>, new: Option<&NewMail>) -> Result<()> {
    match new {
        Some(new) => add(tx, new).await,
        None => Ok(()),
    }
}
