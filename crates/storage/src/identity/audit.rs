//! The audit trail of the identity service: the table `account_audit`.

mod anonymize;
pub(super) mod days;
mod search;

pub use anonymize::{AnonymizedBatch, anonymize_batch};
pub use days::count_next as count_next_day;
pub use domain::identity::AuditEvent as Event;
pub use search::{FullEntry, search};

use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::{RequestOrigin, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::net::IpAddr;
use tokio_postgres::Row;
use uuid::Uuid;

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditOutcome {
    Success,
    /// It was refused for this reason, a code that readers of the audit trail may see.
    Failure(&'static str),
}

/// Who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor<'a> {
    /// The person whose account it is; not known if the account does not exist.
    User(Option<UserId>),
    Admin(UserId),
    /// A client of the OpenID provider, by its id.
    Client(&'a str),
    /// A provisioning token, by its id.
    Provisioning(&'a str),
    /// The server itself, or its command line.
    System,
}

impl Actor<'_> {
    /// The type as the table has it.
    fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::Admin(_) => "admin",
            Self::Client(_) => "client",
            Self::Provisioning(_) => "provisioning",
            Self::System => "system",
        }
    }

    /// The id as the table has it.
    fn id(self) -> Option<String> {
        match self {
            Self::User(user) => user.map(|user| user.to_string()),
            Self::Admin(user) => Some(user.to_string()),
            Self::Client(id) | Self::Provisioning(id) => Some(id.to_owned()),
            Self::System => None,
        }
    }
}

/// An attempt at something: the account, who did it to what, the caller and the time.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// The account, if the attempt is about an existing one.
    pub user: Option<UserId>,
    pub actor: Actor<'a>,
    /// What it was done to, if that is no account: a key, a space.
    pub target: Option<&'a str>,
    /// The client at which it was done.
    pub client: Option<&'a str>,
    /// The address and the id of the request.
    pub origin: RequestOrigin,
    /// The `User-Agent`, cut to a bounded length.
    pub user_agent: Option<&'a str>,
    pub at: Timestamp,
}

impl<'a> Attempt<'a> {
    /// Something that no request caused.
    pub fn by_system(user: Option<UserId>, at: Timestamp) -> Self {
        Self { user, actor: Actor::System, target: None, client: None, origin: RequestOrigin::default(), user_agent: None, at }
    }

    /// The same, done by a person other than the owner of the account.
    #[must_use]
    pub fn by(self, actor: Actor<'a>) -> Self {
        Self { actor, ..self }
    }

    /// The same, done to something that is no account.
    #[must_use]
    pub fn target(self, target: &'a str) -> Self {
        Self { target: Some(target), ..self }
    }

    /// The same, done at a client.
    #[must_use]
    pub fn client(self, client: &'a str) -> Self {
        Self { client: Some(client), ..self }
    }

    /// What it was done to, as the table has it: the account, unless its owner did it.
    fn target_id(&self) -> Option<String> {
        match (self.target, self.actor) {
            (Some(target), _) => Some(target.to_owned()),
            (None, Actor::User(_)) => None,
            (None, _) => self.user.map(|user| user.to_string()),
        }
    }
}

/// What every attempt of one request records: the caller and the time.
#[derive(Debug, Clone)]
pub struct AuditSource {
    /// The address and the id of the request.
    pub origin: RequestOrigin,
    /// The `User-Agent`, cut to a bounded length.
    pub user_agent: Option<String>,
    pub at: Timestamp,
}

impl AuditSource {
    /// An attempt of the owner of an account, or of a person who claims to be that, if it is about an
    /// existing one.
    pub fn attempt(&self, user: Option<UserId>) -> Attempt<'_> {
        let (origin, user_agent) = (self.origin, self.user_agent.as_deref());
        Attempt { user, actor: Actor::User(user), target: None, client: None, origin, user_agent, at: self.at }
    }
}

/// An entry, as the owner of the account sees it: of what other persons did to the account only what and
/// when.
#[derive(Debug, Clone)]
pub struct TrailEntry {
    /// The id; it grows with time.
    pub id: i64,
    pub event: String,
    /// `success` or `failure`.
    pub status: String,
    /// The address of the caller.
    pub ip: Option<IpAddr>,
    /// The `User-Agent`.
    pub user_agent: Option<String>,
    /// The id of the request that caused it. Entries of one request tell of one thing that happened.
    pub request_id: Option<Uuid>,
    /// Whether the person did it, and not another person to the account.
    pub is_own: bool,
    pub created_at: Timestamp,
}

impl TrailEntry {
    fn read(row: &Row) -> Result<Self> {
        Ok(row::read!(row => Self { id, event, status, ip, user_agent, request_id, is_own, created_at }))
    }
}

/// The events that a person sees as the activity of the account: sign-ins, also failed ones, changes of the
/// password, exports, and why a sign-in was suspicious. The index `account_audit_activity` holds the same
/// list.
const ACTIVITY: &str =
    "('auth.login.success', 'auth.login.failure', 'auth.login.new_device', 'auth.login.suspicious', 'auth.password.changed',
                         'auth.password.set', 'auth.password.removed', 'auth.password.reset', 'account.exported', 'webauthn.counter_regression')";

/// The activity of a person, the newest first, at most `limit`.
pub async fn activity(connection: &Connection, user: UserId, limit: i64) -> Result<Vec<TrailEntry>> {
    let sql = format!(
        "select id, event, status, ip, user_agent, request_id, true as is_own, created_at from account_audit
         where actor_id = $1 and event in {ACTIVITY} order by id desc limit $2"
    );
    let rows = connection.rows(&sql, &[/* actor_id */ &user.to_string(), /* limit */ &limit]).await?;
    rows.iter().map(TrailEntry::read).collect()
}

/// The accounts at which signing in failed since a time, the latest first, at most `limit`.
pub async fn failed_since(executor: &impl Executor, since: Timestamp, limit: i64) -> Result<Vec<UserId>> {
    let rows = executor
        .rows(
            "select user_id from (
                 select user_id, id from account_audit
                 where event = 'auth.login.failure' and status = 'failure' and created_at > $1 and user_id is not null
                 order by created_at desc, id desc limit 10000
             ) failed group by user_id order by max(id) desc limit $2",
            &[/* since */ &since, /* limit */ &limit],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "user_id")).collect()
}

/// What a person did, and what others did to the account, the newest first, at most `limit`; with `before`,
/// only entries with a lower id.
pub async fn list(connection: &Connection, user: UserId, before: Option<i64>, limit: i64) -> Result<Vec<TrailEntry>> {
    let rows = connection
        .rows(
            "(select id, event, status, ip, user_agent, request_id, true as is_own, created_at from account_audit
              where actor_id = $1 and id < $3 order by id desc limit $4)
             union all
             (select id, event, status, null, null, request_id, false, created_at from account_audit
              where user_id = $2 and id < $3 and actor_id is distinct from $1 order by id desc limit $4)
             order by id desc limit $4",
            &[
                /* actor_id */ &user.to_string(),
                /* user_id */ &user,
                /* before */ &before.unwrap_or(i64::MAX),
                /* limit */ &limit,
            ],
        )
        .await?;
    rows.iter().map(TrailEntry::read).collect()
}

/// Records an event.
pub async fn record(tx: &Tx<'_>, event: Event, outcome: AuditOutcome, attempt: Attempt<'_>) -> Result<()> {
    match outcome {
        AuditOutcome::Success => insert(tx, event, "success", &json!({}), attempt).await,
        AuditOutcome::Failure(reason) => insert(tx, event, "failure", &json!({ "reason": reason }), attempt).await,
    }
}

/// Records a successful event with details.
pub async fn record_with(tx: &Tx<'_>, event: Event, details: &Value, attempt: Attempt<'_>) -> Result<()> {
    insert(tx, event, "success", details, attempt).await
}

/// Records a failure with details, of an event that no request caused directly.
pub async fn record_failure(tx: &Tx<'_>, event: Event, details: Value, attempt: Attempt<'_>) -> Result<()> {
    insert(tx, event, "failure", &details, attempt).await
}

/// One of several entries.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    pub event: Event,
    pub outcome: AuditOutcome,
    /// More about it: an object. The reason of a failure is added to it.
    pub details: Value,
    pub attempt: Attempt<'a>,
}

/// Records several events in one statement.
pub async fn record_all(tx: &Tx<'_>, all: &[Record<'_>]) -> Result<()> {
    let users: Vec<_> = all.iter().map(|entry| entry.attempt.user).collect();
    let actor_types: Vec<&str> = all.iter().map(|entry| entry.attempt.actor.kind()).collect();
    let actor_ids: Vec<Option<String>> = all.iter().map(|entry| entry.attempt.actor.id()).collect();
    let targets: Vec<Option<String>> = all.iter().map(|entry| entry.attempt.target_id()).collect();
    let clients: Vec<Option<&str>> = all.iter().map(|entry| entry.attempt.client).collect();
    let events: Vec<&str> = all.iter().map(|entry| entry.event.name()).collect();
    let ips: Vec<Option<IpAddr>> = all.iter().map(|entry| entry.attempt.origin.ip).collect();
    let user_agents: Vec<Option<&str>> = all.iter().map(|entry| entry.attempt.user_agent).collect();
    let request_ids: Vec<Option<Uuid>> = all.iter().map(|entry| entry.attempt.origin.request_id).collect();
    let created_at: Vec<Timestamp> = all.iter().map(|entry| entry.attempt.at).collect();
    let (statuses, details): (Vec<&str>, Vec<Value>) = all
        .iter()
        .map(|entry| {
            let mut details = entry.details.clone();
            match entry.outcome {
                AuditOutcome::Success => ("success", details),
                AuditOutcome::Failure(reason) => {
                    if let Some(members) = details.as_object_mut() {
                        members.insert("reason".to_owned(), reason.into());
                    }
                    ("failure", details)
                }
            }
        })
        .unzip();
    tx.execute(
        "insert into account_audit
             (user_id, actor_type, actor_id, target_id, client_id, event, status, ip, user_agent, request_id, details, created_at)
         select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::inet[], $9::text[], $10::uuid[],
                              $11::jsonb[], $12::timestamptz[])",
        &[
            /* user_id */ &users,
            /* actor_type */ &actor_types,
            /* actor_id */ &actor_ids,
            /* target_id */ &targets,
            /* client_id */ &clients,
            /* event */ &events,
            /* status */ &statuses,
            /* ip */ &ips,
            /* user_agent */ &user_agents,
            /* request_id */ &request_ids,
            /* details */ &details,
            /* created_at */ &created_at,
        ],
    )
    .await?;
    Ok(())
}

async fn insert(tx: &Tx<'_>, event: Event, status: &str, details: &Value, attempt: Attempt<'_>) -> Result<()> {
    tx.execute_one(
        "account_audit.insert",
        "insert into account_audit
             (user_id, actor_type, actor_id, target_id, client_id, event, status, ip, user_agent, request_id, details, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        &[
            /* user_id */ &attempt.user,
            /* actor_type */ &attempt.actor.kind(),
            /* actor_id */ &attempt.actor.id(),
            /* target_id */ &attempt.target_id(),
            /* client_id */ &attempt.client,
            /* event */ &event.name(),
            /* status */ &status,
            /* ip */ &attempt.origin.ip,
            /* user_agent */ &attempt.user_agent,
            /* request_id */ &attempt.origin.request_id,
            /* details */ details,
            /* created_at */ &attempt.at,
        ],
    )
    .await
}
