//! All spaces with their owners and sizes, for administrators. Sizes are counters that triggers keep
//! (`space_counters`); no story is counted here.

use crate::{Executor, Result, row};
use domain::shared::{ListedSpace, Page, PageRequest, SpaceFilter, SpaceId, UserId};
use tokio_postgres::Row;

const WANTED: &str = "($1::text is null or lower(space.name) like lower($1))
     and ($2::boolean is null or (space.owner_id is null) = $2)
     and ($3::boolean is null or (space.deleted_at is not null) = $3)";

/// Everything that is shown of the spaces of the CTE `wanted`. The newest entry of the audit log says when
/// something was changed in a space.
const SELECT: &str =
    "select space.id, space.name, space.owner_id, owner.email, counters.stories, counters.assets, counters.asset_bytes,
            space.created_at, greatest(space.updated_at, newest.created_at) as changed_at, space.deleted_at
     from wanted space
     join space_counters counters on counters.space_id = space.id
     left join users owner on owner.id = space.owner_id
     left join audit_log newest on newest.space_id = space.id and newest.seq = counters.audit_seq
     order by space.id desc";

/// A page of spaces, the newest first.
pub async fn list(executor: &impl Executor, filter: &SpaceFilter, page: PageRequest) -> Result<Page<ListedSpace>> {
    let SpaceFilter { name_pattern, is_orphaned, is_deleted } = filter;
    let counted = executor
        .row(
            &format!("select count(*) as total from spaces space where {WANTED}"),
            &[/* name_pattern */ name_pattern, /* is_orphaned */ is_orphaned, /* is_deleted */ is_deleted],
        )
        .await?;
    let rows = executor
        .rows(
            &format!(
                "with wanted as materialized (select space.* from spaces space where {WANTED} order by space.id desc limit $4 offset $5)
                 {SELECT}"
            ),
            &[
                /* name_pattern */ name_pattern,
                /* is_orphaned */ is_orphaned,
                /* is_deleted */ is_deleted,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    Ok(Page { items: rows.iter().map(listed).collect::<Result<_>>()?, total: row::get(&counted, "total")? })
}

/// One space, deleted or not.
pub async fn find(executor: &impl Executor, id: SpaceId) -> Result<Option<ListedSpace>> {
    let sql = format!("with wanted as (select * from spaces where id = $1) {SELECT}");
    executor.row_opt(&sql, &[/* id */ &id]).await?.as_ref().map(listed).transpose()
}

fn listed(row: &Row) -> Result<ListedSpace> {
    let owner: Option<UserId> = row::get(row, "owner_id")?;
    let email: Option<String> = row::get(row, "email")?;
    Ok(row::read!(row => ListedSpace {
        id, name, stories, assets, asset_bytes, created_at, changed_at, deleted_at;
        owner: owner.zip(email),
    }))
}
