//! Reading a mail to be sent, and writing the outcome of an attempt. The job of the mail is updated in the same transaction, by the caller.

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    identity::mail::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;

/// A mail that is neither sent nor given up.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The id.
    pub id: MailId,
    /// The account that the mail is about.
    pub user: UserId,
    /// The kind of mail.
    pub template: Template,
    /// The locale that it is written in.
    pub locale: String,
    /// The sealed [`StoredMail`](domain::identity::mail::StoredMail).
    pub sealed: Vec<u8>,
    /// The deferrals that earlier attempts used up, see [`SendError::deferrals`](domain::identity::mail_retry::SendError::deferrals).
    pub deferrals: i32,
    /// When it was written.
    pub created_at: Timestamp,
}

/// A mail; `None` when it is finished, or was deleted with its account.
pub async fn find(connection: &Connection, id: MailId) -> Result<Option<Mail>> {
    let found = connection
        .row_opt(
            "select id, user_id, template, locale, sealed, deferrals, created_at from mails where id = $1 and sealed is not null",
            &[/* id */ &id.0],
        )
        .await?;
    let read = |found| {
        Ok(Mail {
            id: MailId(row::get(found, "id")?),
            user: UserId(row::get(found, "user_id")?),
            template: row::parsed(found, "template", |name| name.parse().ok())?,
            locale: row::get(found, "locale")?,
            sealed: row::get(found, "sealed")?,
            deferrals: row::get(found, "deferrals")?,
            created_at: row::get(found, "created_at")?,
        })
    };
    found.as_ref().map(read).transpose()
}

/// Records that the server accepted the mail, and erases its content. No row is updated if the mail was deleted with its account meanwhile.
pub async fn mark_sent(tx: &Tx<'_>, id: MailId, at: Timestamp) -> Result<()> {
    tx.execute("update mails set sealed = null, answer = null, sent_at = $2 where id = $1", &[/* id */ &id.0, /* sent_at */ &at])
        .await?;
    Ok(())
}

/// Records an attempt that is to be repeated: the deferrals that it used up, and the server's reply.
pub async fn defer(tx: &Tx<'_>, id: MailId, deferrals: u32, answer: Option<&str>) -> Result<()> {
    tx.execute(
        "update mails set answer = $2, deferrals = deferrals + $3::int where id = $1",
        &[/* id */ &id.0, /* answer */ &answer, /* deferrals */ &i32::try_from(deferrals).unwrap_or(i32::MAX)],
    )
    .await?;
    Ok(())
}

/// Gives a mail up, with the reason as a code and the server's last reply, and erases its content. `false` when the mail was deleted with its account.
pub async fn mark_dead(tx: &Tx<'_>, id: MailId, reason: &str, answer: Option<&str>, at: Timestamp) -> Result<bool> {
    let updated = tx
        .execute(
            "update mails set sealed = null, dead_at = $2, reason = $3, answer = $4 where id = $1",
            &[/* id */ &id.0, /* dead_at */ &at, /* reason */ &reason, /* answer */ &answer],
        )
        .await?;
    Ok(updated == 1)
}
