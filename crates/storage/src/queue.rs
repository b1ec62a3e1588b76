//! The one lease mechanism: work that happens later is a row of `jobs`, added by the transaction that causes
//! it.
//!
//! ```text
//! queue::add(tx, NewJob { .. })            only inside a transaction; NOTIFY rides in it
//! queue::claim(connection, queue, ..)      -> leases: no other process has these jobs until the lease runs out
//! queue::claim_within(connection, ..)      the same, as far as a bound over all processes allows
//! lease.extend / finish / reschedule / release / mark_dead     one statement each, which writes nothing unless the lease still holds
//! queue::redrive(tx, id)                   queues a dead job again
//! queue::draw_back(connection, queue, ..)  after the clock of the database went back
//! ```
//!
//! When a job is due and how long a lease holds is told by the clock of the database, in the statement:
//! processes whose clocks differ, or jump, still agree on which job is due and on which one of them has it.
//! When the clock of the database itself was ahead and goes back, what it wrote lies too far ahead:
//! [`draw_back`]. A test that wants a lease to have run out claims it for no time at all.

mod lease;

pub use lease::{Fence, Job, JobOutcome, Lease};

use crate::{Connection, Error, Executor, Result, Tx, expiry::Expiring, row};
use domain::shared::JobId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    fmt::{self, Debug},
    marker::PhantomData,
    time::Duration,
};
use tokio_postgres::types::Json;

/// The NOTIFY channel: the payload is the queue's name.
pub const CHANNEL: &str = "lectern_jobs";

/// No lease of a job is longer: it is extended while its holder works.
pub const LONGEST_LEASE: Duration = Duration::from_mins(10);

/// A queue, whose jobs have payloads of this type. One kind of actor claims them.
pub struct Queue<P = NoPayload> {
    name: &'static str,
    payload: PhantomData<fn() -> P>,
}

/// What is to be done is said by the key alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoPayload {}

impl<P> Queue<P> {
    /// The queue of this name, which is in the rows.
    pub const fn new(name: &'static str) -> Self {
        Self { name, payload: PhantomData }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl<P> Clone for Queue<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Queue<P> {}

impl<P> fmt::Debug for Queue<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Removal of what has expired.
pub const JANITOR: Queue = Queue::new("janitor");
/// Mails to people.
pub const MAIL: Queue = Queue::new("mail");
/// Deliveries to receivers outside. They have tables of their own, see [`crate::shared::deliveries`]; only
/// the notification is shared.
pub const DELIVERIES: Queue = Queue::new("deliveries");
/// Deliveries that were cancelled while a process may be sending them: no jobs, only a notification.
pub const CANCELLED_DELIVERIES: Queue = Queue::new("cancelled_deliveries");

/// A job to be added.
#[derive(Debug, Clone)]
pub struct NewJob<P = NoPayload> {
    /// The queue it is added to.
    pub queue: Queue<P>,
    /// Unfinished jobs of a key run one at a time, oldest first.
    pub key: String,
    /// What is to be done: numbers and names, never the only copy of anything, never a secret.
    pub payload: P,
    pub at: Timestamp,
}

/// Adds a job, due at once. It exists when the transaction commits, and waiting actors are woken then.
pub async fn add<P: Serialize + Debug + Sync>(tx: &Tx<'_>, job: &NewJob<P>) -> Result<JobId> {
    let added = tx
        .row(
            "with added as (
                 insert into jobs (queue, key, payload, due_at, created_at) values ($1, $2, $3, statement_timestamp(), $4) returning id
             )
             select id, pg_notify('lectern_jobs', $1::text) from added",
            &[
                /* queue */ &job.queue.name,
                /* key */ &job.key,
                /* payload */ &Json(&job.payload),
                /* created_at */ &job.at,
            ],
        )
        .await?;
    row::get(&added, "id")
}

/// Adds a job without a payload for each of these keys, as [`add`] does.
pub async fn add_all(tx: &Tx<'_>, queue: Queue, keys: &[String], at: &[Timestamp]) -> Result<()> {
    tx.execute(
        "insert into jobs (queue, key, due_at, created_at)
         select $1, key, statement_timestamp(), created_at from unnest($2::text[], $3::timestamptz[]) as new (key, created_at)",
        &[/* queue */ &queue.name, /* key */ &keys, /* created_at */ &at],
    )
    .await?;
    notify(tx, queue).await
}

/// Wakes the actors of a queue when the transaction commits.
pub async fn notify<P>(tx: &Tx<'_>, queue: Queue<P>) -> Result<()> {
    tx.execute("select pg_notify($1, $2)", &[/* channel */ &CHANNEL, /* payload */ &queue.name]).await?;
    Ok(())
}

/// Adds a job without a payload for each of these keys that has no unfinished one, as [`add`] does. For work
/// that repeats for ever: each process adds it, and one row stands. Returns how many were added.
pub async fn add_once(tx: &Tx<'_>, queue: Queue, keys: &[&str], at: Timestamp) -> Result<u64> {
    // Two processes that ask at the same time would both find none, so they ask one after the other.
    tx.execute(
        "select pg_advisory_xact_lock(hashtextextended($1 || chr(10) || key, 0)) from unnest($2::text[]) key",
        &[/* queue */ &queue.name, /* key */ &keys],
    )
    .await?;
    let added = tx
        .execute(
            "insert into jobs (queue, key, due_at, created_at)
             select $1, new.key, statement_timestamp(), $3 from unnest($2::text[]) new (key)
             where not exists (select from jobs open where open.queue = $1 and open.key = new.key and finished_at is null and dead_at is null)",
            &[/* queue */ &queue.name, /* key */ &keys, /* created_at */ &at],
        )
        .await?;
    if added > 0 {
        notify(tx, queue).await?;
    }
    Ok(added)
}

/// Leases jobs that are due: at most `limit`, for `lease_for`. Claim only what can be run now.
///
/// Of a key only the oldest unfinished job can be claimed, and none while another job of the key is leased.
/// (For the condition "there is no older one" PostgreSQL may join, and read the whole queue for each claim;
/// for "the oldest one is this" it takes one step in an index.) Rows that another process is claiming at this
/// moment are skipped, and nothing is waited for. A lease that ran out is no obstacle: its job is claimed
/// again, with the attempt counted. Mails are not claimed while sending is paused.
pub async fn claim<P: DeserializeOwned>(
    connection: &Connection,
    queue: Queue<P>,
    limit: i64,
    lease_for: Duration,
) -> Result<Vec<Lease<P>>> {
    claim_some(connection, (queue, None), limit, lease_for).await
}

/// How many jobs may be leased at a time, by all processes together.
#[derive(Debug)]
pub struct Bound<'a, P> {
    /// The queues whose jobs count.
    pub queues: &'a [Queue<P>],
    /// How many of them may be leased at a time.
    pub most: usize,
    /// How many the caller can run.
    pub limit: usize,
}

/// Leases jobs that are due as long as no more are leased than the bound allows: those of one key, if one is
/// named, else of all.
///
/// Two processes that count and then claim at the same time would both find the same free slots, so they do
/// it one after the other.
pub async fn claim_within<P: DeserializeOwned>(
    connection: &mut Connection,
    (queue, key): (Queue<P>, Option<&str>),
    bound: &Bound<'_, P>,
    lease_for: Duration,
) -> Result<Vec<Lease<P>>> {
    let names: Vec<&str> = bound.queues.iter().map(|queue| queue.name).collect();
    let tx = connection.begin();
    tx.execute(
        "select pg_advisory_xact_lock(hashtextextended('bound of ' || array_to_string($1::text[], ' '), 0))",
        &[/* queues */ &names],
    )
    .await?;
    let out = tx
        .row(
            "select count(*) as leased from jobs
             where queue = any($1) and finished_at is null and dead_at is null and lease_until > clock_timestamp()",
            &[/* queue */ &names],
        )
        .await?;
    let out: i64 = row::get(&out, "leased")?;
    let count = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    let room = count(bound.most).saturating_sub(out).clamp(0, count(bound.limit));
    let leases = claim_some(&tx, (queue, key), room, lease_for).await?;
    tx.commit().await?;
    Ok(leases)
}

async fn claim_some<P: DeserializeOwned>(
    on: &impl Executor,
    (queue, key): (Queue<P>, Option<&str>),
    limit: i64,
    lease_for: Duration,
) -> Result<Vec<Lease<P>>> {
    let rows = on
        .rows(
            "with open as materialized (
                 select job.id from jobs job
                 where job.queue = $1 and job.due_at <= statement_timestamp() and job.finished_at is null and job.dead_at is null
                   and coalesce(job.lease_until <= clock_timestamp(), true)
                   and ($4::text is null or job.key = $4)
                   and ($1 <> 'mail' or not exists (select from sending where paused_at is not null))
                   and job.id = (
                       select other.id from jobs other
                       where other.queue = job.queue and other.key = job.key and other.finished_at is null and other.dead_at is null
                       order by other.id limit 1
                   )
                   and (
                       select other.id from jobs other
                       where other.queue = job.queue and other.key = job.key and other.finished_at is null and other.dead_at is null
                         and other.lease_until > clock_timestamp()
                       limit 1
                   ) is null
                 order by job.due_at, job.id
                 limit $2
                 for update of job skip locked
             )
             update jobs job
             set attempt = attempt + 1, lease_token = gen_random_uuid(),
                 lease_until = clock_timestamp() + make_interval(secs => $3)
             from open where job.id = open.id
             returning job.id, job.key, job.payload, job.attempt, job.due_at, job.lease_token",
            &[
                /* queue */ &queue.name,
                /* limit */ &limit,
                /* lease_for */ &lease_for.as_secs_f64(),
                /* key */ &key,
            ],
        )
        .await?;
    let mut leases = rows.iter().map(Lease::of).collect::<Result<Vec<_>>>()?;
    leases.sort_by_key(|lease| (lease.job().due_at, lease.job().id));
    Ok(leases)
}

/// Whether a job of this key is leased.
pub async fn is_leased<P>(tx: &Tx<'_>, queues: &[Queue<P>], key: &str) -> Result<bool> {
    let names: Vec<&str> = queues.iter().map(|queue| queue.name).collect();
    let row = tx
        .row(
            "select exists (select from jobs where queue = any($1) and key = $2 and finished_at is null and dead_at is null
                                               and lease_until > clock_timestamp()) as held",
            &[/* queue */ &names, /* key */ &key],
        )
        .await?;
    row::get(&row, "held")
}

/// Makes the jobs of a queue due that no process is at, and wakes the processes.
pub async fn make_due(tx: &Tx<'_>, queue: Queue) -> Result<()> {
    tx.execute(
        "update jobs set due_at = least(due_at, statement_timestamp())
         where queue = $1 and finished_at is null and dead_at is null and lease_token is null",
        &[/* queue */ &queue.name],
    )
    .await?;
    notify(tx, queue).await
}

/// Puts right what was written before the clock of the database went back: a job that is due further ahead
/// than its queue ever puts one off is due now, and a lease that holds for longer than [`LONGEST_LEASE`] ends
/// after that. Returns how many rows that were. Rows that a process is using just now are left to the next
/// call.
pub async fn draw_back<P>(connection: &Connection, queue: Queue<P>, longest_wait: Duration) -> Result<u64> {
    connection
        .execute(
            "update jobs job
             set due_at = least(job.due_at, statement_timestamp()),
                 lease_until = case when job.lease_until is not null
                                    then least(job.lease_until, clock_timestamp() + make_interval(secs => $3)) end
             where job.id in (
                 select ahead.id from jobs ahead
                 where ahead.queue = $1 and ahead.finished_at is null and ahead.dead_at is null
                   and (ahead.due_at > statement_timestamp() + make_interval(secs => $2)
                        or ahead.lease_until > clock_timestamp() + make_interval(secs => $3))
                 for update skip locked
             )",
            &[
                /* queue */ &queue.name,
                /* longest_wait */ &longest_wait.as_secs_f64(),
                /* longest_lease */ &LONGEST_LEASE.as_secs_f64(),
            ],
        )
        .await
}

/// Queues a dead job again, due at once, with its attempts counted anew. It goes behind the other jobs of its
/// key, because later ones may be under way: it gets a new number, which is returned. `None` when there is no
/// such dead job.
pub async fn redrive(tx: &Tx<'_>, job: JobId) -> Result<Option<JobId>> {
    let redriven = tx
        .row_opt(
            "with redriven as (
                 update jobs set id = default, dead_at = null, attempt = 0, due_at = statement_timestamp()
                 where id = $1 and dead_at is not null
                 returning id, queue
             )
             select id, pg_notify('lectern_jobs', queue) from redriven",
            &[/* id */ &job],
        )
        .await?;
    redriven.map(|redriven| row::get(&redriven, "id")).transpose()
}

/// Removes jobs that were finished up to a time, at most `limit`. Dead jobs stay until a person has looked at
/// them.
pub async fn remove_finished(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "jobs", key: "id", at: "finished_at" }.delete_batch(connection, until, limit).await
}

/// One row or none; more is a defect.
fn outcome(statement: &'static str, touched: u64) -> Result<JobOutcome> {
    match touched {
        1 => Ok(JobOutcome::Written),
        0 => Ok(JobOutcome::Lost),
        touched => Err(Error::RowCount { statement, touched }),
    }
}
