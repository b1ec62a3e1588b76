//! Writes of things that stand in each other: folders of assets and groups of components. Published reads see neither.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes,
        hierarchy::{Node, NodeChange},
    },
    shared::{AssetFolderId, Fault, GroupId, NumericId},
};
use storage::content::hierarchy::{ASSET_FOLDERS, COMPONENT_GROUPS, Filter, Hierarchy, NewNode};

/// What stands in its like, by its number.
pub trait Nested: NumericId {
    /// Where they are stored.
    const TABLE: Hierarchy<Self>;
    /// What the audit log calls one.
    const ONE: &'static str;
    /// What it calls what is done to one.
    const CREATE: &'static str;
    /// The same for a change.
    const UPDATE: &'static str;
    /// The same for a removal.
    const DELETE: &'static str;
}

impl Nested for AssetFolderId {
    const TABLE: Hierarchy<Self> = ASSET_FOLDERS;
    const ONE: &'static str = "asset_folder";
    const CREATE: &'static str = "asset_folder.create";
    const UPDATE: &'static str = "asset_folder.update";
    const DELETE: &'static str = "asset_folder.delete";
}

impl Nested for GroupId {
    const TABLE: Hierarchy<Self> = COMPONENT_GROUPS;
    const ONE: &'static str = "component_group";
    const CREATE: &'static str = "component_group.create";
    const UPDATE: &'static str = "component_group.update";
    const DELETE: &'static str = "component_group.delete";
}

/// Adds one.
pub struct CreateNode<Id>(pub NodeChange<Id>);

impl<Id: Nested> SpaceCommand for CreateNode<Id> {
    type Output = Node<Id>;

    const NAME: &'static str = Id::CREATE;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Node<Id>, Changes)> {
        let (name, parent_id) = self.0.apply(None, &all(ctx).await?)?;
        let new = NewNode { uuid: ctx.entropy.uuid(), name, parent_id };
        let id = Id::TABLE.insert(ctx.tx, ctx.space, &new, ctx.now).await?;
        finished(ctx, id, Id::CREATE).await
    }
}

/// Changes one.
pub struct UpdateNode<Id> {
    /// Which.
    pub id: Id,
    /// What changes.
    pub change: NodeChange<Id>,
}

impl<Id: Nested> SpaceCommand for UpdateNode<Id> {
    type Output = Node<Id>;

    const NAME: &'static str = Id::UPDATE;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Node<Id>, Changes)> {
        let all = all(ctx).await?;
        let old = all.iter().find(|value| value.id == self.id).ok_or_else(Fault::not_found)?;
        let (name, parent) = self.change.apply(Some(old), &all)?;
        Id::TABLE.update(ctx.tx, ctx.space, self.id, (&name, parent), ctx.now).await?;
        finished(ctx, self.id, Id::UPDATE).await
    }
}

/// Removes one. Those in it move up to its parent, and so do the assets of a folder; the components of a group have none from then on.
pub struct DeleteNode<Id>(pub Id);

impl<Id: Nested> SpaceCommand for DeleteNode<Id> {
    type Output = Node<Id>;

    const NAME: &'static str = Id::DELETE;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Node<Id>, Changes)> {
        let gone = Id::TABLE.find(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        Id::TABLE.delete(ctx.tx, ctx.space, self.0, ctx.now).await?;
        let changes = Changes::audited(Id::DELETE, Id::ONE, gone.id, gone.name.as_str());
        Ok((gone, changes))
    }
}

/// All of the space. Two moves at once cannot close a circle: the space's row is locked for each write.
async fn all<Id: Nested>(ctx: &CommandContext<'_>) -> storage::Result<Vec<Node<Id>>> {
    Id::TABLE.list(ctx.tx, ctx.space, &Filter::default()).await
}

async fn finished<Id: Nested>(ctx: &CommandContext<'_>, id: Id, action: &'static str) -> storage::Result<(Node<Id>, Changes)> {
    let after = Id::TABLE.find(ctx.tx, ctx.space, id).await?.ok_or_else(Fault::not_found)?;
    let changes = Changes::audited(action, Id::ONE, after.id, after.name.as_str());
    Ok((after, changes))
}
