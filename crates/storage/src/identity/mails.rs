//! Queued mails: the table `mails`, with a job of the queue [`queue::MAIL`] for each.

mod maintenance;
mod outcome;

pub use maintenance::{Backlog, backlog, remove_old};
pub use outcome::{Mail, defer, find, mark_dead, mark_sent};

use crate::{
    Executor, Result, Tx,
    queue::{self, NewJob},
};
use domain::{
    identity::mail::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;
use serde_json::json;

/// A mail to be queued. `services::identity::MailQueue` composes it.
#[derive(Debug, Clone)]
pub struct NewMail {
    /// A new id.
    pub id: MailId,
    /// The account that the mail is about.
    pub user: UserId,
    /// The kind of mail.
    pub template: Template,
    /// The locale that it is written in.
    pub locale: String,
    /// The sealed [`StoredMail`](domain::identity::mail::StoredMail).
    pub sealed: Vec<u8>,
    /// When it was written.
    pub at: Timestamp,
}

/// Queues a mail, which is sent after the transaction has committed. The account must exist.
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
    // The key is unique, because mails need no order among each other.
    let job = NewJob { queue: queue::MAIL, key: new.id.to_string(), payload: json!({}), at: new.at };
    queue::add(tx, &job).await?;
    Ok(())
}

/// Queues a mail if there is one; there is none while mail is off.
pub async fn add_if(tx: &Tx<'_>, new: Option<&NewMail>) -> Result<()> {
    match new {
        Some(new) => add(tx, new).await,
        None => Ok(()),
    }
}
