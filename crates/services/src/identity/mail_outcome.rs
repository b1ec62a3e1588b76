//! The outcomes of an attempt to send a mail. Each updates the job and the mail in one transaction, and changes nothing if the lease was lost.

use domain::{
    identity::mail::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;
use serde_json::json;
use std::time::Duration;
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        audit::{self, Attempt},
        mails::{self, Death},
    },
    queue::{Fence, Outcome},
};

/// Records that the server accepted the mail.
#[derive(Debug, Clone)]
pub struct MarkMailSent {
    /// The lease of the job.
    pub fence: Fence,
    pub mail: MailId,
    /// The time of the outcome.
    pub at: Timestamp,
}

impl TxOperation for MarkMailSent {
    type Output = Outcome;

    const NAME: &'static str = "mail.mark_sent";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Outcome> {
        if self.fence.finish(tx, self.at).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        mails::mark_sent(tx, self.mail, self.at).await?;
        Ok(Outcome::Written)
    }
}

/// Schedules the next attempt.
#[derive(Debug, Clone)]
pub struct DeferMail {
    /// The lease of the job.
    pub fence: Fence,
    pub mail: MailId,
    /// After which time the mail is due again.
    pub due_after: Duration,
    /// The reason, as a code.
    pub reason: &'static str,
    /// How often it was tried, with this attempt.
    pub attempts: u32,
    /// The deferrals that this attempt used up.
    pub deferrals: u32,
    pub answer: Option<String>,
}

impl TxOperation for DeferMail {
    type Output = Outcome;

    const NAME: &'static str = "mail.defer";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Outcome> {
        if self.fence.reschedule(tx, self.due_after, Some(self.reason)).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        mails::defer(tx, self.mail, self.attempts, self.deferrals, self.answer.as_deref()).await?;
        Ok(Outcome::Written)
    }
}

/// Gives a mail up: it becomes a dead letter with an entry in the audit trail. An administrator can have it sent after all as long as its content is kept.
#[derive(Debug, Clone)]
pub struct MarkMailDead {
    /// The lease of the job.
    pub fence: Fence,
    pub mail: MailId,
    /// The account that the mail is about.
    pub user: UserId,
    /// The kind of mail.
    pub template: Template,
    /// The reason, as a code.
    pub reason: &'static str,
    /// How often it was tried.
    pub attempts: u32,
    /// Whether it is still of use to its reader, so that its content is kept for a while.
    pub is_useful: bool,
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

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Outcome> {
        if self.fence.finish(tx, self.at).await? == Outcome::Lost {
            return Ok(Outcome::Lost);
        }
        let death = Death {
            reason: self.reason,
            answer: self.answer.as_deref(),
            attempts: self.attempts,
            keeps_content: self.is_useful,
            at: self.at,
        };
        if !mails::mark_dead(tx, self.mail, death).await? {
            // The mail was deleted with its account, so there is no failure to report.
            return Ok(Outcome::Written);
        }
        // The reply may name the address, so it stays with the mail: the audit trail outlives the account.
        let details = json!({ "reason": self.reason, "template": self.template.name(), "mail": self.mail, "smtpCode": self.code });
        let attempt = Attempt::by_system(Some(self.user), self.at);
        audit::record_failure(tx, audit::Event::MailDeadLettered, details, attempt).await?;
        Ok(Outcome::Written)
    }
}
