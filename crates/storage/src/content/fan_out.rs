//! The cursors of the fan-out: how far the events of each space have become deliveries (table `fan_outs`). A
//! cursor moves in the transaction that adds the deliveries, so each event becomes deliveries once.

use crate::{Connection, Executor, Result, Tx, queue::Queue, row};
use domain::{content::StoryEvent, shared::SpaceId};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The queue whose actor is woken when something happened to a story.
pub const STORY_EVENTS: Queue = Queue::new("story_events");

/// A space whose events are not all made into deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaggingSpace {
    pub space: SpaceId,
    /// When the first of these events happened.
    pub since: Timestamp,
}

/// Spaces with events that are not yet deliveries, at most `limit`, the one with the oldest event first;
/// those in `without` are left out, and deleted ones.
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
            &[/* without */ &without, /* limit */ &limit],
        )
        .await?;
    let lagging = |row: &Row| Ok(LaggingSpace { space: row::get(row, "space_id")?, since: row::get(row, "occurred_at")? });
    rows.iter().map(lagging).collect()
}

/// Whether to wait for another process that is just at the same space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Until it is done.
    ForOthers,
    /// Leave the space to it.
    Never,
}

/// Locks the cursor of a space, and answers the number of the last event that became deliveries. `None` when
/// another process has it.
pub async fn lock_cursor(tx: &Tx<'_>, space: SpaceId, wait: Wait) -> Result<Option<i64>> {
    tx.execute("insert into fan_outs (space_id, fanned_seq) values ($1, 0) on conflict do nothing", &[/* space_id */ &space])
        .await?;
    let locking = if wait == Wait::ForOthers { "" } else { " skip locked" };
    let sql = format!("select fanned_seq from fan_outs where space_id = $1 for update{locking}");
    tx.row_opt(&sql, &[/* space_id */ &space]).await?.map(|cursor| row::get(&cursor, "fanned_seq")).transpose()
}

/// Moves the cursor of a space to an event.
pub async fn move_cursor(tx: &Tx<'_>, space: SpaceId, to: i64) -> Result<()> {
    tx.execute_one(
        "fan_out.move",
        "update fan_outs set fanned_seq = $2 where space_id = $1",
        &[/* space_id */ &space, /* fanned_seq */ &to],
    )
    .await
}

/// An event that is not deliveries yet.
#[derive(Debug, Clone)]
pub struct NextEvent {
    /// Its number in the space.
    pub seq: i64,
    pub happened_at: Timestamp,
    pub event: StoryEvent,
}

/// The events of a space after a number, at most `limit`; none when it is deleted. The deletion takes the
/// cursor that the caller has locked, so what this reads cannot become outdated before the deliveries are
/// committed.
pub async fn list_next(tx: &Tx<'_>, space: SpaceId, after: i64, limit: i64) -> Result<Vec<NextEvent>> {
    let rows = tx
        .rows(
            "select seq, action, story_id, uuid, full_slug, old_full_slug, occurred_at from story_events
             where space_id = $1 and seq > $2 and exists (select from spaces where id = $1 and deleted_at is null)
             order by seq limit $3",
            &[/* space_id */ &space, /* after */ &after, /* limit */ &limit],
        )
        .await?;
    rows.iter().map(next_event).collect()
}

fn next_event(row: &Row) -> Result<NextEvent> {
    let event = row::read!(row => StoryEvent {
        story_id, uuid, full_slug, old_full_slug;
        kind: row::named(row, "action")?,
    });
    Ok(NextEvent { seq: row::get(row, "seq")?, happened_at: row::get(row, "occurred_at")?, event })
}
