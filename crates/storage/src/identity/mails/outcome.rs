//! The outcomes of an attempt to send a mail. Each updates the job and the mail in one transaction, and neither if the lease was lost.

use crate::{
    Connection, Executor, Result, Tx, TxOperation,
    identity::audit::{self, Attempt},
    queue::{Fence, Outcome},
    row,
};
use domain::{
    identity::mail::Template,
    shared::{MailId, RequestOrigin, UserId},
};
use jiff::Timestamp;
use serde_json::json;

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
pub async fn find(session: &Connection, id: MailId) -> Result<Option<Mail>> {
    let found = session
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

/// Records that the server accepted the mail.
#[derive(Debug, Clone)]
pub struct MarkMailSent {
    /// The lease of the job.
    pub fence: Fence,
    /// The mail.
    pub mail: MailId,
    /// The time of the outcome.
    pub at: Timestamp,
}

impl TxOperation for MarkMailSent {
    type Output = Outcome;

    const NAME: &'static str = "mail.mark_sent";

    async fn run(&self, tx: &Tx<'_>) -> Result<Outcome> {
        if self.fence.finish(tx, self.at).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        // No row is updated if the account, and its mails with it, was deleted meanwhile.
        tx.execute(
            "update mails set sealed = null, answer = null, sent_at = $2 where id = $1",
            &[/* id */ &self.mail.0, /* sent_at */ &self.at],
        )
        .await?;
        Ok(Outcome::Written)
    }
}

/// Schedules the next attempt.
#[derive(Debug, Clone)]
pub struct DeferMail {
    /// The lease of the job.
    pub fence: Fence,
    /// The mail.
    pub mail: MailId,
    /// When the mail is due again.
    pub due_at: Timestamp,
    /// The reason, as a code.
    pub reason: &'static str,
    /// The deferrals that this attempt used up.
    pub deferrals: u32,
    /// The server's reply.
    pub answer: Option<String>,
}

impl TxOperation for DeferMail {
    type Output = Outcome;

    const NAME: &'static str = "mail.defer";

    async fn run(&self, tx: &Tx<'_>) -> Result<Outcome> {
        if self.fence.reschedule(tx, self.due_at, Some(self.reason)).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        tx.execute(
            "update mails set answer = $2, deferrals = deferrals + $3::int where id = $1",
            &[
                /* id */ &self.mail.0,
                /* answer */ &self.answer,
                /* deferrals */ &i32::try_from(self.deferrals).unwrap_or(i32::MAX),
            ],
        )
        .await?;
        Ok(Outcome::Written)
    }
}

/// Gives a mail up: it becomes a dead letter with an entry in the audit trail. Its content is erased, so it cannot be redriven.
#[derive(Debug, Clone)]
pub struct MarkMailDead {
    /// The lease of the job.
    pub fence: Fence,
    /// The mail.
    pub mail: MailId,
    /// The account that the mail is about.
    pub user: UserId,
    /// The kind of mail.
    pub template: Template,
    /// The reason, as a code.
    pub reason: &'static str,
    /// The server's last reply.
    pub answer: Option<String>,
    /// The code of that reply.
    pub code: Option<u16>,
    /// The time of the outcome.
    pub at: Timestamp,
}

impl TxOperation for MarkMailDead {
    type Output = Outcome;

    const NAME: &'static str = "mail.mark_dead";

    async fn run(&self, tx: &Tx<'_>) -> Result<Outcome> {
        if self.fence.finish(tx, self.at).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        let updated = tx
            .execute(
                "update mails set sealed = null, dead_at = $2, reason = $3, answer = $4 where id = $1",
                &[
                    /* id */ &self.mail.0,
                    /* dead_at */ &self.at,
                    /* reason */ &self.reason,
                    /* answer */ &self.answer,
                ],
            )
            .await?;
        if updated == 0 {
            // The mail was deleted with its account, so there is no failure to report.
            return Ok(Outcome::Written);
        }
        // The reply may name the address, so it stays with the mail: the audit trail outlives the account.
        let details = json!({ "reason": self.reason, "template": self.template.name(), "mail": self.mail, "smtpCode": self.code });
        let attempt = Attempt { user: Some(self.user), origin: RequestOrigin::default(), user_agent: None, at: self.at };
        audit::record_failure(tx, "mail.dead_lettered", details, attempt).await?;
        Ok(Outcome::Written)
    }
}
