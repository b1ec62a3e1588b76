//! What administrators see first: figures, and what needs them. That is what was given up, what does not get
//! on, and what keeps the server from doing its work; what is routine is not here.

use crate::identity::{IdentityContext, oidc::KeyRing};
use domain::{identity::oidc::signing_key::is_rotation_stuck, shared::Fault};
use futures_util::try_join;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use storage::{
    identity::{
        mails::{self, Backlog},
        oidc::signing_keys,
        statistics::{self, AccountFigures, DayFigures},
    },
    shared::{
        queues::{self, QueueFigures, QueueName},
        receivers::{self, FailingReceivers},
        sending, sessions,
    },
};

/// How many failing receivers are named.
const NAMED: i64 = 5;
/// A mail that waits for longer than this is late, as for the alert `LecternMailsLate`.
const MAIL_LATE: SignedDuration = SignedDuration::from_mins(10);

/// What the database tells.
#[derive(Debug, Clone)]
pub struct Concerns {
    pub queues: BTreeMap<QueueName, QueueFigures>,
    /// The receivers that fail.
    pub failing: FailingReceivers,
    /// Whether nothing is sent to receivers and no mail leaves, until an operator resumes it.
    pub is_sending_paused: bool,
    /// Whether the signing keys do not rotate.
    pub are_keys_stuck: bool,
    /// When the oldest mail was written, where it is late.
    pub late_mail_since: Option<Timestamp>,
}

/// Reads it, all statements at once.
pub async fn read_concerns(ctx: &IdentityContext, keys: &KeyRing) -> Result<Concerns, Fault> {
    let now = ctx.clock.now();
    let connection = ctx.store.connection("concerns.read").await?;
    let (queues, failing, is_sending_paused) = try_join!(
        queues::count_all(&connection, now),
        receivers::list_failing(&connection, NAMED),
        sending::is_paused(&connection),
    )?;
    drop(connection);
    let connection = keys.store().connection("signing_keys.list").await?;
    let stored = signing_keys::list(&connection).await?;
    let signing: Vec<_> = stored.keys.into_iter().map(|stored| stored.key).collect();
    let oldest_mail = queues.get(&QueueName::Mail).and_then(|mails| mails.oldest_at);
    Ok(Concerns {
        late_mail_since: oldest_mail.filter(|oldest| now.duration_since(*oldest) > MAIL_LATE),
        are_keys_stuck: is_rotation_stuck(&signing, stored.now),
        queues,
        failing,
        is_sending_paused,
    })
}

/// The figures.
#[derive(Debug, Clone, Copy)]
pub struct Statistics {
    pub accounts: AccountFigures,
    /// What happened within a day.
    pub day: DayFigures,
    /// The sessions that are active.
    pub sessions: i64,
    /// The mails that wait.
    pub mails: Backlog,
    /// The clients that are configured.
    pub clients: usize,
    /// When they were read.
    pub at: Timestamp,
}

/// Reads the figures, all at once.
pub async fn read_statistics(ctx: &IdentityContext) -> Result<Statistics, Fault> {
    let at = ctx.clock.now();
    let connection = ctx.store.connection("account.stats").await?;
    let (accounts, day, sessions, mails) = try_join!(
        statistics::accounts(&connection, at),
        statistics::last_day(&connection, at),
        sessions::count_active(&connection, at),
        mails::backlog(&connection),
    )?;
    Ok(Statistics { accounts, day, sessions, mails, clients: ctx.settings.clients.iter().count(), at })
}
