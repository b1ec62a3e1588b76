//! Groups of components: `component_groups`.

use crate::{Result, Session, Tx, row};
use domain::{
    content::component_group::ComponentGroup,
    shared::{GroupId, SpaceId},
};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// Which groups are wanted; the default wants all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The name holds this text, in whatever case.
    pub search: Option<String>,
    /// Children of this group; 0 for those at the top.
    pub with_parent: Option<i64>,
}

/// The groups of a space by their numbers.
pub async fn list(session: &Session, space: SpaceId, filter: &Filter) -> Result<Vec<ComponentGroup>> {
    let rows = session
        .rows(
            "select own.id, own.uuid, own.name, own.parent_id, above.uuid as parent_uuid
             from component_groups own
                  left join component_groups above on above.space_id = own.space_id and above.id = own.parent_id
             where own.space_id = $1
               and ($2::text is null or strpos(lower(own.name), lower($2)) > 0)
               and ($3::bigint is null or coalesce(own.parent_id, 0) = $3)
             order by own.id",
            &[/* space_id */ &space.0, /* search */ &filter.search, /* with_parent */ &filter.with_parent],
        )
        .await?;
    rows.iter().map(group).collect()
}

/// One group.
pub async fn find(session: &Session, space: SpaceId, id: GroupId) -> Result<Option<ComponentGroup>> {
    session
        .row_opt(
            "select own.id, own.uuid, own.name, own.parent_id, above.uuid as parent_uuid
             from component_groups own
                  left join component_groups above on above.space_id = own.space_id and above.id = own.parent_id
             where own.space_id = $1 and own.id = $2",
            &[/* space_id */ &space.0, /* id */ &id.0],
        )
        .await?
        .as_ref()
        .map(group)
        .transpose()
}

/// Every group of a space, locked until the transaction ends: two moves at once could close a circle that neither sees.
pub async fn lock_all(tx: &Tx<'_>, space: SpaceId) -> Result<Vec<ComponentGroup>> {
    let rows = tx
        .rows(
            "select own.id, own.uuid, own.name, own.parent_id, above.uuid as parent_uuid
             from component_groups own
                  left join component_groups above on above.space_id = own.space_id and above.id = own.parent_id
             where own.space_id = $1
             order by own.id
             for update of own",
            &[/* space_id */ &space.0],
        )
        .await?;
    rows.iter().map(group).collect()
}

/// Adds a group and answers its number.
pub async fn insert(
    tx: &Tx<'_>,
    space: SpaceId,
    uuid: Uuid,
    name: &str,
    parent: Option<GroupId>,
    at: Timestamp,
) -> Result<GroupId> {
    let row = tx
        .row(
            "insert into component_groups (space_id, uuid, name, parent_id, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $5)
             returning id",
            &[
                /* space_id */ &space.0,
                /* uuid */ &uuid,
                /* name */ &name,
                /* parent_id */ &parent.map(|it| it.0),
                /* created_at, updated_at */ &at,
            ],
        )
        .await?;
    Ok(GroupId(row::get(&row, "id")?))
}

/// Changes name and parent.
pub async fn update(tx: &Tx<'_>, space: SpaceId, id: GroupId, name: &str, parent: Option<GroupId>, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "component_group.update",
        "update component_groups set name = $3, parent_id = $4, updated_at = $5 where space_id = $1 and id = $2",
        &[
            /* space_id */ &space.0,
            /* id */ &id.0,
            /* name */ &name,
            /* parent_id */ &parent.map(|it| it.0),
            /* updated_at */ &at,
        ],
    )
    .await
}

/// Removes a group. Its components stay, without a group; groups inside of it move up to its parent.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: GroupId, at: Timestamp) -> Result<()> {
    tx.execute(
        "update component_groups child set parent_id = own.parent_id, updated_at = $3
         from component_groups own
         where own.space_id = $1 and own.id = $2 and child.space_id = $1 and child.parent_id = $2",
        &[/* space_id */ &space.0, /* id */ &id.0, /* updated_at */ &at],
    )
    .await?;
    tx.execute_one(
        "component_group.delete",
        "delete from component_groups where space_id = $1 and id = $2",
        &[/* space_id */ &space.0, /* id */ &id.0],
    )
    .await
}

fn group(row: &Row) -> Result<ComponentGroup> {
    Ok(ComponentGroup {
        id: GroupId(row::get(row, "id")?),
        uuid: row::get(row, "uuid")?,
        name: row::get(row, "name")?,
        parent_id: row::get::<Option<i64>>(row, "parent_id")?.map(GroupId),
        parent_uuid: row::get(row, "parent_uuid")?,
    })
}
