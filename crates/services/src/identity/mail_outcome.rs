//! The outcomes of an attempt to send a mail. Each updates the job and the mail in one transaction, and
//! changes nothing if the lease was lost.

use domain::{
    identity::mail::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;
use serde_json::json;
use std::time::Duration;
use storage::{
    Result, Store,
    identity::{
        audit::{self, Attempt},
        mails::{self, Death},
    },
    queue::{Fence, JobOutcome},
    transact,
};

/// How an attempt to send a mail ended.
#[derive(Debug, Clone)]
pub enum MailOutcome {
    /// The server accepted the mail.
    Sent { at: Timestamp },
    /// It is tried again.
    Deferred(Deferral),
    /// It is given up: it becomes a dead letter with an entry in the audit trail. An administrator can have
    /// it sent after all as long as its content is kept.
    Dead(DeadMail),
}

/// The next attempt at a mail.
#[derive(Debug, Clone)]
pub struct Deferral {
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

/// A mail that is given up.
#[derive(Debug, Clone)]
pub struct DeadMail {
    /// The account that the mail is about.
    pub user: Option<UserId>,
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

impl MailOutcome {
    /// Records it under the lease of the job.
    pub async fn record(&self, store: &Store, fence: Fence, mail: MailId) -> Result<JobOutcome> {
        match self {
            Self::Sent { at } => mark_sent(store, fence, mail, *at).await,
            Self::Deferred(deferral) => defer(store, fence, mail, deferral).await,
            Self::Dead(dead) => mark_dead(store, fence, mail, dead).await,
        }
    }
}

async fn mark_sent(store: &Store, fence: Fence, mail: MailId, at: Timestamp) -> Result<JobOutcome> {
    transact!(store, "mail.mark_sent", async |tx| {
        if fence.finish(tx, at).await? == JobOutcome::Lost {
            return Ok(JobOutcome::Lost);
        }
        mails::mark_sent(tx, mail, at).await?;
        Ok(JobOutcome::Written)
    })
    .await
}

async fn defer(store: &Store, fence: Fence, mail: MailId, deferral: &Deferral) -> Result<JobOutcome> {
    let Deferral { due_after, reason, attempts, deferrals, answer } = deferral;
    transact!(store, "mail.defer", async |tx| {
        if fence.reschedule(tx, *due_after, Some(reason)).await? == JobOutcome::Lost {
            return Ok(JobOutcome::Lost);
        }
        mails::defer(tx, mail, *attempts, *deferrals, answer.as_deref()).await?;
        Ok(JobOutcome::Written)
    })
    .await
}

async fn mark_dead(store: &Store, fence: Fence, mail: MailId, dead: &DeadMail) -> Result<JobOutcome> {
    transact!(store, "mail.mark_dead", async |tx| {
        if fence.finish(tx, dead.at).await? == JobOutcome::Lost {
            return Ok(JobOutcome::Lost);
        }
        let death = Death {
            reason: dead.reason,
            answer: dead.answer.as_deref(),
            attempts: dead.attempts,
            keeps_content: dead.is_useful,
            at: dead.at,
        };
        if !mails::mark_dead(tx, mail, death).await? {
            // The mail was deleted with its account, so there is no failure to report.
            return Ok(JobOutcome::Written);
        }
        // The reply may name the address, so it stays with the mail: the audit trail outlives the account.
        let details = json!({ "reason": dead.reason, "template": dead.template.into_str(), "mail": mail, "smtpCode": dead.code });
        audit::record_failure(tx, audit::Event::MailDeadLettered, details, Attempt::by_system(dead.user, dead.at)).await?;
        Ok(JobOutcome::Written)
    })
    .await
}
