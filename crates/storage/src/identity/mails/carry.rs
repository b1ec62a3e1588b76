//! What becomes of a mail whose job somebody has: each ends the job and writes the mail in one transaction, and nothing of it when the
//! lease was lost.

use crate::{
    Connection, Executor, Result, Tx, TxOperation,
    identity::audit::{self, Attempt},
    queue::{Fence, Outcome},
    row,
};
use domain::{
    identity::letter::Template,
    shared::{MailId, Origin, UserId},
};
use jiff::Timestamp;
use serde_json::json;

/// A mail that is not finished.
#[derive(Debug, Clone)]
pub struct Mail {
    /// Its id.
    pub id: MailId,
    /// Whose account it is about.
    pub user: UserId,
    /// Which of the five.
    pub template: Template,
    /// The language.
    pub locale: String,
    /// The sealed envelope.
    pub sealed: Vec<u8>,
    /// How often the mail server put it off.
    pub deferrals: i32,
    /// When it was written.
    pub created_at: Timestamp,
}

/// A mail; `None` when it is finished, or gone with its account.
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

/// The mail server has it.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The job.
    pub fence: Fence,
    /// The mail.
    pub mail: MailId,
    /// When.
    pub at: Timestamp,
}

impl TxOperation for Sent {
    type Output = Outcome;

    const NAME: &'static str = "mail.sent";

    async fn run(&self, tx: &Tx<'_>) -> Result<Outcome> {
        if self.fence.finish(tx, self.at).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        // The account may be gone meanwhile, and the row with it.
        tx.execute(
            "update mails set sealed = null, answer = null, sent_at = $2 where id = $1",
            &[/* id */ &self.mail.0, /* sent_at */ &self.at],
        )
        .await?;
        Ok(Outcome::Written)
    }
}

/// It is tried again later.
#[derive(Debug, Clone)]
pub struct PutOff {
    /// The job.
    pub fence: Fence,
    /// The mail.
    pub mail: MailId,
    /// When it is due.
    pub due_at: Timestamp,
    /// Why, as a code.
    pub reason: &'static str,
    /// What it cost of the server's patience with this mail.
    pub deferrals: u32,
    /// What the server said.
    pub answer: Option<String>,
}

impl TxOperation for PutOff {
    type Output = Outcome;

    const NAME: &'static str = "mail.put_off";

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

/// It is given up: a dead letter, with its entry in the audit trail. What it said is gone, so it is not put back.
#[derive(Debug, Clone)]
pub struct GaveUp {
    /// The job.
    pub fence: Fence,
    /// The mail.
    pub mail: MailId,
    /// Whose account it is about.
    pub user: UserId,
    /// Which of the five.
    pub template: Template,
    /// Why, as a code.
    pub reason: &'static str,
    /// What the server said last.
    pub answer: Option<String>,
    /// The first digits of that.
    pub code: Option<u16>,
    /// When.
    pub at: Timestamp,
}

impl TxOperation for GaveUp {
    type Output = Outcome;

    const NAME: &'static str = "mail.gave_up";

    async fn run(&self, tx: &Tx<'_>) -> Result<Outcome> {
        if self.fence.finish(tx, self.at).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        let touched = tx
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
        if touched == 0 {
            // Gone with its account, which nobody is to be told of any more.
            return Ok(Outcome::Written);
        }
        // The answer may name the address, and stays with the mail; the trail outlives the account.
        let details = json!({ "reason": self.reason, "template": self.template.name(), "mail": self.mail, "smtpCode": self.code });
        let attempt = Attempt { user: Some(self.user), origin: Origin::default(), user_agent: None, at: self.at };
        audit::record_failure(tx, "mail.dead_lettered", details, attempt).await?;
        Ok(Outcome::Written)
    }
}
