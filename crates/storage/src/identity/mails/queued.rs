//! The mails that are not sent yet, as administrators see them.

use crate::{Connection, Executor, Result, row};
use domain::{
    identity::{
        admin::{MailState, QueuedMailQuery},
        mail::Template,
    },
    shared::{MailId, Page, UserId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// A mail that is not sent.
#[derive(Debug, Clone)]
pub struct QueuedMail {
    pub id: MailId,
    /// Whether it waits, is tried again, or is dead.
    pub state: MailState,
    /// The account that the mail is about, if it is about one.
    pub user: Option<UserId>,
    /// The kind of mail.
    pub template: Template,
    /// The locale that it is written in.
    pub locale: String,
    /// The sealed content; `None` once it was erased.
    pub sealed: Option<Vec<u8>>,
    /// How often it was tried since it was queued, or queued again.
    pub attempts: i32,
    /// Why the last attempt failed, as a code.
    pub error: Option<String>,
    /// What the mail server answered to it.
    pub answer: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it is tried next, if it is not dead.
    pub next_at: Option<Timestamp>,
    /// When it was given up.
    pub dead_at: Option<Timestamp>,
}

/// The condition of a state, in the words of the partial indexes.
fn condition(state: Option<MailState>) -> &'static str {
    match state {
        None => "sent_at is null",
        Some(MailState::Waiting) => "sent_at is null and dead_at is null and attempts = 0",
        Some(MailState::Retrying) => "sent_at is null and dead_at is null and attempts > 0",
        Some(MailState::Dead) => "sent_at is null and dead_at is not null",
    }
}

/// A page of mails, the newest first.
pub async fn list(connection: &Connection, query: &QueuedMailQuery) -> Result<Page<QueuedMail>> {
    let wanted = condition(query.state);
    let total = connection.row(&format!("select count(*) as total from mails where {wanted}"), &[]).await?;
    let sql = format!(
        "select mail.id, mail.user_id, mail.template, mail.locale, mail.sealed, mail.attempts, mail.reason, mail.answer, mail.created_at, mail.dead_at,
                job.last_error, job.due_at
         from (select * from mails where {wanted} order by created_at desc, id desc limit $1 offset $2) mail
         left join lateral (
             select last_error, due_at from jobs
             where queue = 'mail' and key = mail.id::text and finished_at is null and dead_at is null order by id limit 1
         ) job on true
         order by mail.created_at desc, mail.id desc"
    );
    let rows = connection.rows(&sql, &[/* limit */ &query.page.limit(), /* offset */ &query.page.offset()]).await?;
    Ok(Page { items: rows.iter().map(queued).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

fn queued(row: &Row) -> Result<QueuedMail> {
    let (dead_at, attempts): (Option<Timestamp>, i32) = (row::get(row, "dead_at")?, row::get(row, "attempts")?);
    let state = match (dead_at, attempts) {
        (Some(_), _) => MailState::Dead,
        (None, 0) => MailState::Waiting,
        (None, _) => MailState::Retrying,
    };
    let error = row::get(row, if state == MailState::Dead { "reason" } else { "last_error" })?;
    Ok(row::read!(row => QueuedMail {
        id, locale, sealed, answer, created_at;
        state,
        user: row::get(row, "user_id")?,
        template: row::parsed(row, "template", |name| name.parse().ok())?,
        attempts,
        error,
        next_at: if state == MailState::Dead { None } else { row::get(row, "due_at")? },
        dead_at,
    }))
}
