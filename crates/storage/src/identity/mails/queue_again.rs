//! Queueing a dead mail again.

use crate::{
    Executor, Result, Tx,
    queue::{self, MAIL},
    row,
};
use domain::{
    identity::mail::Template,
    shared::{MailId, UserId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// A mail that was given up.
#[derive(Debug, Clone)]
pub struct DeadMail {
    pub id: MailId,
    /// The account that the mail is about.
    pub user: Option<UserId>,
    /// The kind of mail.
    pub template: Template,
    /// The sealed content; `None` once it was erased.
    pub sealed: Option<Vec<u8>>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was given up; `None` for a mail that is not dead.
    pub dead_at: Option<Timestamp>,
}

const COLUMNS: &str = "id, user_id, template, sealed, created_at, dead_at";

/// Locks a mail, dead or not; `None` when there is none.
pub async fn lock(tx: &Tx<'_>, id: MailId) -> Result<Option<DeadMail>> {
    let sql = format!("select {COLUMNS} from mails where id = $1 for update");
    tx.row_opt(&sql, &[/* id */ &id]).await?.as_ref().map(dead_mail).transpose()
}

/// Locks dead mails whose content is kept and that died at a time or before, in order of that: at most
/// `limit`, behind the one that is named.
pub async fn lock_dead(tx: &Tx<'_>, until: Timestamp, behind: Option<(Timestamp, MailId)>, limit: i64) -> Result<Vec<DeadMail>> {
    let (dead_at, id) = behind.unzip();
    let sql = format!(
        "select {COLUMNS} from mails
         where dead_at is not null and sealed is not null and dead_at <= $1 and ($2::timestamptz is null or (dead_at, id) > ($2, $3))
         order by dead_at, id limit $4 for update"
    );
    let rows = tx.rows(&sql, &[/* until */ &until, /* dead_at */ &dead_at, /* id */ &id, /* limit */ &limit]).await?;
    rows.iter().map(dead_mail).collect()
}

/// Queues dead mails again, due at once, with attempts counted anew. The caller has locked them and knows
/// that they are dead and have content.
pub async fn queue_again(tx: &Tx<'_>, ids: &[MailId], at: Timestamp) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    tx.execute(
        "update mails set dead_at = null, reason = null, answer = null, attempts = 0, deferrals = 0 where id = any ($1)",
        &[/* ids */ &ids],
    )
    .await?;
    let keys: Vec<String> = ids.iter().map(ToString::to_string).collect();
    queue::add_all(tx, MAIL, &keys, &vec![at; keys.len()]).await
}

fn dead_mail(row: &Row) -> Result<DeadMail> {
    Ok(row::read!(row => DeadMail {
        id, sealed, created_at, dead_at;
        user: row::get(row, "user_id")?,
        template: row::parsed(row, "template", |name| name.parse().ok())?,
    }))
}
