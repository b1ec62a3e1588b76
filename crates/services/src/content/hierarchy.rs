//! Commands of the two trees of folders, asset folders and component groups. None of them moves `cv`, because
//! delivery reads neither.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        hierarchy::{Node, NodeChange},
    },
    shared::{AssetFolderId, Fault, GroupId, NumericId},
};
use storage::content::hierarchy::{ASSET_FOLDERS, COMPONENT_GROUPS, Hierarchy, HierarchyFilter, NewNode};

/// A tree of folders, by the type of its numbers.
pub trait Nested: NumericId {
    /// The table of its nodes.
    const TABLE: Hierarchy<Self>;
    /// The right that its commands need.
    const NEEDS: Right;
    /// The target type of a node in the audit log.
    const TARGET: &'static str;
    /// The audit action of adding a node.
    const CREATE: &'static str;
    /// The audit action of changing a node.
    const UPDATE: &'static str;
    /// The audit action of removing a node.
    const DELETE: &'static str;
}

impl Nested for AssetFolderId {
    const TABLE: Hierarchy<Self> = ASSET_FOLDERS;
    const NEEDS: Right = Right::WriteContent;
    const TARGET: &'static str = "asset_folder";
    const CREATE: &'static str = "asset_folder.create";
    const UPDATE: &'static str = "asset_folder.update";
    const DELETE: &'static str = "asset_folder.delete";
}

impl Nested for GroupId {
    const TABLE: Hierarchy<Self> = COMPONENT_GROUPS;
    const NEEDS: Right = Right::Administer;
    const TARGET: &'static str = "component_group";
    const CREATE: &'static str = "component_group.create";
    const UPDATE: &'static str = "component_group.update";
    const DELETE: &'static str = "component_group.delete";
}

/// Adds a node.
pub struct CreateNode<Id>(pub NodeChange<Id>);

impl<Id: Nested> SpaceCommand for CreateNode<Id> {
    type Output = Node<Id>;

    const NAME: &'static str = Id::CREATE;

    const NEEDS: Right = Id::NEEDS;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Node<Id>, Changes)> {
        let (name, parent_id) = self.0.apply(None, &all(ctx).await?)?;
        let new = NewNode { uuid: ctx.entropy.uuid(), name, parent_id };
        let id = Id::TABLE.insert(ctx.tx, ctx.space, &new, ctx.now).await?;
        read_back(ctx, id, Id::CREATE).await
    }
}

/// Changes a node.
pub struct UpdateNode<Id> {
    pub id: Id,
    pub change: NodeChange<Id>,
}

impl<Id: Nested> SpaceCommand for UpdateNode<Id> {
    type Output = Node<Id>;

    const NAME: &'static str = Id::UPDATE;

    const NEEDS: Right = Id::NEEDS;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Node<Id>, Changes)> {
        let all = all(ctx).await?;
        let old = all.iter().find(|node| node.id == self.id).ok_or_else(Fault::not_found)?;
        let (name, parent) = self.change.apply(Some(old), &all)?;
        Id::TABLE.update(ctx.tx, ctx.space, self.id, (&name, parent), ctx.now).await?;
        read_back(ctx, self.id, Id::UPDATE).await
    }
}

/// Removes a node. Its children move up to its parent, and so do the assets of a folder; the components of a
/// group have no group any more.
pub struct DeleteNode<Id>(pub Id);

impl<Id: Nested> SpaceCommand for DeleteNode<Id> {
    type Output = Node<Id>;

    const NAME: &'static str = Id::DELETE;

    const NEEDS: Right = Id::NEEDS;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Node<Id>, Changes)> {
        let deleted = Id::TABLE.find(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        Id::TABLE.delete(ctx.tx, ctx.space, self.0, ctx.now).await?;
        let changes = Changes::audited(Id::DELETE, Id::TARGET, deleted.id, deleted.name.as_str());
        Ok((deleted, changes))
    }
}

/// All nodes of the space. They cannot change before the commit, because each command locks the space: so two
/// moves at the same time cannot close a cycle.
async fn all<Id: Nested>(ctx: &CommandContext<'_>) -> storage::Result<Vec<Node<Id>>> {
    Id::TABLE.list(ctx.tx, ctx.space, &HierarchyFilter::default()).await
}

async fn read_back<Id: Nested>(ctx: &CommandContext<'_>, id: Id, action: &'static str) -> storage::Result<(Node<Id>, Changes)> {
    let after = Id::TABLE.find(ctx.tx, ctx.space, id).await?.ok_or_else(Fault::not_found)?;
    let changes = Changes::audited(action, Id::TARGET, after.id, after.name.as_str());
    Ok((after, changes))
}
