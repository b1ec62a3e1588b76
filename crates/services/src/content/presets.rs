//! Commands of presets. None of them moves `cv`, because delivery does not read presets.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        preset::{Preset, PresetChange},
    },
    shared::{Fault, PresetId},
};
use storage::content::presets;

/// Adds a preset.
pub struct CreatePreset(pub PresetChange);

impl SpaceCommand for CreatePreset {
    type Output = Preset;

    const NAME: &'static str = "preset.create";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Preset, Changes)> {
        let draft = self.0.apply(None)?;
        let created = presets::insert(ctx.tx, ctx.space, &draft, ctx.now).await?;
        let changes = audited("preset.create", &created);
        Ok((created, changes))
    }
}

/// Changes a preset.
pub struct UpdatePreset {
    pub id: PresetId,
    pub change: PresetChange,
}

impl SpaceCommand for UpdatePreset {
    type Output = Preset;

    const NAME: &'static str = "preset.update";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Preset, Changes)> {
        let old = presets::lock(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        let draft = self.change.apply(Some(old.draft))?;
        let after = presets::update(ctx.tx, ctx.space, self.id, &draft, ctx.now).await?;
        let changes = audited("preset.update", &after);
        Ok((after, changes))
    }
}

/// Removes a preset.
pub struct DeletePreset(pub PresetId);

impl SpaceCommand for DeletePreset {
    type Output = Preset;

    const NAME: &'static str = "preset.delete";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Preset, Changes)> {
        let old = presets::lock(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        presets::delete(ctx.tx, ctx.space, self.0).await?;
        let changes = audited("preset.delete", &old);
        Ok((old, changes))
    }
}

fn audited(action: &'static str, preset: &Preset) -> Changes {
    Changes::audited(action, "preset", preset.id, preset.draft.name.as_str())
}
