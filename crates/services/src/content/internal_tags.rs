//! Commands of internal tags. None of them moves `cv`, because readers do not see these tags.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        internal_tag::{InternalTag, InternalTagChange, MAX_TAGS},
    },
    shared::{Fault, FieldCode, InternalTagId},
};
use storage::content::internal_tags;

/// Adds a tag.
pub struct CreateInternalTag(pub InternalTagChange);

impl SpaceCommand for CreateInternalTag {
    type Output = InternalTag;

    const NAME: &'static str = "internal_tag.create";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(InternalTag, Changes)> {
        let (name, kind) = self.0.apply(None)?;
        ctx.authorized.require(kind.right())?;
        // The space is locked, so no other tag comes in between; the name is unique by an index.
        if internal_tags::count(ctx.tx, ctx.space, kind).await? >= MAX_TAGS {
            return Err(Fault::invalid("base", FieldCode::TooMany, format!("has {MAX_TAGS} tags; delete one first")).into());
        }
        let created = internal_tags::insert(ctx.tx, ctx.space, &name, kind, ctx.now).await?;
        let changes = audited("internal_tag.create", &created);
        Ok((created, changes))
    }
}

/// Renames a tag.
pub struct UpdateInternalTag {
    pub id: InternalTagId,
    pub change: InternalTagChange,
}

impl SpaceCommand for UpdateInternalTag {
    type Output = InternalTag;

    const NAME: &'static str = "internal_tag.update";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(InternalTag, Changes)> {
        let old = find(ctx, self.id).await?;
        let (name, _) = self.change.apply(Some(&old))?;
        let after = internal_tags::rename(ctx.tx, ctx.space, self.id, &name, ctx.now).await?;
        let changes = audited("internal_tag.update", &after);
        Ok((after, changes))
    }
}

/// Removes a tag, also from everything that has it.
pub struct DeleteInternalTag(pub InternalTagId);

impl SpaceCommand for DeleteInternalTag {
    type Output = InternalTag;

    const NAME: &'static str = "internal_tag.delete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(InternalTag, Changes)> {
        let old = find(ctx, self.0).await?;
        internal_tags::delete(ctx.tx, ctx.space, &old).await?;
        let changes = audited("internal_tag.delete", &old);
        Ok((old, changes))
    }
}

/// The tag, if the caller may change it.
async fn find(ctx: &CommandContext<'_>, id: InternalTagId) -> storage::Result<InternalTag> {
    let found = internal_tags::lock(ctx.tx, ctx.space, id).await?.ok_or_else(Fault::not_found)?;
    ctx.authorized.require(found.kind.right())?;
    Ok(found)
}

fn audited(action: &'static str, tag: &InternalTag) -> Changes {
    Changes::audited(action, "internal_tag", tag.id, tag.name.as_str())
}
