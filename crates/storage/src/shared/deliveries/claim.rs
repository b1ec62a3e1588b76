//! Leasing deliveries.

use crate::{Connection, Executor, Result, row};
use bytes::Bytes;
use domain::shared::{DeliveryId, ReceiverId, delivery::ATTEMPTS};
use jiff::Timestamp;
use std::time::Duration;
use tokio_postgres::Row;
use uuid::Uuid;

/// The time by the clock of a row `receiver`.
pub(super) const RECEIVER_CLOCK: &str = "(coalesce(receiver.paused_since, (select coalesce(paused_at, statement_timestamp()) - paused_for from sending)) - receiver.paused_for)";

/// The right to record how an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryLease {
    pub(super) delivery: i64,
    pub(super) token: Uuid,
}

/// A delivery that this process has for a while.
#[derive(Debug, Clone)]
pub struct LeasedDelivery {
    pub lease: DeliveryLease,
    /// Where the delivery goes.
    pub receiver: ReceiverId,
    /// The receiver's kind, which names its owner.
    pub kind: String,
    pub url: String,
    /// The receiver's sealed secrets that are valid, the newest first.
    pub secrets: Vec<Vec<u8>>,
    /// The id that tells receivers a repeated delivery from a new one.
    pub id: DeliveryId,
    /// The name of what happened.
    pub event: String,
    /// What it happened to: deliveries of a key go to a receiver one after the other.
    pub key: String,
    /// The type of the body.
    pub content_type: String,
    /// The body of the request.
    pub body: Bytes,
    /// Failed attempts since the delivery was queued, or queued again.
    pub failures: u32,
    pub attempts: i32,
    /// Whether it was queued again on request.
    pub replayed: bool,
    /// Since when it is due.
    pub due_at: Timestamp,
    /// The time since its event, or since it was queued again, without pauses.
    pub age: Duration,
}

/// How much is wanted of a receiver.
#[derive(Debug, Clone, Copy)]
pub struct Quota {
    pub receiver: ReceiverId,
    /// How many deliveries at most.
    pub count: i64,
    /// Up to which due time its deliveries were scanned before: see [`super::ScanMark`].
    pub scanned_until: Option<Timestamp>,
}

/// Which of a receiver's due deliveries come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimOrder {
    /// Those that are due for the longest time.
    Due,
    /// Those with the fewest attempts, for a probe: it may cost one.
    FewestFailures,
}

/// Leases the deliveries of the CTE `open` for `$3` seconds, and selects what [`leased`] reads.
pub(super) fn lease() -> String {
    format!(
        "leased as (
             update delivery_queue line
             set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => $3)
             from open where line.delivery_id = open.delivery_id
             returning line.delivery_id, line.position, line.due_at, line.age_from, line.failures, line.attempts, line.replayed, line.lease_token
         )
         select leased.delivery_id, leased.due_at, leased.failures, leased.attempts, leased.replayed, leased.lease_token,
                extract(epoch from {RECEIVER_CLOCK} - leased.age_from)::float8 as age,
                delivery.receiver_id, delivery.public_id, delivery.event, delivery.key, delivery.content_type, delivery.body,
                receiver.kind, receiver.url, receiver.secret,
                case when receiver.previous_until > statement_timestamp() then receiver.previous_secret end as previous_secret
         from leased
         join deliveries delivery on delivery.id = leased.delivery_id
         join receivers receiver on receiver.id = delivery.receiver_id
         order by leased.due_at, leased.position"
    )
}

/// Leases deliveries that are due: of each receiver at most so many, for `lease_for`; none of a receiver that
/// is paused, silenced or closed, and none while sending is paused.
///
/// Of a key only the oldest unfinished delivery can be claimed. (For the condition "there is no older one"
/// PostgreSQL joins and reads the whole backlog of the receiver; for "the oldest one is this" it takes one
/// step in an index.)
///
/// Rows that another process is claiming at this moment are skipped, and nothing is waited for. A lease that
/// ran out is no obstacle.
pub async fn claim(
    connection: &Connection,
    quotas: &[Quota],
    order: ClaimOrder,
    lease_for: Duration,
) -> Result<Vec<LeasedDelivery>> {
    let heads = match order {
        ClaimOrder::Due => heads(""),
        // One count after the other, so that the first one that has any is the last one that is looked at.
        ClaimOrder::FewestFailures => format!(
            "select fewest.delivery_id
             from generate_series(0, {last}) as level (failures) cross join lateral ({heads}) fewest limit quota.count",
            last = ATTEMPTS - 1,
            heads = heads("and line.failures = level.failures"),
        ),
    };
    let sql = format!(
        "with open as materialized (
             select head.delivery_id
             from unnest($1::bigint[], $2::bigint[], $4::timestamptz[]) as quota (receiver_id, count, scanned_until)
             join receivers owner on owner.id = quota.receiver_id and owner.active and not owner.silenced and owner.closed_at is null
             cross join lateral ({heads}) head
         ), {lease}",
        lease = lease(),
    );
    let rows = connection
        .rows(
            &sql,
            &[
                /* receiver_id */ &quotas.iter().map(|quota| quota.receiver).collect::<Vec<_>>(),
                /* count */ &quotas.iter().map(|quota| quota.count).collect::<Vec<_>>(),
                /* lease_for */ &lease_for.as_secs_f64(),
                /* scanned_until */ &quotas.iter().map(|quota| quota.scanned_until).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(leased).collect()
}

/// Gives deliveries back that were claimed and are not attempted. They are due as before.
pub async fn release(connection: &Connection, leases: &[DeliveryLease]) -> Result<u64> {
    connection
        .execute(
            "update delivery_queue line set lease_token = null, lease_until = null
             from unnest($1::bigint[], $2::uuid[]) as lease (delivery_id, token)
             where line.delivery_id = lease.delivery_id and line.lease_token = lease.token",
            &[
                /* delivery_id */ &leases.iter().map(|lease| lease.delivery).collect::<Vec<_>>(),
                /* token */ &leases.iter().map(|lease| lease.token).collect::<Vec<_>>(),
            ],
        )
        .await
}

/// The due deliveries of a `quota` that are the oldest unfinished ones of their keys, those first that are
/// due for the longest time.
fn heads(more: &str) -> String {
    format!(
        "select line.delivery_id from delivery_queue line
         where line.receiver_id = quota.receiver_id and line.dead_at is null and line.due_at <= statement_timestamp() {more}
           and not exists (select from sending where paused_at is not null)
           and line.due_at > coalesce(quota.scanned_until, '-infinity')
           and coalesce(line.lease_until <= clock_timestamp(), true)
           and line.position = (
               select other.position from delivery_queue other
               where other.receiver_id = line.receiver_id and other.key = line.key and other.dead_at is null
               order by other.position limit 1
           )
         order by line.due_at, line.position
         limit quota.count
         for update of line skip locked"
    )
}

pub(super) fn leased(row: &Row) -> Result<LeasedDelivery> {
    let secret: Option<Vec<u8>> = row::get(row, "secret")?;
    let previous: Option<Vec<u8>> = row::get(row, "previous_secret")?;
    let body: Option<Vec<u8>> = row::get(row, "body")?;
    let (failures, age): (i32, f64) = (row::get(row, "failures")?, row::get(row, "age")?);
    Ok(row::read!(row => LeasedDelivery {
        kind, url, event, key, content_type, attempts, replayed, due_at;
        lease: DeliveryLease { delivery: row::get(row, "delivery_id")?, token: row::get(row, "lease_token")? },
        receiver: row::get(row, "receiver_id")?,
        secrets: secret.into_iter().chain(previous).collect(),
        id: row::get(row, "public_id")?,
        body: body.unwrap_or_default().into(),
        failures: u32::try_from(failures).unwrap_or_default(),
        age: Duration::try_from_secs_f64(age).unwrap_or_default(),
    }))
}
