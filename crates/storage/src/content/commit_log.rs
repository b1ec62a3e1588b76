//! The first and the last statement of each command of a space: locking it; and writing `cv`, audit entries,
//! events and the NOTIFY.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::{Changes, Language},
    shared::{Actor, Fault, RequestOrigin, SpaceId},
};
use jiff::Timestamp;

/// The NOTIFY channel: the payload is `<space id>:<cv>:<revision>`, see [`SpaceVersion`].
pub const CHANNEL: &str = "lectern_space";

/// What the audit log says about a command beside its entries.
#[derive(Debug, Clone)]
pub struct AuditContext {
    /// On whose behalf the command runs.
    pub actor: Actor,
    /// The request that brought it.
    pub origin: RequestOrigin,
    /// Its time, which all rows carry that it writes.
    pub at: Timestamp,
}

/// The version of a space after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceVersion {
    /// The cache version of the published content, which clients send as `cv`.
    pub cv: i64,
    /// The number of the commit: 1, 2, 3 … It also tells commits apart that leave `cv` as it is, of drafts
    /// and tokens, and those without an audit entry.
    pub revision: i64,
}

/// What commands know of the space that they have locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedSpace {
    /// Whether only valid stories are published.
    pub publish_requires_valid: bool,
    /// Those beside the default one.
    pub languages: Vec<Language>,
    /// Grows with each change of a component. What this command changes itself is not in it.
    pub schemas_revision: i64,
}

/// Locks a space for a command. 404 unless it exists and is not deleted.
///
/// The row stays locked until the commit, and each command locks it first: so commands of one space by
/// several processes run one after the other, lock everything else in the same order, and see the deletion of
/// the space that they waited for.
pub async fn lock_space(tx: &Tx<'_>, space: SpaceId) -> Result<LockedSpace> {
    let locked = tx
        .row_opt(
            "select publish_requires_valid, languages, schemas_revision from spaces where id = $1 and deleted_at is null for no key update",
            &[/* id */ &space],
        )
        .await?;
    let row = locked.ok_or_else(Fault::not_found)?;
    Ok(LockedSpace {
        publish_requires_valid: row::get(&row, "publish_requires_valid")?,
        languages: row::list(&row, "languages")?,
        schemas_revision: row::get(&row, "schemas_revision")?,
    })
}

/// Appends what a command changed: audit entries, events, `cv`. Returns the version of the space that the
/// commit will make.
///
/// The numbers come from the space's counter row, which stays locked until the commit: so the audit log has
/// no gap and `cv` strictly increases, also with several processes.
pub async fn append(tx: &Tx<'_>, space: SpaceId, context: &AuditContext, changes: &Changes) -> Result<SpaceVersion> {
    let audit = &changes.audit;
    let events = &changes.events;
    let appended = tx
        .row_opt(
            "with counted as (
                 update space_counters
                 set cv = case when $2 then greatest(cv + 1, extract(epoch from $3::timestamptz)::bigint) else cv end,
                     audit_seq = audit_seq + cardinality($9::text[]),
                     event_seq = event_seq + cardinality($14::text[]),
                     revision = revision + 1
                 where space_id = $1
                 returning cv, revision, audit_seq - cardinality($9::text[]) as audit_base, event_seq - cardinality($14::text[]) as event_base
             ), audited as (
                 insert into audit_log (space_id, seq, actor_type, actor_id, actor_label, action, target_type, target_id,
                                        target_label, meta, ip, request_id, created_at)
                 select $1, audit_base + line.number, $4, $5, $6, line.action, line.target_type, line.target_id,
                        line.target_label, line.meta, $7, $8, $3
                 from counted, unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::jsonb[])
                      with ordinality as line (action, target_type, target_id, target_label, meta, number)
             ), evented as (
                 insert into story_events (space_id, seq, action, story_id, uuid, full_slug, old_full_slug, occurred_at)
                 select $1, event_base + line.number, line.action, line.story_id, line.uuid, line.full_slug, line.old_full_slug, $3
                 from counted, unnest($14::text[], $15::bigint[], $16::uuid[], $17::text[], $18::text[])
                      with ordinality as line (action, story_id, uuid, full_slug, old_full_slug, number)
             )
             select cv, revision, pg_notify('lectern_space', $1::bigint || ':' || cv || ':' || revision),
                    case when cardinality($14::text[]) > 0 then pg_notify('lectern_jobs', 'story_events') end
             from counted",
            &[
                /* space_id */ &space,
                /* public */ &changes.public,
                /* at */ &context.at,
                /* actor_type */ &context.actor.kind,
                /* actor_id */ &context.actor.id,
                /* actor_label */ &context.actor.label,
                /* ip */ &context.origin.ip,
                /* request_id */ &context.origin.request_id,
                /* action */ &audit.iter().map(|a| a.action).collect::<Vec<_>>(),
                /* target_type */ &audit.iter().map(|a| a.target.kind).collect::<Vec<_>>(),
                /* target_id */ &audit.iter().map(|a| a.target.id.as_str()).collect::<Vec<_>>(),
                /* target_label */ &audit.iter().map(|a| a.target.label.as_str()).collect::<Vec<_>>(),
                /* meta */ &audit.iter().map(|a| &a.meta).collect::<Vec<_>>(),
                /* event action */ &events.iter().map(|event| event.kind.into_str()).collect::<Vec<_>>(),
                /* story_id */ &events.iter().map(|event| event.story_id).collect::<Vec<_>>(),
                /* uuid */ &events.iter().map(|event| event.uuid).collect::<Vec<_>>(),
                /* full_slug */ &events.iter().map(|event| event.full_slug.as_str()).collect::<Vec<_>>(),
                /* old_full_slug */ &events.iter().map(|event| event.old_full_slug.as_deref()).collect::<Vec<_>>(),
            ],
        )
        .await?;
    let Some(appended) = appended else { return Err(Fault::not_found().into()) };
    Ok(SpaceVersion { cv: row::get(&appended, "cv")?, revision: row::get(&appended, "revision")? })
}
