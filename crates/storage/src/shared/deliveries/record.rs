//! Writing down how attempts ended.

use super::Token;
use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::delivery::ATTEMPTS;
use jiff::Timestamp;
use tokio_postgres::types::ToSql;

/// How an attempt ended.
#[derive(Debug, Clone)]
pub struct Record {
    /// Whose outcome it is.
    pub token: Token,
    /// The attempt's number.
    pub number: i32,
    /// Of an outcome, see [`domain::shared::delivery::Outcome::name`].
    pub result: &'static str,
    /// What the receiver answered, if it did.
    pub status: Option<u16>,
    /// A piece of the answer's body.
    pub answer: Option<String>,
    /// Whether the delivery was asked for again.
    pub replayed: bool,
    /// When the attempt began.
    pub started_at: Timestamp,
    /// How long it took.
    pub took_ms: i32,
    /// When the delivery is due again; `None`: it needs no further attempt.
    pub again_at: Option<Timestamp>,
}

/// The columns of records, as parameters.
struct Columns {
    delivery: Vec<i64>,
    lease: Vec<uuid::Uuid>,
    number: Vec<i32>,
    result: Vec<&'static str>,
    status: Vec<Option<i32>>,
    answer: Vec<Option<String>>,
    replayed: Vec<bool>,
    started_at: Vec<Timestamp>,
    took_ms: Vec<i32>,
    again_at: Vec<Option<Timestamp>>,
}

const LINES: &str = "unnest($1::bigint[], $2::uuid[], $3::integer[], $4::text[], $5::integer[], $6::text[], $7::boolean[],
     $8::timestamptz[], $9::integer[], $10::timestamptz[])
     as line (delivery_id, lease_token, number, result, status, answer, replayed, started_at, took_ms, again_at)";

/// Records attempts whose delivery has arrived, or is due again. Answers how many: what is missing was leased by somebody else meanwhile.
pub async fn record(connection: &Connection, all: &[Record]) -> Result<u64> {
    let columns = Columns::of(all);
    connection
        .execute(
            &format!(
                "with line as materialized (select * from {LINES}),
                 arrived as (
                     delete from delivery_queue it using line
                     where it.delivery_id = line.delivery_id and it.lease_token = line.lease_token and line.again_at is null
                     returning it.delivery_id
                 ), again as (
                     update delivery_queue it
                     set due_at = line.again_at, failures = it.failures + 1, attempts = line.number, lease_token = null, lease_until = null
                     from line
                     where it.delivery_id = line.delivery_id and it.lease_token = line.lease_token and line.again_at is not null
                     returning it.delivery_id
                 )
                 insert into delivery_attempts (delivery_id, number, result, status, answer, replayed, started_at, took_ms)
                 select line.delivery_id, line.number, line.result, line.status, line.answer, line.replayed, line.started_at, line.took_ms
                 from line
                 join (select delivery_id from arrived union all select delivery_id from again) held
                     on held.delivery_id = line.delivery_id"
            ),
            &columns.params(),
        )
        .await
}

/// Records last attempts, and gives their deliveries up. Answers which those are: what is missing was leased by somebody else meanwhile.
pub async fn bury(tx: &Tx<'_>, all: &[Record], at: Timestamp) -> Result<Vec<Token>> {
    let columns = Columns::of(all);
    let mut params = columns.params();
    params.push(/* buried_at */ &at);
    let rows = tx
        .rows(
            &format!(
                "with line as materialized (select * from {LINES}),
                 dead as (
                     update delivery_queue it
                     set buried_at = $11, failures = it.failures + 1, attempts = line.number, lease_token = null, lease_until = null
                     from line
                     where it.delivery_id = line.delivery_id and it.lease_token = line.lease_token
                     returning it.delivery_id
                 )
                 insert into delivery_attempts (delivery_id, number, result, status, answer, replayed, started_at, took_ms)
                 select line.delivery_id, line.number, line.result, line.status, line.answer, line.replayed, line.started_at, line.took_ms
                 from line join dead on dead.delivery_id = line.delivery_id
                 returning delivery_id"
            ),
            &params,
        )
        .await?;
    let buried = rows.iter().map(|r| row::get(r, "delivery_id")).collect::<Result<Vec<i64>>>()?;
    Ok(all.iter().map(|value| value.token).filter(|value| buried.contains(&value.delivery)).collect())
}

/// Puts off a delivery whose outcome cannot be written, whatever the reason: the lease ends, a failure is counted, and attempts are numbered
/// anew behind those that are there. It never ends by this: there is room for the attempt after which it can be given up.
pub async fn put_off(connection: &Connection, token: Token, until: Timestamp) -> Result<u64> {
    connection
        .execute(
            "update delivery_queue it
             set due_at = $3, failures = least(it.failures + 1, $4), lease_token = null, lease_until = null,
                 attempts = (select coalesce(max(attempt.number), 0) from delivery_attempts attempt
                             where attempt.delivery_id = it.delivery_id)
             where it.delivery_id = $1 and it.lease_token = $2",
            &[
                /* delivery_id */ &token.delivery,
                /* lease_token */ &token.lease,
                /* due_at */ &until,
                /* the last failure that leaves an attempt */ &i32::try_from(ATTEMPTS - 1).unwrap_or(i32::MAX),
            ],
        )
        .await
}

impl Columns {
    fn of(all: &[Record]) -> Self {
        Self {
            delivery: all.iter().map(|value| value.token.delivery).collect(),
            lease: all.iter().map(|value| value.token.lease).collect(),
            number: all.iter().map(|value| value.number).collect(),
            result: all.iter().map(|value| value.result).collect(),
            status: all.iter().map(|value| value.status.map(i32::from)).collect(),
            answer: all.iter().map(|value| value.answer.clone()).collect(),
            replayed: all.iter().map(|value| value.replayed).collect(),
            started_at: all.iter().map(|value| value.started_at).collect(),
            took_ms: all.iter().map(|value| value.took_ms).collect(),
            again_at: all.iter().map(|value| value.again_at).collect(),
        }
    }

    /// In the order of [`LINES`].
    fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        vec![
            &self.delivery,
            &self.lease,
            &self.number,
            &self.result,
            &self.status,
            &self.answer,
            &self.replayed,
            &self.started_at,
            &self.took_ms,
            &self.again_at,
        ]
    }
}
