//! Removing what has expired, in batches that are small enough to disturb nobody. The time comes from the caller.

use crate::{Connection, Executor, Result, row};
use domain::shared::SpaceId;
use jiff::Timestamp;

/// Removes stories that were deleted up to a time, with everything of them, at most so many.
pub async fn remove_deleted_stories(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from stories where (space_id, id) in (
                 select space_id, id from stories where deleted_at <= $1 order by deleted_at limit $2 for update skip locked
             )",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}

/// Removes events that happened before a time and were made into deliveries, at most so many.
pub async fn remove_old_events(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from story_events where (space_id, seq) in (
                 select event.space_id, event.seq
                 from story_events event join fan_outs done on done.space_id = event.space_id and event.seq <= done.fanned_seq
                 where event.occurred_at <= $1 limit $2
             )",
            &[/* before */ &before, /* limit */ &limit],
        )
        .await
}

/// Removes assets that were put into the trash up to a time, at most so many. Their objects have no row then.
pub async fn remove_deleted_assets(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from assets where (space_id, id) in (
                 select space_id, id from assets where deleted_at <= $1 order by deleted_at limit $2 for update skip locked
             )",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}

/// Removes uploads that were not finished and expired up to a time, at most so many.
pub async fn remove_expired_uploads(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from asset_uploads where (space_id, asset_id) in (
                 select space_id, asset_id from asset_uploads where expires_at <= $1 limit $2 for update skip locked
             )",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}

/// A space that was deleted up to a time, if there is one.
pub async fn find_deleted_space(connection: &Connection, until: Timestamp) -> Result<Option<SpaceId>> {
    let found = connection
        .row_opt("select id from spaces where deleted_at <= $1 order by deleted_at limit 1", &[/* until */ &until])
        .await?;
    found.map(|f| row::get(&f, "id").map(SpaceId)).transpose()
}

/// Removes at most so many rows of a space that was deleted up to a time; 0 when nothing of it is left. The space itself goes last: it is small
/// by then, so no statement is long.
pub async fn remove_deleted_space(connection: &Connection, space: SpaceId, until: Timestamp, limit: i64) -> Result<u64> {
    for sql in [
        // Receivers are swept away with their deliveries, as those of any webhook that was removed.
        "with gone as (
             delete from webhooks where (space_id, id) in (
                 select content.space_id, content.id
                 from webhooks content join spaces on spaces.id = content.space_id
                 where content.space_id = $1 and spaces.deleted_at <= $2 limit $3
             )
             returning receiver_id
         )
         update receivers it set closed_at = $2 from gone where it.id = gone.receiver_id",
        "delete from stories where (space_id, id) in (
             select content.space_id, content.id
             from stories content join spaces on spaces.id = content.space_id
             where content.space_id = $1 and spaces.deleted_at <= $2 limit $3
         )",
        "delete from assets where (space_id, id) in (
             select content.space_id, content.id
             from assets content join spaces on spaces.id = content.space_id
             where content.space_id = $1 and spaces.deleted_at <= $2 limit $3
         )",
        "delete from story_events where (space_id, seq) in (
             select content.space_id, content.seq
             from story_events content join spaces on spaces.id = content.space_id
             where content.space_id = $1 and spaces.deleted_at <= $2 limit $3
         )",
        // The trigger permits it, because the grace has passed.
        "delete from audit_log where (space_id, seq) in (
             select content.space_id, content.seq
             from audit_log content join spaces on spaces.id = content.space_id
             where content.space_id = $1 and spaces.deleted_at <= $2 limit $3
         )",
    ] {
        let removed = connection.execute(sql, &[/* space_id */ &space.0, /* until */ &until, /* limit */ &limit]).await?;
        if removed > 0 {
            return Ok(removed);
        }
    }
    connection.execute("delete from spaces where id = $1 and deleted_at <= $2", &[/* id */ &space.0, /* until */ &until]).await
}
