//! Commands of component definitions. None of them moves `cv`, because delivery does not read components.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes,
        component::{Component, ComponentChange},
    },
    shared::{ComponentId, Fault},
};
use storage::content::components;

/// Adds a component.
pub struct CreateComponent(pub ComponentChange);

impl SpaceCommand for CreateComponent {
    type Output = Component;

    const NAME: &'static str = "component.create";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        let definition = self.0.create()?;
        let created = components::insert(ctx.tx, ctx.space, &definition, ctx.now).await?;
        let changes = audited("component.create", &created);
        Ok((created, changes))
    }
}

/// Changes a component.
pub struct UpdateComponent {
    /// The component.
    pub id: ComponentId,
    /// The change.
    pub change: ComponentChange,
}

impl SpaceCommand for UpdateComponent {
    type Output = Component;

    const NAME: &'static str = "component.update";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        let old = components::lock(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        let definition = self.change.apply(old.definition)?;
        let after = components::update(ctx.tx, ctx.space, self.id, &definition, ctx.now).await?;
        let changes = audited("component.update", &after);
        Ok((after, changes))
    }
}

/// Removes a component with its presets.
pub struct DeleteComponent(pub ComponentId);

impl SpaceCommand for DeleteComponent {
    type Output = Component;

    const NAME: &'static str = "component.delete";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Component, Changes)> {
        let old = components::lock(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        components::delete(ctx.tx, ctx.space, self.0).await?;
        let changes = audited("component.delete", &old);
        Ok((old, changes))
    }
}

fn audited(action: &'static str, component: &Component) -> Changes {
    Changes::audited(action, "component", component.id, component.definition.name.as_str())
}
