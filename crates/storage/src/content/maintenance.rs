//! Removal of what has expired in the content service, in batches. The time comes from the caller.

use crate::{Connection, Executor, Result, expiry::Expiring, row};
use domain::shared::SpaceId;
use jiff::Timestamp;

/// What belongs to a space, by its key within the space, in the order in which it is removed. Webhooks come
/// first, see below.
const CONTENT: [(&str, &str); 4] = [("stories", "id"), ("assets", "id"), ("story_events", "seq"), ("audit_log", "seq")];

/// Removes stories that were deleted up to a time, with all their rows, at most `limit`.
pub async fn remove_deleted_stories(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "stories", key: "space_id, id", at: "deleted_at" }.delete_batch(connection, until, limit).await
}

/// Removes assets that were put into the trash up to a time, at most `limit`. Their objects have no row then,
/// and the sweep of objects finds them.
pub async fn remove_deleted_assets(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "assets", key: "space_id, id", at: "deleted_at" }.delete_batch(connection, until, limit).await
}

/// Removes components that were deleted up to a time, with their versions, at most `limit`.
pub async fn remove_deleted_components(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "with gone as (
                 delete from deleted_components where (space_id, id) in (
                     select space_id, id from deleted_components where deleted_at <= $1 order by deleted_at limit $2 for update skip locked
                 )
                 returning space_id, id
             ), history as (
                 delete from component_versions version using gone
                 where version.space_id = gone.space_id and version.component_id = gone.id
             )
             select from gone",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}

/// Removes uploads that were not finished and expired up to a time, at most `limit`.
pub async fn remove_expired_uploads(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "asset_uploads", key: "space_id, asset_id", at: "expires_at" }.delete_batch(connection, until, limit).await
}

/// Removes invitations to spaces that expired up to a time, at most `limit`.
pub async fn remove_expired_invitations(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "space_invitations", key: "space_id, id", at: "expires_at" }.delete_batch(connection, until, limit).await
}

/// Removes events that happened up to a time and became deliveries, at most `limit`.
pub async fn remove_old_events(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from story_events where (space_id, seq) in (
                 select event.space_id, event.seq
                 from story_events event join fan_outs done on done.space_id = event.space_id and event.seq <= done.fanned_seq
                 where event.occurred_at <= $1 limit $2
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
    found.map(|row| row::get(&row, "id")).transpose()
}

/// Removes at most `limit` rows of a space that was deleted up to a time; 0 when nothing of it is left. The
/// space itself is removed last: few rows refer to it by then, so no statement takes long.
pub async fn remove_deleted_space(connection: &Connection, space: SpaceId, until: Timestamp, limit: i64) -> Result<u64> {
    let mut removed = remove_webhooks(connection, space, until, limit).await?;
    for (table, key) in CONTENT {
        if removed > 0 {
            return Ok(removed);
        }
        // A trigger protects the audit log, and permits this because the grace of the space is over.
        let sql = format!(
            "delete from {table} where space_id = $1 and (space_id, {key}) in (
                 select content.space_id, content.{key}
                 from {table} content join spaces on spaces.id = $1
                 where content.space_id = $1 and spaces.deleted_at <= $2 limit $3
             )"
        );
        removed = connection.execute(&sql, &[/* space_id */ &space, /* until */ &until, /* limit */ &limit]).await?;
    }
    if removed > 0 {
        return Ok(removed);
    }
    connection.execute("delete from spaces where id = $1 and deleted_at <= $2", &[/* id */ &space, /* until */ &until]).await
}

/// Removes webhooks and closes their receivers, which another sweep removes with their deliveries.
async fn remove_webhooks(connection: &Connection, space: SpaceId, until: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "with removed as (
                 delete from webhooks where space_id = $1 and (space_id, id) in (
                     select webhook.space_id, webhook.id
                     from webhooks webhook join spaces on spaces.id = $1
                     where webhook.space_id = $1 and spaces.deleted_at <= $2 limit $3
                 )
                 returning receiver_id
             )
             update receivers receiver set closed_at = $2 from removed where receiver.id = removed.receiver_id",
            &[/* space_id */ &space, /* until */ &until, /* limit */ &limit],
        )
        .await
}
