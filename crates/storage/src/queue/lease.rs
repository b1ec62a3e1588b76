//! A lease: a job that this process has for a while.

use super::{NoPayload, outcome};
use crate::{Executor, Result, row};
use domain::shared::JobId;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio_postgres::Row;
use uuid::Uuid;

/// A job as it was claimed.
#[derive(Debug, Clone, PartialEq)]
pub struct Job<P> {
    pub id: JobId,
    /// Unfinished jobs of a key run one at a time.
    pub key: String,
    /// What is to be done; `None` when this version cannot read it.
    pub payload: Option<P>,
    /// The number of this attempt, from 1. An attempt that ended with its process counts too.
    pub attempt: i32,
    /// Since when it is due.
    pub due_at: Timestamp,
}

/// The right to do a job and to record how it ended. It can be used once and is never copied. When it is
/// dropped, the job is claimed again after the lease has run out.
#[derive(Debug)]
#[must_use = "a dropped lease blocks its job until it runs out"]
pub struct Lease<P = NoPayload> {
    job: Job<P>,
    token: Uuid,
}

/// The token of a lease, for a transaction elsewhere that must commit only while the lease holds (a fencing
/// token). Cheap to clone.
#[derive(Debug, Clone, Copy)]
pub struct Fence {
    job: JobId,
    token: Uuid,
}

impl Fence {
    /// Extends the lease to `lease_for` from now on.
    pub async fn extend(&self, executor: &impl Executor, lease_for: Duration) -> Result<JobOutcome> {
        let touched = executor
            .execute(
                "update jobs set lease_until = clock_timestamp() + make_interval(secs => $3) where id = $1 and lease_token = $2",
                &[/* id */ &self.job, /* lease_token */ &self.token, /* lease_for */ &lease_for.as_secs_f64()],
            )
            .await?;
        outcome("job.extend", touched)
    }

    /// The job is done. For a transaction that may have to be run again; other code uses [`Lease::finish`],
    /// which can be called once.
    pub async fn finish(&self, executor: &impl Executor, at: Timestamp) -> Result<JobOutcome> {
        let touched = executor
            .execute(
                "update jobs set finished_at = $3, lease_token = null, lease_until = null where id = $1 and lease_token = $2",
                &[/* id */ &self.job, /* lease_token */ &self.token, /* finished_at */ &at],
            )
            .await?;
        outcome("job.finish", touched)
    }

    /// The job is due again after a time. For a transaction that may have to be run again; other code uses
    /// [`Lease::reschedule`].
    pub async fn reschedule(&self, executor: &impl Executor, after: Duration, error: Option<&str>) -> Result<JobOutcome> {
        let touched = executor
            .execute(
                "update jobs set due_at = statement_timestamp() + make_interval(secs => $3), last_error = $4, lease_token = null, lease_until = null
                 where id = $1 and lease_token = $2",
                &[
                    /* id */ &self.job,
                    /* lease_token */ &self.token,
                    /* after */ &after.as_secs_f64(),
                    /* last_error */ &error,
                ],
            )
            .await?;
        outcome("job.reschedule", touched)
    }
}

/// Whether the lease still held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a lost lease means that another process has the job"]
pub enum JobOutcome {
    /// It held, and the row is written.
    Written,
    /// It ran out, and another process has claimed the job or finished it. Nothing was written.
    Lost,
}

impl<P: DeserializeOwned> Lease<P> {
    /// The job.
    pub fn job(&self) -> &Job<P> {
        &self.job
    }

    /// Extends the lease to `lease_for` from now on.
    pub async fn extend(&self, executor: &impl Executor, lease_for: Duration) -> Result<JobOutcome> {
        self.fence().extend(executor, lease_for).await
    }

    /// The token of the lease.
    pub fn fence(&self) -> Fence {
        Fence { job: self.job.id, token: self.token }
    }

    /// The job is done.
    pub async fn finish(self, executor: &impl Executor, at: Timestamp) -> Result<JobOutcome> {
        self.fence().finish(executor, at).await
    }

    /// The job is due again after a time: it failed, for a reason that is kept as a code, or it repeats.
    pub async fn reschedule(self, executor: &impl Executor, after: Duration, error: Option<&str>) -> Result<JobOutcome> {
        self.fence().reschedule(executor, after, error).await
    }

    /// The job is due again at once, and this attempt does not count: the process cannot get on just now, and
    /// that is not the job's fault.
    pub async fn release(self, executor: &impl Executor) -> Result<JobOutcome> {
        let touched = executor
            .execute(
                "update jobs set due_at = statement_timestamp(), attempt = attempt - 1, lease_token = null, lease_until = null
                 where id = $1 and lease_token = $2",
                &[/* id */ &self.job.id, /* lease_token */ &self.token],
            )
            .await?;
        outcome("job.release", touched)
    }

    /// The job is dead, for a reason that is kept as a code. It is never claimed again, unless it is
    /// redriven.
    pub async fn mark_dead(self, executor: &impl Executor, at: Timestamp, error: &str) -> Result<JobOutcome> {
        let touched = executor
            .execute(
                "update jobs set dead_at = $3, last_error = $4, lease_token = null, lease_until = null
                 where id = $1 and lease_token = $2",
                &[
                    /* id */ &self.job.id,
                    /* lease_token */ &self.token,
                    /* dead_at */ &at,
                    /* last_error */ &error,
                ],
            )
            .await?;
        outcome("job.mark_dead", touched)
    }

    pub(super) fn of(claimed: &Row) -> Result<Self> {
        let job = row::read!(claimed => Job {
            id, key, attempt, due_at;
            payload: serde_json::from_value(row::get(claimed, "payload")?).ok(),
        });
        Ok(Self { job, token: row::get(claimed, "lease_token")? })
    }
}
