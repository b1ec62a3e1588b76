//! Recording how attempts ended.

use super::DeliveryLease;
use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::delivery::{ATTEMPTS, DeadReason};
use jiff::Timestamp;
use std::time::Duration;
use tokio_postgres::types::ToSql;

/// How an attempt ended.
#[derive(Debug, Clone)]
pub struct AttemptRecord {
    /// The lease of the delivery.
    pub lease: DeliveryLease,
    pub number: i32,
    /// The name of an outcome, see [`domain::shared::delivery::AttemptOutcome`].
    pub result: &'static str,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The beginning of the response's body.
    pub answer: Option<String>,
    /// Whether the delivery was queued again on request.
    pub replayed: bool,
    /// When the attempt began.
    pub started_at: Timestamp,
    /// How long it took, in milliseconds.
    pub took_ms: i32,
    /// After which time the delivery is due again; `None`: it needs no further attempt.
    pub due_again_after: Option<Duration>,
}

/// Records as arrays, one for each column.
struct Columns {
    delivery: Vec<i64>,
    lease_token: Vec<uuid::Uuid>,
    number: Vec<i32>,
    result: Vec<&'static str>,
    status: Vec<Option<i32>>,
    answer: Vec<Option<String>>,
    replayed: Vec<bool>,
    started_at: Vec<Timestamp>,
    took_ms: Vec<i32>,
    due_again_after: Vec<Option<f64>>,
}

/// The rows of [`Columns`].
const RECORDS: &str = "unnest($1::bigint[], $2::uuid[], $3::integer[], $4::text[], $5::integer[], $6::text[], $7::boolean[],
     $8::timestamptz[], $9::integer[], $10::float8[])
     as record (delivery_id, lease_token, number, result, status, answer, replayed, started_at, took_ms, due_again_after)";

/// Records attempts whose delivery has arrived or is due again; one that was cancelled meanwhile and has not
/// arrived stays so. Returns how many; the others were leased by another process meanwhile.
pub async fn record_attempts(connection: &Connection, all: &[AttemptRecord]) -> Result<u64> {
    let columns = Columns::of(&all.iter().collect::<Vec<_>>());
    connection
        .execute(
            &format!(
                "with record as materialized (select * from {RECORDS}),
                 delivered as (
                     delete from delivery_queue line using record
                     where line.delivery_id = record.delivery_id and line.lease_token = record.lease_token
                       and record.due_again_after is null
                     returning line.delivery_id
                 ), rescheduled as (
                     update delivery_queue line
                     set due_at = statement_timestamp() + make_interval(secs => record.due_again_after), failures = line.failures + 1, attempts = record.number,
                         lease_token = null, lease_until = null
                     from record
                     where line.delivery_id = record.delivery_id and line.lease_token = record.lease_token
                       and record.due_again_after is not null
                     returning line.delivery_id
                 )
                 insert into delivery_attempts (delivery_id, number, result, status, answer, replayed, started_at, took_ms)
                 select record.delivery_id, record.number, record.result, record.status, record.answer, record.replayed,
                        record.started_at, record.took_ms
                 from record
                 join (select delivery_id from delivered union all select delivery_id from rescheduled) held
                     on held.delivery_id = record.delivery_id"
            ),
            &columns.params(),
        )
        .await
}

/// Records last attempts, and marks their deliveries dead, each for its reason. Returns the leases of those;
/// the others were leased by another process meanwhile.
pub(super) async fn mark_dead(tx: &Tx<'_>, all: &[(AttemptRecord, DeadReason)], at: Timestamp) -> Result<Vec<DeliveryLease>> {
    let (records, reasons): (Vec<_>, Vec<_>) = all.iter().map(|(record, reason)| (record, reason.into_str())).unzip();
    let columns = Columns::of(&records);
    let mut params = columns.params();
    params.push(/* dead_at */ &at);
    params.push(/* dead_reason */ &reasons);
    let rows = tx
        .rows(
            &format!(
                "with record as materialized (select * from {RECORDS}),
                 dead as (
                     update delivery_queue line
                     set dead_at = $11, dead_reason = death.reason, cancelled = false, failures = line.failures + 1, attempts = record.number,
                         lease_token = null, lease_until = null
                     from record join unnest($1::bigint[], $12::text[]) as death (delivery_id, reason) on death.delivery_id = record.delivery_id
                     where line.delivery_id = record.delivery_id and line.lease_token = record.lease_token
                     returning line.delivery_id
                 )
                 insert into delivery_attempts (delivery_id, number, result, status, answer, replayed, started_at, took_ms)
                 select record.delivery_id, record.number, record.result, record.status, record.answer, record.replayed,
                        record.started_at, record.took_ms
                 from record join dead on dead.delivery_id = record.delivery_id
                 returning delivery_id"
            ),
            &params,
        )
        .await?;
    let dead = rows.iter().map(|row| row::get(row, "delivery_id")).collect::<Result<Vec<i64>>>()?;
    Ok(records.iter().map(|record| record.lease).filter(|lease| dead.contains(&lease.delivery)).collect())
}

/// Defers a delivery whose outcome cannot be written, whatever the reason: the lease ends, a failure is
/// counted, and further attempts are numbered behind those that are there. This never uses up the last
/// attempt, after which the delivery can be marked dead.
pub async fn defer(connection: &Connection, lease: DeliveryLease, wait: Duration) -> Result<u64> {
    connection
        .execute(
            "update delivery_queue line
             set due_at = statement_timestamp() + make_interval(secs => $3), failures = least(line.failures + 1, $4), lease_token = null, lease_until = null,
                 attempts = (select coalesce(max(attempt.number), 0) from delivery_attempts attempt
                             where attempt.delivery_id = line.delivery_id)
             where line.delivery_id = $1 and line.lease_token = $2",
            &[
                /* delivery_id */ &lease.delivery,
                /* lease_token */ &lease.token,
                /* wait */ &wait.as_secs_f64(),
                /* the most failures that leave an attempt */ &i32::try_from(ATTEMPTS - 1).unwrap_or(i32::MAX),
            ],
        )
        .await
}

impl Columns {
    fn of(all: &[&AttemptRecord]) -> Self {
        Self {
            delivery: all.iter().map(|record| record.lease.delivery).collect(),
            lease_token: all.iter().map(|record| record.lease.token).collect(),
            number: all.iter().map(|record| record.number).collect(),
            result: all.iter().map(|record| record.result).collect(),
            status: all.iter().map(|record| record.status.map(i32::from)).collect(),
            answer: all.iter().map(|record| record.answer.clone()).collect(),
            replayed: all.iter().map(|record| record.replayed).collect(),
            started_at: all.iter().map(|record| record.started_at).collect(),
            took_ms: all.iter().map(|record| record.took_ms).collect(),
            due_again_after: all.iter().map(|record| record.due_again_after.map(|after| after.as_secs_f64())).collect(),
        }
    }

    /// In the order of [`RECORDS`].
    fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        vec![
            &self.delivery,
            &self.lease_token,
            &self.number,
            &self.result,
            &self.status,
            &self.answer,
            &self.replayed,
            &self.started_at,
            &self.took_ms,
            &self.due_again_after,
        ]
    }
}
