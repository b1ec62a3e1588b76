//! Queued mails: the table `mails`, with a job of the queue [`queue::MAIL`] for each.

mod maintenance;
mod outcome;
mod queue_again;
mod queued;

pub use maintenance::{Backlog, backlog, erase_dead, remove_old};
pub use outcome::{Death, Mail, defer, find, mark_dead, mark_sent};
pub use queue_again::{DeadMail, lock, lock_dead, queue_again};
pub use queued::{QueuedMail, list};

use crate::{
    Executor, Result, Tx,
    queue::{self, NewJob, NoPayload},
};
use domain::{
    identity::mail::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;

/// A mail to be queued. `services::identity::MailQueue` composes it.
#[derive(Debug, Clone)]
pub struct NewMail {
    pub id: MailId,
    /// The account that the mail is about, if it is about one.
    pub user: Option<UserId>,
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
            /* id */ &new.id,
            /* user_id */ &new.user,
            /* template */ &new.template.into_str(),
            /* locale */ &new.locale,
            /* sealed */ &new.sealed,
            /* created_at */ &new.at,
        ],
    )
    .await?;
    // The key is unique, because mails need no order among each other.
    let job = NewJob { queue: queue::MAIL, key: new.id.to_string(), payload: NoPayload {}, at: new.at };
    queue::add(tx, &job).await?;
    Ok(())
}

/// Queues mails, in one statement for the mails and one for their jobs.
pub async fn add_all(tx: &Tx<'_>, all: &[&NewMail]) -> Result<()> {
    let ids: Vec<_> = all.iter().map(|new| new.id).collect();
    let users: Vec<_> = all.iter().map(|new| new.user).collect();
    let templates: Vec<&str> = all.iter().map(|new| new.template.into_str()).collect();
    let locales: Vec<&str> = all.iter().map(|new| new.locale.as_str()).collect();
    let sealed: Vec<&[u8]> = all.iter().map(|new| new.sealed.as_slice()).collect();
    let created_at: Vec<Timestamp> = all.iter().map(|new| new.at).collect();
    tx.execute(
        "insert into mails (id, user_id, template, locale, sealed, created_at)
         select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[])",
        &[
            /* id */ &ids,
            /* user_id */ &users,
            /* template */ &templates,
            /* locale */ &locales,
            /* sealed */ &sealed,
            /* created_at */ &created_at,
        ],
    )
    .await?;
    let keys: Vec<String> = all.iter().map(|new| new.id.to_string()).collect();
    queue::add_all(tx, queue::MAIL, &keys, &created_at).await
}

/// Queues a mail if there is one; there is none while mail is off.
pub async fn add_if(tx: &Tx<'_>, new: Option<&NewMail>) -> Result<()> {
    match new {
        Some(new) => add(tx, new).await,
        None => Ok(()),
    }
}
