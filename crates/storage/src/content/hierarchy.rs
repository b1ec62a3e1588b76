//! The trees of asset folders and component groups: `asset_folders` and `component_groups`, two tables of one
//! shape.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::hierarchy::Node,
    shared::{AssetFolderId, GroupId, NumericId, SpaceId},
};
use jiff::Timestamp;
use std::marker::PhantomData;
use tokio_postgres::Row;
use uuid::Uuid;

/// A table of one tree.
pub struct Hierarchy<Id> {
    table: &'static str,
    /// The table of what the nodes contain beside other nodes, with its column of the node.
    holds: Option<(&'static str, &'static str)>,
    of: PhantomData<fn() -> Id>,
}

/// Folders of assets.
pub const ASSET_FOLDERS: Hierarchy<AssetFolderId> =
    Hierarchy { table: "asset_folders", holds: Some(("assets", "asset_folder_id")), of: PhantomData };

/// Groups of components. The foreign key of a component clears its group when that is removed.
pub const COMPONENT_GROUPS: Hierarchy<GroupId> = Hierarchy { table: "component_groups", holds: None, of: PhantomData };

/// The conditions of a list of nodes. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct HierarchyFilter {
    /// The name contains this text, case-insensitive.
    pub search: Option<String>,
    /// Children of this node; 0 is the root.
    pub with_parent: Option<i64>,
    /// Any of these numbers.
    pub ids: Option<Vec<i64>>,
    /// Any of these UUIDs.
    pub uuids: Option<Vec<Uuid>>,
}

/// A node to be added.
#[derive(Debug, Clone)]
pub struct NewNode<Id> {
    pub uuid: Uuid,
    /// The name people see.
    pub name: String,
    pub parent_id: Option<Id>,
}

impl<Id: NumericId> Hierarchy<Id> {
    /// The nodes of a space, by their numbers.
    pub async fn list(&self, executor: &impl Executor, space: SpaceId, filter: &HierarchyFilter) -> Result<Vec<Node<Id>>> {
        let sql = format!(
            "{}
             where own.space_id = $1
               and ($2::text is null or strpos(lower(own.name), lower($2)) > 0)
               and ($3::bigint is null or coalesce(own.parent_id, 0) = $3)
               and ($4::bigint[] is null or own.id = any($4))
               and ($5::uuid[] is null or own.uuid = any($5))
             order by own.id",
            self.nodes()
        );
        let rows = executor
            .rows(
                &sql,
                &[
                    /* space_id */ &space,
                    /* search */ &filter.search,
                    /* with_parent */ &filter.with_parent,
                    /* id */ &filter.ids,
                    /* uuid */ &filter.uuids,
                ],
            )
            .await?;
        rows.iter().map(node).collect()
    }

    /// Finds a node.
    pub async fn find(&self, executor: &impl Executor, space: SpaceId, id: Id) -> Result<Option<Node<Id>>> {
        let sql = format!("{} where own.space_id = $1 and own.id = $2", self.nodes());
        executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id.number()]).await?.as_ref().map(node).transpose()
    }

    /// Adds a node and returns its number.
    pub async fn insert(&self, tx: &Tx<'_>, space: SpaceId, new: &NewNode<Id>, at: Timestamp) -> Result<Id> {
        let sql = format!(
            "insert into {} (space_id, uuid, name, parent_id, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning id",
            self.table
        );
        let row = tx
            .row(
                &sql,
                &[
                    /* space_id */ &space,
                    /* uuid */ &new.uuid,
                    /* name */ &new.name,
                    /* parent_id */ &new.parent_id.map(NumericId::number),
                    /* created_at, updated_at */ &at,
                ],
            )
            .await?;
        Ok(Id::of(row::get(&row, "id")?))
    }

    /// Changes name and parent.
    pub async fn update(
        &self,
        tx: &Tx<'_>,
        space: SpaceId,
        id: Id,
        (name, parent): (&str, Option<Id>),
        at: Timestamp,
    ) -> Result<()> {
        let sql = format!("update {} set name = $3, parent_id = $4, updated_at = $5 where space_id = $1 and id = $2", self.table);
        tx.execute_one(
            self.table,
            &sql,
            &[
                /* space_id */ &space,
                /* id */ &id.number(),
                /* name */ &name,
                /* parent_id */ &parent.map(NumericId::number),
                /* updated_at */ &at,
            ],
        )
        .await
    }

    /// Removes a node. Its children and what else it contains move up to its parent.
    pub async fn delete(&self, tx: &Tx<'_>, space: SpaceId, id: Id, at: Timestamp) -> Result<()> {
        let table = self.table;
        for (held, column) in self.holds.into_iter().chain([(table, "parent_id")]) {
            let sql = format!(
                "update {held} held set {column} = own.parent_id, updated_at = $3
                 from {table} own
                 where own.space_id = $1 and own.id = $2 and held.space_id = $1 and held.{column} = $2"
            );
            tx.execute(&sql, &[/* space_id */ &space, /* id */ &id.number(), /* updated_at */ &at]).await?;
        }
        let sql = format!("delete from {table} where space_id = $1 and id = $2");
        tx.execute_one(table, &sql, &[/* space_id */ &space, /* id */ &id.number()]).await
    }

    /// `$1` is the space.
    fn nodes(&self) -> String {
        let table = self.table;
        format!(
            "select own.id, own.uuid, own.name, own.parent_id, above.uuid as parent_uuid
             from {table} own left join {table} above on above.space_id = $1 and above.id = own.parent_id"
        )
    }
}

fn node<Id: NumericId>(row: &Row) -> Result<Node<Id>> {
    Ok(Node {
        id: Id::of(row::get(row, "id")?),
        uuid: row::get(row, "uuid")?,
        name: row::get(row, "name")?,
        parent_id: row::get::<Option<i64>>(row, "parent_id")?.map(Id::of),
        parent_uuid: row::get(row, "parent_uuid")?,
    })
}
