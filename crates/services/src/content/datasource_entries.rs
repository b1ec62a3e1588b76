//! Commands of the entries of datasources. All of them move `cv`.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        datasource_entry::{DimensionValue, Entry, EntryChange},
    },
    shared::{DimensionId, EntryId, Fault},
};
use serde_json::json;
use storage::content::datasource_entries;

/// Adds an entry.
pub struct CreateEntry {
    /// The attributes of the entry.
    pub change: EntryChange,
    /// The dimension of the change's `dimension_value`.
    pub dimension: Option<DimensionId>,
}

impl SpaceCommand for CreateEntry {
    type Output = Entry;

    const NAME: &'static str = "datasource_entry.create";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Entry, Changes)> {
        let draft = self.change.apply(None)?;
        let in_dimension = self.change.dimension_value(self.dimension)?;
        let mut created = datasource_entries::insert(ctx.tx, ctx.space, self.change.datasource()?, &draft).await?;
        if let Some(written) = &in_dimension {
            datasource_entries::set_value(ctx.tx, ctx.space, &created, written).await?;
            created.dimension_value.clone_from(&written.value);
        }
        let changes = audited("datasource_entry.create", &created, &created.name, in_dimension.as_ref());
        Ok((created, changes))
    }
}

/// Changes an entry, or its value in a dimension.
pub struct UpdateEntry {
    pub id: EntryId,
    pub change: EntryChange,
    /// The dimension of the change's `dimension_value`.
    pub dimension: Option<DimensionId>,
}

impl SpaceCommand for UpdateEntry {
    type Output = ();

    const NAME: &'static str = "datasource_entry.update";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let old = datasource_entries::find(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        let draft = self.change.apply(Some(&old))?;
        let in_dimension = self.change.dimension_value(self.dimension)?;
        datasource_entries::update(ctx.tx, ctx.space, self.id, &draft).await?;
        if let Some(written) = &in_dimension {
            datasource_entries::set_value(ctx.tx, ctx.space, &old, written).await?;
        }
        Ok(((), audited("datasource_entry.update", &old, &draft.name, in_dimension.as_ref())))
    }
}

/// Removes an entry.
pub struct DeleteEntry(pub EntryId);

impl SpaceCommand for DeleteEntry {
    type Output = ();

    const NAME: &'static str = "datasource_entry.delete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let old = datasource_entries::find(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        datasource_entries::delete(ctx.tx, ctx.space, self.0).await?;
        Ok(((), audited("datasource_entry.delete", &old, &old.name, None)))
    }
}

fn audited(action: &'static str, entry: &Entry, name: &str, in_dimension: Option<&DimensionValue>) -> Changes {
    let mut meta = json!({ "datasource_id": entry.datasource_id });
    if let (Some(written), Some(meta)) = (in_dimension, meta.as_object_mut()) {
        meta.insert("dimension_id".to_owned(), written.dimension.0.into());
    }
    Changes::default().and_audit(action, "datasource_entry", entry.id, name, meta).visible()
}
