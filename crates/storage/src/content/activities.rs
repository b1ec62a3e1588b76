//! The audit log of a space as Storyblok's list of activities: with the people behind the entries.

use super::authors;
use crate::{Connection, Executor, Result, row};
use domain::{
    content::audit::{Activity, ActivityFilter},
    shared::{Page, PageRequest, SpaceId, person::friendly_name},
};
use tokio_postgres::Row;

/// The number of the person with a UUID, see [`domain::shared::UserId::number`].
macro_rules! number {
    ($uuid:literal) => {
        concat!("('x' || right(replace(", $uuid, ", '-', ''), 13))::bit(52)::bigint")
    };
}

/// The condition of a filter; page and count share it.
const CONDITION: &str = concat!(
    "entry.space_id = $1
     and ($2::timestamptz is null or entry.created_at >= $2)
     and ($3::timestamptz is null or entry.created_at <= $3)
     and (cardinality($4::text[]) = 0 or entry.target_type = any($4))
     and ($5::text is null or strpos(entry.action, $5) > 0)
     and (cardinality($6::text[]) = 0 or entry.target_id = any($6))
     and (cardinality($7::bigint[]) = 0 or case entry.actor_type
              when 'user' then ",
    number!("entry.actor_id"),
    " = any($7)
              when 'token' then entry.actor_id in (
                  select token.id::text from management_tokens token where token.space_id = $1 and ",
    number!("token.created_by::text"),
    " = any($7)
              )
              else false
          end)"
);

/// The entries of the CTE `wanted` with their people: of a token the person who made it.
fn select() -> String {
    format!(
        "select wanted.*, person.id as person_id, person.email, person.first_name, person.last_name, person.display_name,
                person.suspended_at is null as is_active, {}
         from wanted {}
         left join management_tokens token on wanted.actor_type = 'token' and token.space_id = wanted.space_id and token.id::text = wanted.actor_id
         left join users person on person.id = case wanted.actor_type when 'user' then wanted.actor_id::uuid else token.created_by end
         order by wanted.seq desc",
        authors::COLUMNS,
        authors::join("wanted.actor_id")
    )
}

/// A page of the activities, newest first.
pub async fn list(connection: &Connection, space: SpaceId, filter: &ActivityFilter, page: PageRequest) -> Result<Page<Activity>> {
    let total = connection
        .row(
            &format!("select count(*) as total from audit_log entry where {CONDITION}"),
            &[
                /* space_id */ &space,
                /* created_at_gte */ &filter.created_at_gte,
                /* created_at_lte */ &filter.created_at_lte,
                /* target_type */ &filter.kinds,
                /* key_like */ &filter.key_like,
                /* target_id */ &filter.by_trackable_ids,
                /* owners */ &filter.by_owner_ids,
            ],
        )
        .await?;
    let rows = connection
        .rows(
            &format!(
                "with wanted as materialized (
                     select entry.* from audit_log entry where {CONDITION} order by entry.seq desc limit $8 offset $9
                 )
                 {}",
                select()
            ),
            &[
                /* space_id */ &space,
                /* created_at_gte */ &filter.created_at_gte,
                /* created_at_lte */ &filter.created_at_lte,
                /* target_type */ &filter.kinds,
                /* key_like */ &filter.key_like,
                /* target_id */ &filter.by_trackable_ids,
                /* owners */ &filter.by_owner_ids,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    Ok(Page { items: rows.iter().map(activity).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

/// One activity by the number of its entry.
pub async fn find(connection: &Connection, space: SpaceId, id: i64) -> Result<Option<Activity>> {
    let sql = format!("with wanted as materialized (select * from audit_log where space_id = $1 and seq = $2) {}", select());
    connection.row_opt(&sql, &[/* space_id */ &space, /* seq */ &id]).await?.as_ref().map(activity).transpose()
}

fn activity(row: &Row) -> Result<Activity> {
    let person = row::get::<Option<uuid::Uuid>>(row, "person_id")?;
    Ok(Activity {
        record: super::audit_log::record(row)?,
        person: person
            .map(|id| {
                Ok::<_, crate::Error>(domain::content::audit::ActivePerson {
                    id: domain::shared::UserId(id),
                    email: row::get(row, "email")?,
                    name: friendly_name(row::get(row, "display_name")?, row::get(row, "first_name")?, row::get(row, "last_name")?),
                    is_active: row::get(row, "is_active")?,
                })
            })
            .transpose()?,
    })
}
