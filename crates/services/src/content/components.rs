//! Commands of component definitions. Each makes a version. Only a new name in content moves `cv`, because
//! delivery does not read components.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        component::{Component, ComponentChange, ComponentEvent},
        component_rename::ComponentRename,
    },
    shared::{ComponentId, Fault},
};
use serde_json::json;
use storage::content::{component_rename, component_versions, components};

/// Adds a component.
pub struct CreateComponent(pub ComponentChange);

impl SpaceCommand for CreateComponent {
    type Output = Component;

    const NAME: &'static str = "component.create";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        let definition = self.0.create()?;
        let created = components::insert(ctx.tx, ctx.space, &definition, ctx.now).await?;
        append_version(ctx, created.id, ComponentEvent::Create).await?;
        let changes = audited("component.create", &created);
        Ok((created, changes))
    }
}

/// Changes a component.
pub struct UpdateComponent {
    pub id: ComponentId,
    pub change: ComponentChange,
    /// Whether a new name is written wherever the space refers to the component: blocks of drafts, published
    /// editions and presets, restrictions of schemas, default content types of folders. Otherwise all these
    /// keep the old one.
    pub renames_content: bool,
}

impl SpaceCommand for UpdateComponent {
    type Output = Component;

    const NAME: &'static str = "component.update";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        let old = components::lock(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        let from = old.definition.name.clone();
        let definition = self.change.apply(old.definition)?;
        let mut after = components::update(ctx.tx, ctx.space, self.id, &definition, ctx.now).await?;
        let mut changes = audited("component.update", &after);
        if self.renames_content && definition.name != from {
            rename(ctx, self.id, &ComponentRename { from, to: definition.name }).await?;
            after = components::lock(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
            changes = changes.visible();
        }
        append_version(ctx, self.id, ComponentEvent::Update).await?;
        Ok((after, changes))
    }
}

/// Writes the new name of a component wherever the space refers to it. Components whose restrictions change
/// get a version.
async fn rename(ctx: &CommandContext<'_>, renamed: ComponentId, rename: &ComponentRename) -> storage::Result<()> {
    component_rename::in_editions(ctx.tx, ctx.space, rename).await?;
    component_rename::in_folders(ctx.tx, ctx.space, rename).await?;
    component_rename::in_presets(ctx.tx, ctx.space, rename).await?;
    for restricted in component_rename::in_schemas(ctx.tx, ctx.space, rename).await? {
        // That of the component itself follows with its name.
        if restricted != renamed {
            append_version(ctx, restricted, ComponentEvent::Update).await?;
        }
    }
    Ok(())
}

/// Removes a component with its presets. It can be restored for 90 days.
pub struct DeleteComponent(pub ComponentId);

impl SpaceCommand for DeleteComponent {
    type Output = Component;

    const NAME: &'static str = "component.delete";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        let old = components::lock(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        component_versions::delete(ctx.tx, ctx.space, self.0, ctx.now).await?;
        let changes = audited("component.delete", &old);
        Ok((old, changes))
    }
}

/// Brings a deleted component back with its presets.
pub struct RestoreComponent(pub ComponentId);

impl SpaceCommand for RestoreComponent {
    type Output = Component;

    const NAME: &'static str = "component.restore";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        if !component_versions::restore_deleted(ctx.tx, ctx.space, self.0).await? {
            return Err(Fault::not_found().into());
        }
        let restored = components::lock(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        let changes = audited("component.restore", &restored);
        Ok((restored, changes))
    }
}

/// Makes a component what it was in one of its versions, which makes a new version.
pub struct RestoreComponentVersion {
    pub id: ComponentId,
    pub version: i64,
}

impl SpaceCommand for RestoreComponentVersion {
    type Output = Component;

    const NAME: &'static str = "component.restore_version";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        let restored = component_versions::restore_version(ctx.tx, ctx.space, self.id, self.version, ctx.now).await?;
        let restored = restored.ok_or_else(Fault::not_found)?;
        append_version(ctx, self.id, ComponentEvent::Update).await?;
        let name = restored.definition.name.as_str();
        let meta = json!({ "version": self.version });
        let changes = Changes::default().and_audit("component.restore_version", "component", self.id, name, meta);
        Ok((restored, changes))
    }
}

/// Makes a version of what a component is now.
pub(super) async fn append_version(ctx: &CommandContext<'_>, id: ComponentId, event: ComponentEvent) -> storage::Result<()> {
    component_versions::append(ctx.tx, ctx.space, id, event, (ctx.authorized.actor(), ctx.now)).await
}

fn audited(action: &'static str, component: &Component) -> Changes {
    Changes::audited(action, "component", component.id, component.definition.name.as_str())
}
