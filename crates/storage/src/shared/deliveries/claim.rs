//! Who has something to be delivered, and leasing it.

use super::super::receivers;
use crate::{Connection, Executor, Result, row};
use domain::shared::{DeliveryId, ReceiverId, delivery::Circuit};
use jiff::Timestamp;
use std::time::Duration;
use tokio_postgres::Row;
use uuid::Uuid;

/// A receiver with open deliveries.
#[derive(Debug, Clone)]
pub struct Lane {
    /// Who.
    pub receiver: ReceiverId,
    /// What is known of it.
    pub circuit: Circuit,
    /// Since when, or from when on, the first of them is due that nobody has just leased; `None` when all are leased. It may be one that
    /// waits for an earlier one of its key, and cannot be had yet.
    pub due_at: Option<Timestamp>,
}

/// Up to which due time a receiver's deliveries were looked through. What is still open there waits for an earlier one of its key.
pub type Searched = (ReceiverId, Timestamp);

/// The receivers that have open deliveries and are not paused. It looks once for each of them, however many deliveries there are, and
/// leaves out what was looked through before.
pub async fn list_lanes(connection: &Connection, searched: &[Searched]) -> Result<Vec<Lane>> {
    let rows = connection
        .rows(
            "with recursive busy as (
                 (select receiver_id from delivery_queue where buried_at is null order by receiver_id limit 1)
                 union all
                 select (select line.receiver_id from delivery_queue line
                         where line.buried_at is null and line.receiver_id > busy.receiver_id
                         order by line.receiver_id limit 1)
                 from busy where busy.receiver_id is not null
             )
             select it.id, it.health, it.failures, it.probe_at,
                    (select line.due_at from delivery_queue line
                     where line.receiver_id = it.id and line.buried_at is null
                       and line.due_at > coalesce(searched.until, '-infinity')
                       and coalesce(line.lease_until <= clock_timestamp(), true)
                     order by line.due_at, line.position limit 1) as due_at
             from busy join receivers it on it.id = busy.receiver_id
             left join unnest($1::bigint[], $2::timestamptz[]) as searched (receiver_id, until) on searched.receiver_id = it.id
             where it.active and it.closed_at is null",
            &[
                /* receiver_id */ &searched.iter().map(|(id, _)| id.0).collect::<Vec<_>>(),
                /* until */ &searched.iter().map(|(_, until)| *until).collect::<Vec<_>>(),
            ],
        )
        .await?;
    let lane = |row: &Row| {
        Ok(Lane { receiver: ReceiverId(row::get(row, "id")?), circuit: receivers::circuit(row)?, due_at: row::get(row, "due_at")? })
    };
    rows.iter().map(lane).collect()
}

/// The right to say how an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub(super) delivery: i64,
    pub(super) lease: Uuid,
}

/// A delivery that is ours for a while.
#[derive(Debug, Clone)]
pub struct Leased {
    /// The lease.
    pub token: Token,
    /// To whom.
    pub receiver: ReceiverId,
    /// Whose receiver it is.
    pub kind: String,
    /// Where it goes.
    pub url: String,
    /// The sealed secrets that are valid, the newest first.
    pub secrets: Vec<Vec<u8>>,
    /// What receivers tell copies apart by.
    pub id: DeliveryId,
    /// The name of what happened.
    pub event: String,
    /// What it is about.
    pub key: String,
    /// Of the body.
    pub content_type: String,
    /// What is sent.
    pub body: Vec<u8>,
    /// Failed attempts of this round.
    pub failures: u32,
    /// Recorded attempts of all rounds.
    pub attempts: i32,
    /// Whether it was asked for again.
    pub replayed: bool,
    /// Since when it is due.
    pub due_at: Timestamp,
}

/// How much is wanted of a receiver.
#[derive(Debug, Clone, Copy)]
pub struct Quota {
    /// Of whom.
    pub receiver: ReceiverId,
    /// How many at most.
    pub count: i64,
    /// Up to which due time its deliveries were looked through before: see [`Searched`].
    pub searched: Option<Timestamp>,
}

/// Leases deliveries that are due: of each receiver at most so many, for so long; none of one that is paused or closed.
///
/// Of a key only the oldest unfinished delivery can be had. (Asked as «there is no older one», PostgreSQL joins and reads the receiver's
/// whole backlog; asked for the oldest one, it takes one step in an index.)
///
/// Whoever comes second skips what the first is just taking. A lease that ran
/// out is no obstacle.
pub async fn claim(connection: &Connection, quotas: &[Quota], lease_for: Duration, now: Timestamp) -> Result<Vec<Leased>> {
    let rows = connection
        .rows(
            "with open as materialized (
                 select head.delivery_id
                 from unnest($1::bigint[], $2::bigint[], $5::timestamptz[]) as lane (receiver_id, quota, searched)
                 join receivers owner on owner.id = lane.receiver_id and owner.active and owner.closed_at is null
                 cross join lateral (
                     select line.delivery_id from delivery_queue line
                     where line.receiver_id = lane.receiver_id and line.buried_at is null and line.due_at <= $3
                       and line.due_at > coalesce(lane.searched, '-infinity')
                       and coalesce(line.lease_until <= clock_timestamp(), true)
                       and line.position = (
                           select other.position from delivery_queue other
                           where other.receiver_id = line.receiver_id and other.key = line.key and other.buried_at is null
                           order by other.position limit 1
                       )
                     order by line.due_at, line.position
                     limit lane.quota
                     for update of line skip locked
                 ) head
             ), leased as (
                 update delivery_queue line
                 set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + make_interval(secs => $4)
                 from open where line.delivery_id = open.delivery_id
                 returning line.delivery_id, line.position, line.due_at, line.failures, line.attempts, line.replayed, line.lease_token
             )
             select leased.delivery_id, leased.due_at, leased.failures, leased.attempts, leased.replayed, leased.lease_token,
                    it.receiver_id, it.public_id, it.event, it.key, it.content_type, it.body,
                    receiver.kind, receiver.url, receiver.secret,
                    case when receiver.previous_until > $3 then receiver.previous_secret end as previous_secret
             from leased
             join deliveries it on it.id = leased.delivery_id
             join receivers receiver on receiver.id = it.receiver_id
             order by leased.due_at, leased.position",
            &[
                /* receiver_id */ &quotas.iter().map(|quota| quota.receiver.0).collect::<Vec<_>>(),
                /* quota */ &quotas.iter().map(|quota| quota.count).collect::<Vec<_>>(),
                /* now */ &now,
                /* lease_for */ &lease_for.as_secs_f64(),
                /* searched */ &quotas.iter().map(|quota| quota.searched).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(leased).collect()
}

fn leased(row: &Row) -> Result<Leased> {
    let secret: Option<Vec<u8>> = row::get(row, "secret")?;
    let previous: Option<Vec<u8>> = row::get(row, "previous_secret")?;
    let failures: i32 = row::get(row, "failures")?;
    Ok(Leased {
        token: Token { delivery: row::get(row, "delivery_id")?, lease: row::get(row, "lease_token")? },
        receiver: ReceiverId(row::get(row, "receiver_id")?),
        kind: row::get(row, "kind")?,
        url: row::get(row, "url")?,
        secrets: secret.into_iter().chain(previous).collect(),
        id: DeliveryId(row::get(row, "public_id")?),
        event: row::get(row, "event")?,
        key: row::get(row, "key")?,
        content_type: row::get(row, "content_type")?,
        body: row::get::<Option<_>>(row, "body")?.unwrap_or_default(),
        failures: u32::try_from(failures).unwrap_or_default(),
        attempts: row::get(row, "attempts")?,
        replayed: row::get(row, "replayed")?,
        due_at: row::get(row, "due_at")?,
    })
}
