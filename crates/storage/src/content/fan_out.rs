//! From events to deliveries: each event becomes one delivery for each webhook that was subscribed when it happened.
//!
//! A cursor for each space says how far that was done. It moves in the transaction that adds the deliveries, so each event becomes deliveries
//! once. A command that changes the webhooks of a space first makes the deliveries of earlier events: so an event goes to the webhooks that
//! were subscribed when it happened, and not to those that are subscribed when the fan-out comes to it.

use crate::{
    Connection, Executor, Result, Tx,
    queue::Queue,
    row,
    shared::deliveries::{self, NewDelivery},
};
use domain::{
    content::{
        EventKind, StoryEvent,
        webhook::{Webhook, payload},
    },
    shared::{DeliveryId, Entropy, SpaceId, StoryId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The queue whose actor is woken when something happened to a story.
pub const STORY_EVENTS: Queue = Queue("story_events");

/// A space whose events are not all made into deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaggingSpace {
    /// The space.
    pub space: SpaceId,
    /// When the first of these events happened.
    pub since: Timestamp,
}

/// Spaces with events that are not yet deliveries, at most so many, the one with the oldest event first; `without` are left out, and deleted ones.
pub async fn list_lagging(connection: &Connection, without: &[SpaceId], limit: i64) -> Result<Vec<LaggingSpace>> {
    let rows = connection
        .rows(
            "select event.space_id, event.occurred_at
             from space_counters counters
             left join fan_outs done on done.space_id = counters.space_id
             join story_events event on event.space_id = counters.space_id and event.seq = coalesce(done.fanned_seq, 0) + 1
             join spaces space on space.id = counters.space_id and space.deleted_at is null
             where counters.event_seq > coalesce(done.fanned_seq, 0) and counters.space_id <> all($1)
             order by event.occurred_at limit $2",
            &[/* without */ &without.iter().map(|w| w.0).collect::<Vec<_>>(), /* limit */ &limit],
        )
        .await?;
    let lagging = |row: &Row| Ok(LaggingSpace { space: SpaceId(row::get(row, "space_id")?), since: row::get(row, "occurred_at")? });
    rows.iter().map(lagging).collect()
}

/// What a batch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FanOutBatch {
    /// Events that were handled.
    pub events: usize,
    /// Deliveries that were made.
    pub deliveries: u64,
}

/// Makes deliveries of a space's next events, at most so many of them. When another process is just doing it, this waits for it if `wait` is set,
/// and else does nothing. Events of a deleted space wait until it is undeleted.
pub async fn fan_out(
    tx: &Tx<'_>,
    space: SpaceId,
    limit: i64,
    wait: bool,
    entropy: &dyn Entropy,
    at: Timestamp,
) -> Result<FanOutBatch> {
    let nothing = FanOutBatch { events: 0, deliveries: 0 };
    tx.execute("insert into fan_outs (space_id, fanned_seq) values ($1, 0) on conflict do nothing", &[/* space_id */ &space.0])
        .await?;
    let locking = if wait { "" } else { " skip locked" };
    let sql = format!("select fanned_seq from fan_outs where space_id = $1 for update{locking}");
    let Some(cursor) = tx.row_opt(&sql, &[/* space_id */ &space.0]).await? else { return Ok(nothing) };
    let done: i64 = row::get(&cursor, "fanned_seq")?;
    let events = next(tx, space, done, limit).await?;
    let Some((last, ..)) = events.last() else { return Ok(nothing) };
    let webhooks = super::webhooks::list(tx, space).await?;
    let made = build_deliveries(space, &events, &webhooks, entropy)?;
    let deliveries = if made.is_empty() { 0 } else { deliveries::add(tx, &made, at).await? };
    tx.execute_one(
        "fan_out.move",
        "update fan_outs set fanned_seq = $2 where space_id = $1",
        &[/* space_id */ &space.0, /* fanned_seq */ last],
    )
    .await?;
    Ok(FanOutBatch { events: events.len(), deliveries })
}

/// The events of a space after a number: number, time and event; none when it is deleted. The deletion takes the cursor that the caller has locked, so what
/// this reads cannot become outdated before the deliveries are committed.
async fn next(executor: &impl Executor, space: SpaceId, after: i64, limit: i64) -> Result<Vec<(i64, Timestamp, StoryEvent)>> {
    let rows = executor
        .rows(
            "select seq, action, story_id, uuid, full_slug, old_full_slug, occurred_at from story_events
             where space_id = $1 and seq > $2 and exists (select from spaces where id = $1 and deleted_at is null)
             order by seq limit $3",
            &[/* space_id */ &space.0, /* after */ &after, /* limit */ &limit],
        )
        .await?;
    let event = |row: &Row| {
        let event = StoryEvent {
            kind: row::parsed(row, "action", EventKind::of)?,
            story_id: StoryId(row::get(row, "story_id")?),
            uuid: row::get(row, "uuid")?,
            full_slug: row::get(row, "full_slug")?,
            old_full_slug: row::get(row, "old_full_slug")?,
        };
        Ok((row::get(row, "seq")?, row::get(row, "occurred_at")?, event))
    };
    rows.iter().map(event).collect()
}

fn build_deliveries(
    space: SpaceId,
    events: &[(i64, Timestamp, StoryEvent)],
    webhooks: &[Webhook],
    entropy: &dyn Entropy,
) -> Result<Vec<NewDelivery>> {
    let mut made = Vec::new();
    for (seq, happened_at, event) in events {
        for webhook in webhooks.iter().filter(|webhook| webhook.settings.events.contains(&event.kind)) {
            let id = DeliveryId::new(entropy);
            made.push(NewDelivery {
                id,
                receiver: webhook.receiver,
                event: event.kind.name(),
                key: event.story_id.to_string(),
                content_type: "application/json",
                body: payload(space, event, *happened_at, id)?,
                origin_seq: Some(*seq),
            });
        }
    }
    Ok(made)
}
