//! The mails that are not sent yet, sending dead ones again, and test mails: how many there may be, and what
//! the audit trail says.
//!
//! A mail is queued again only as long as it is of use: a link or a code that does not work any more is not
//! mailed.

use super::ActingAdministrator;
use crate::identity::{IdentityContext, MailQueue};
use domain::{
    identity::{admin::QueuedMailQuery, mail::Template, mail_retry},
    shared::{Code, Fault, MailId, Page, UserId},
};
use serde_json::{Value, json};
use std::collections::HashSet;
use storage::{
    identity::{
        audit,
        mails::{self, DeadMail},
        one_time::{self, Hash},
    },
    transact,
};

/// How many mails a transaction queues again.
const BATCH: i64 = 500;

/// A mail that is not sent.
pub struct QueuedMail {
    pub mail: mails::QueuedMail,
    /// The address that it goes to, masked; `None` once its content was erased.
    pub recipient: Option<String>,
    /// Whether it is dead and may be sent again, as far as its age tells. Its link may have been used
    /// meanwhile.
    pub is_retryable: bool,
}

/// A page of the mails that are not sent, the newest first.
pub async fn list_mails(ctx: &IdentityContext, query: &QueuedMailQuery) -> Result<Page<QueuedMail>, Fault> {
    let connection = ctx.store.connection("mail.list_queued").await?;
    let Page { items, total } = mails::list(&connection, query).await?;
    let now = ctx.clock.now();
    let seen = |mail: mails::QueuedMail| {
        let opened = mail.sealed.as_ref().and_then(|sealed| ctx.mail_queue.open(mail.id, sealed));
        let is_retryable = mail.dead_at.is_some() && opened.is_some() && mail_retry::is_useful(mail.template, mail.created_at, now);
        QueuedMail { recipient: opened.map(|opened| opened.to.masked()), is_retryable, mail }
    };
    Ok(Page { items: items.into_iter().map(seen).collect(), total })
}

/// Queues a dead mail again, with attempts counted anew. 404; 409 `smtp_not_configured`, `mailNotDead`,
/// `mailExpired` when its link or code does not work any more, `mailErased` when its content is not kept any
/// more.
pub async fn retry_mail(by: ActingAdministrator<'_>, id: MailId) -> Result<(), Fault> {
    check_mail_is_on(&by.ctx.mail_queue)?;
    transact!(by.ctx, "mail.retry", async |tx| {
        let at = by.at();
        by.check(tx).await?;
        let mail = mails::lock(tx, id).await?.ok_or_else(Fault::not_found)?;
        if mail.dead_at.is_none() {
            return Err(Fault::of(Code::MailNotDead).into());
        }
        if !mail_retry::is_useful(mail.template, mail.created_at, at) {
            return Err(expired().into());
        }
        let Some(link) = by.ctx.mail_queue.link_of(&mail) else {
            return Err(Fault::of(Code::MailErased).into());
        };
        if let Some(hash) = link.0
            && one_time::usable_links(tx, &[hash], at).await?.is_empty()
        {
            return Err(expired().into());
        }
        mails::queue_again(tx, &[mail.id], at).await?;
        let attempt = by.attempt(mail.user);
        let details = json!({ "mail": mail.id, "template": mail.template.into_str() });
        audit::record_with(tx, audit::Event::AdminEmailRetried, &details, attempt).await
    })
    .await
}

/// What came of queueing all dead mails again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retried {
    /// How many are queued again.
    pub retried: u64,
    /// How many are still dead, because they are of no use any more.
    pub left: u64,
}

/// Queues all dead mails again that are still of use. Each batch is a transaction of its own: a call that is
/// cut off can be made again. 409 `smtp_not_configured`.
pub async fn retry_all_mails(by: ActingAdministrator<'_>) -> Result<Retried, Fault> {
    check_mail_is_on(&by.ctx.mail_queue)?;
    let (mut behind, mut total) = (None, Retried::default());
    loop {
        let (batch, last) = transact!(by.ctx, "mail.retry_all", async |tx| {
            let at = by.at();
            by.check(tx).await?;
            let dead = mails::lock_dead(tx, at, behind, BATCH).await?;
            let useful = dead.iter().filter(|mail| mail_retry::is_useful(mail.template, mail.created_at, at));
            let useful: Vec<(&DeadMail, Link)> = useful.filter_map(|mail| Some((mail, by.ctx.mail_queue.link_of(mail)?))).collect();
            let hashes: Vec<Hash> = useful.iter().filter_map(|(_, link)| link.0).collect();
            let usable: HashSet<Hash> = one_time::usable_links(tx, &hashes, at).await?.into_iter().collect();
            let works = |link: &Link| link.0.is_none_or(|hash| usable.contains(&hash));
            let again: Vec<MailId> = useful.iter().filter(|(_, link)| works(link)).map(|(mail, _)| mail.id).collect();
            mails::queue_again(tx, &again, at).await?;
            let retried = Retried { retried: again.len() as u64, left: (dead.len() - again.len()) as u64 };
            if retried.retried > 0 {
                let attempt = by.attempt(None);
                audit::record_with(tx, audit::Event::AdminEmailRetried, &json!({ "retried": retried.retried }), attempt).await?;
            }
            let last = dead.last().and_then(|mail| Some((mail.dead_at?, mail.id)));
            Ok((retried, last))
        })
        .await?;
        total = Retried { retried: total.retried + batch.retried, left: total.left + batch.left };
        match last {
            Some(last) => behind = Some(last),
            None => return Ok(total),
        }
    }
}

fn check_mail_is_on(queue: &MailQueue) -> Result<(), Fault> {
    let off = || Fault::of(Code::SmtpNotConfigured);
    if queue.is_on() { Ok(()) } else { Err(off()) }
}

fn expired() -> Fault {
    Fault::of(Code::MailExpired)
}

/// The hash of the secret of the link in a mail, if there is one.
struct Link(Option<Hash>);

impl MailQueue {
    /// The link of a mail; `None` when its content cannot be read any more.
    fn link_of(&self, mail: &DeadMail) -> Option<Link> {
        let opened = self.open(mail.id, mail.sealed.as_ref()?)?;
        Some(Link(opened.content.link_token().and_then(crypto::opaque_token::hash)))
    }
}

/// The audit event.
const SENT: audit::Event = audit::Event::AdminEmailTestSent;

/// Counts a test; 429 after ten of an administrator in ten minutes, at whichever process.
pub async fn acquire(ctx: &IdentityContext, admin: UserId) -> Result<(), Fault> {
    ctx.limits.email_test.acquire(&ctx.store, &admin.to_string()).await
}

/// Records a test, with the code of the error if the mail server refused it. The address is not part of the
/// entry: it may be a stranger's. The mail is on its way, so that the entry is written also when the right
/// was removed meanwhile.
pub async fn record(by: ActingAdministrator<'_>, template: Template, refusal: Option<&'static str>) -> Result<(), Fault> {
    transact!(by.ctx, "email.record_test", async |tx| {
        let attempt = by.attempt(None);
        let details = |reason: Option<&str>| -> Value { json!({ "template": template.into_str(), "reason": reason }) };
        match refusal {
            None => audit::record_with(tx, SENT, &details(None), attempt).await,
            Some(reason) => audit::record_failure(tx, SENT, details(Some(reason)), attempt).await,
        }
    })
    .await
}
