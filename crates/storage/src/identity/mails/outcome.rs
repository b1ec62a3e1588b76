//! Reading a mail to be sent, and writing the outcome of an attempt. The job of the mail is updated in the
//! same transaction, by the caller.

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    identity::mail::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;

/// A mail that is neither sent nor given up.
#[derive(Debug, Clone)]
pub struct Mail {
    pub id: MailId,
    /// The account that the mail is about.
    pub user: Option<UserId>,
    /// The kind of mail.
    pub template: Template,
    /// The locale that it is written in.
    pub locale: String,
    /// The sealed [`StoredMail`](domain::identity::mail::StoredMail).
    pub sealed: Vec<u8>,
    /// The deferrals that earlier attempts used up, see
    /// [`SendError::deferrals`](domain::identity::mail_retry::SendError::deferrals).
    pub deferrals: i32,
    /// When it was written.
    pub created_at: Timestamp,
}

/// A mail; `None` when it is finished, or was deleted with its account.
pub async fn find(connection: &Connection, id: MailId) -> Result<Option<Mail>> {
    let found = connection
        .row_opt(
            "select id, user_id, template, locale, sealed, deferrals, created_at from mails
             where id = $1 and sent_at is null and dead_at is null",
            &[/* id */ &id],
        )
        .await?;
    let read = |found| {
        Ok(row::read!(found => Mail {
            id, locale, sealed, deferrals, created_at;
            user: row::get(found, "user_id")?,
            template: row::parsed(found, "template", |name| name.parse().ok())?,
        }))
    };
    found.as_ref().map(read).transpose()
}

/// Records that the server accepted the mail, and erases its content. No row is updated if the mail was
/// deleted with its account meanwhile.
pub async fn mark_sent(tx: &Tx<'_>, id: MailId, at: Timestamp) -> Result<()> {
    tx.execute("update mails set sealed = null, answer = null, sent_at = $2 where id = $1", &[/* id */ &id, /* sent_at */ &at])
        .await?;
    Ok(())
}

/// Records an attempt that is to be repeated: its number, the deferrals that it used up, and the server's
/// reply.
pub async fn defer(tx: &Tx<'_>, id: MailId, attempts: u32, deferrals: u32, answer: Option<&str>) -> Result<()> {
    tx.execute(
        "update mails set attempts = $2, answer = $3, deferrals = deferrals + $4::int where id = $1",
        &[
            /* id */ &id,
            /* attempts */ &clamped(attempts),
            /* answer */ &answer,
            /* deferrals */ &clamped(deferrals),
        ],
    )
    .await?;
    Ok(())
}

/// How a mail was given up.
#[derive(Debug, Clone, Copy)]
pub struct Death<'a> {
    /// The reason, as a code.
    pub reason: &'a str,
    /// The server's last reply.
    pub answer: Option<&'a str>,
    /// How often it was tried.
    pub attempts: u32,
    /// Whether its content is kept for a while, so that it can be sent after all.
    pub keeps_content: bool,
    pub at: Timestamp,
}

/// Gives a mail up. `false` when the mail was deleted with its account.
pub async fn mark_dead(tx: &Tx<'_>, id: MailId, death: Death<'_>) -> Result<bool> {
    let updated = tx
        .execute(
            "update mails set sealed = case when $6 then sealed end, dead_at = $2, reason = $3, answer = $4, attempts = $5 where id = $1",
            &[
                /* id */ &id,
                /* dead_at */ &death.at,
                /* reason */ &death.reason,
                /* answer */ &death.answer,
                /* attempts */ &clamped(death.attempts),
                /* keeps_content */ &death.keeps_content,
            ],
        )
        .await?;
    Ok(updated == 1)
}

fn clamped(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
