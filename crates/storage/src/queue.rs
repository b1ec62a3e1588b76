//! The one lease mechanism: work that happens later is a row of `jobs`, added by the transaction that causes it.
//!
//! ```text
//! queue::add(tx, NewJob { .. })            only inside a transaction; NOTIFY rides in it
//! queue::claim(session, queue, ..)         -> leases: nobody else has these jobs until the lease runs out
//! queue::claim_within(session, ..)         the same, as far as a bound over all processes leaves room
//! lease.extend / finish / again / bury / give_back     one statement each, and only the holder's writes anything
//! queue::redrive(tx, id, at)               a buried job back into its line
//! ```
//!
//! Two clocks, each for what it is about. When a job is due is our own time, passed in: it follows what users scheduled, and tests
//! move it. How long a lease holds is the database's time: processes whose clocks differ, or jump, still agree on who has a job. A test
//! that wants a lease to have run out claims it for no time at all.

mod lease;

pub use lease::{Fence, Job, Lease, Outcome};

use crate::{Connection, Error, Executor, Result, Tx, row};
use domain::shared::JobId;
use jiff::Timestamp;
use serde_json::Value;
use std::time::Duration;

/// The NOTIFY channel: the payload is the queue's name.
pub const CHANNEL: &str = "lectern_jobs";

/// Which kind of work. One kind of actor claims one queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Queue(pub &'static str);

/// Sweeps of what has expired.
pub const JANITOR: Queue = Queue("janitor");
/// Imports from the hosted service: any process can do them.
pub const IMPORT: Queue = Queue("import");
/// Mails to people.
pub const MAIL: Queue = Queue("mail");
/// Imports from a folder: only a process on the machine that has it.
pub const IMPORT_LOCAL: Queue = Queue("import.local");

/// A job to be added.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Who does it.
    pub queue: Queue,
    /// Unfinished jobs of a key run one at a time, oldest first.
    pub key: String,
    /// What is to be done: numbers and names, never the only copy of anything, never a secret.
    pub payload: Value,
    /// From when on.
    pub due_at: Timestamp,
    /// The time now.
    pub at: Timestamp,
}

/// Adds a job. It exists when the transaction commits, and waiting actors are told then.
pub async fn add(tx: &Tx<'_>, job: &NewJob) -> Result<JobId> {
    let added = tx
        .row(
            "with added as (
                 insert into jobs (queue, key, payload, due_at, created_at) values ($1, $2, $3, $4, $5) returning id
             )
             select id, pg_notify('lectern_jobs', $1::text) from added",
            &[
                /* queue */ &job.queue.0,
                /* key */ &job.key,
                /* payload */ &job.payload,
                /* due_at */ &job.due_at,
                /* created_at */ &job.at,
            ],
        )
        .await?;
    Ok(JobId(row::get(&added, "id")?))
}

/// Tells the actors of a queue to look, when the transaction commits, whether there is something or not.
pub async fn nudge(tx: &Tx<'_>, queue: Queue) -> Result<()> {
    tx.execute("select pg_notify($1, $2)", &[/* channel */ &CHANNEL, /* payload */ &queue.0]).await?;
    Ok(())
}

/// Adds a job unless its key has an unfinished one. For work that repeats for ever: each process plants it, one row stands.
pub async fn add_once(tx: &Tx<'_>, job: &NewJob) -> Result<Option<JobId>> {
    // Two processes that look at the same time would both see none, so they look one after the other.
    tx.execute(
        "select pg_advisory_xact_lock(hashtextextended($1 || chr(10) || $2, 0))",
        &[/* queue */ &job.queue.0, /* key */ &job.key],
    )
    .await?;
    let open = tx
        .row_opt(
            "select id from jobs where queue = $1 and key = $2 and finished_at is null and buried_at is null limit 1",
            &[/* queue */ &job.queue.0, /* key */ &job.key],
        )
        .await?;
    if open.is_some() {
        return Ok(None);
    }
    add(tx, job).await.map(Some)
}

/// Leases jobs that are due: at most so many, for so long. Claim only what can be run now.
///
/// Of a key only the oldest unfinished job can be had, and none while another one of it is out. (Asked as «there is no other one», PostgreSQL
/// may join, and read the whole queue for each claim; asked for the oldest one, it takes a step in an index.) Whoever comes second skips what the first
/// is just taking, and waits for nothing. A lease that ran out is no obstacle: its job is claimed again, with the attempt counted.
pub async fn claim(connection: &Connection, queue: Queue, limit: i64, lease_for: Duration, now: Timestamp) -> Result<Vec<Lease>> {
    claim_some(connection, (queue, None), limit, lease_for, now).await
}

/// How many jobs may be out at a time, on all processes together.
#[derive(Debug, Clone, Copy)]
pub struct Bound<'a> {
    /// The queues whose jobs count.
    pub queues: &'a [Queue],
    /// So many of them at most.
    pub most: usize,
    /// How many the caller can run.
    pub limit: usize,
}

/// Leases jobs that are due as long as no more are out than the bound allows: those of one key, if one is named, else of all.
///
/// Whoever counts and then claims would find the same room as somebody else who counts at that moment: they do it one after the other.
pub async fn claim_within(
    connection: &mut Connection,
    (queue, key): (Queue, Option<&str>),
    bound: Bound<'_>,
    lease_for: Duration,
    now: Timestamp,
) -> Result<Vec<Lease>> {
    let names: Vec<&str> = bound.queues.iter().map(|queue| queue.0).collect();
    let tx = connection.begin();
    tx.execute(
        "select pg_advisory_xact_lock(hashtextextended('bound of ' || array_to_string($1::text[], ' '), 0))",
        &[/* queues */ &names],
    )
    .await?;
    let out = tx
        .row(
            "select count(*) as leased from jobs
             where queue = any($1) and finished_at is null and buried_at is null and lease_until > clock_timestamp()",
            &[/* queue */ &names],
        )
        .await?;
    let out: i64 = row::get(&out, "leased")?;
    let count = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    let room = count(bound.most).saturating_sub(out).clamp(0, count(bound.limit));
    let leases = claim_some(&tx, (queue, key), room, lease_for, now).await?;
    tx.commit().await?;
    Ok(leases)
}

async fn claim_some(
    on: &impl Executor,
    (queue, key): (Queue, Option<&str>),
    limit: i64,
    lease_for: Duration,
    now: Timestamp,
) -> Result<Vec<Lease>> {
    let rows = on
        .rows(
            "with open as materialized (
                 select job.id from jobs job
                 where job.queue = $1 and job.due_at <= $2 and job.finished_at is null and job.buried_at is null
                   and coalesce(job.lease_until <= clock_timestamp(), true)
                   and ($5::text is null or job.key = $5)
                   and job.id = (
                       select other.id from jobs other
                       where other.queue = job.queue and other.key = job.key and other.finished_at is null and other.buried_at is null
                       order by other.id limit 1
                   )
                   and (
                       select other.id from jobs other
                       where other.queue = job.queue and other.key = job.key and other.finished_at is null and other.buried_at is null
                         and other.lease_until > clock_timestamp()
                       limit 1
                   ) is null
                 order by job.due_at, job.id
                 limit $3
                 for update of job skip locked
             )
             update jobs job
             set attempt = attempt + 1, lease_token = gen_random_uuid(),
                 lease_until = clock_timestamp() + make_interval(secs => $4)
             from open where job.id = open.id
             returning job.id, job.key, job.payload, job.attempt, job.due_at, job.lease_token",
            &[
                /* queue */ &queue.0,
                /* now */ &now,
                /* limit */ &limit,
                /* lease_for */ &lease_for.as_secs_f64(),
                /* key */ &key,
            ],
        )
        .await?;
    let mut leases = rows.iter().map(|row| Lease::of(queue, row)).collect::<Result<Vec<_>>>()?;
    leases.sort_by_key(|lease| (lease.job().due_at, lease.job().id));
    Ok(leases)
}

/// Whether somebody is at a job of this key.
pub async fn is_held(tx: &Tx<'_>, queues: &[Queue], key: &str) -> Result<bool> {
    let names: Vec<&str> = queues.iter().map(|queue| queue.0).collect();
    let row = tx
        .row(
            "select exists (select from jobs where queue = any($1) and key = $2 and finished_at is null and buried_at is null
                                               and lease_until > clock_timestamp()) as held",
            &[/* queue */ &names, /* key */ &key],
        )
        .await?;
    row::get(&row, "held")
}

/// Puts a buried job back, to be due at a time, with its attempts counted anew. It goes to the end of its key's line, under the new
/// number that is answered: those that came after it may be under way. `None` when there is no such buried job.
pub async fn redrive(tx: &Tx<'_>, job: JobId, at: Timestamp) -> Result<Option<JobId>> {
    let redriven = tx
        .row_opt(
            "with redriven as (
                 update jobs set id = default, buried_at = null, attempt = 0, due_at = $2
                 where id = $1 and buried_at is not null
                 returning id, queue
             )
             select id, pg_notify('lectern_jobs', queue) from redriven",
            &[/* id */ &job.0, /* due_at */ &at],
        )
        .await?;
    redriven.map(|redriven| row::get(&redriven, "id").map(JobId)).transpose()
}

/// Removes jobs that were finished before a time, at most so many. Buried ones stay: they are evidence.
pub async fn remove_finished(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from jobs where id in (
                 select id from jobs where finished_at <= $1 order by finished_at limit $2 for update skip locked
             )",
            &[/* before */ &before, /* limit */ &limit],
        )
        .await
}

/// One row or none; more is a defect.
fn outcome(statement: &'static str, touched: u64) -> Result<Outcome> {
    match touched {
        1 => Ok(Outcome::Written),
        0 => Ok(Outcome::Lost),
        touched => Err(Error::RowCount { statement, touched }),
    }
}
