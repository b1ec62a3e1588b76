//! Writes of component groups.

use crate::content::{Desk, Write};
use domain::{
    content::{
        Changes,
        component_group::{ComponentGroup, GroupChange},
    },
    shared::{Fault, GroupId},
};
use storage::content::component_groups;

/// Adds a group.
pub struct CreateComponentGroup(pub GroupChange);

impl Write for CreateComponentGroup {
    type Done = ComponentGroup;

    const NAME: &'static str = "component_group.create";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(ComponentGroup, Changes)> {
        let all = component_groups::lock_all(desk.tx, desk.space).await?;
        let (name, parent_id) = self.0.apply(None, &all)?;
        let uuid = desk.entropy.uuid();
        let id = component_groups::insert(desk.tx, desk.space, uuid, &name, parent_id, desk.now).await?;
        let made = ComponentGroup { id, uuid, name, parent_id, parent_uuid: uuid_of(parent_id, &all) };
        let changes = audited("component_group.create", &made);
        Ok((made, changes))
    }
}

/// Changes a group's name or place.
pub struct UpdateComponentGroup {
    /// Which.
    pub id: GroupId,
    /// What changes.
    pub change: GroupChange,
}

impl Write for UpdateComponentGroup {
    type Done = ComponentGroup;

    const NAME: &'static str = "component_group.update";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(ComponentGroup, Changes)> {
        let all = component_groups::lock_all(desk.tx, desk.space).await?;
        let old = all.iter().find(|it| it.id == self.id).ok_or_else(Fault::not_found)?;
        let (name, parent_id) = self.change.apply(Some(old), &all)?;
        component_groups::update(desk.tx, desk.space, self.id, &name, parent_id, desk.now).await?;
        let after = ComponentGroup { id: old.id, uuid: old.uuid, name, parent_id, parent_uuid: uuid_of(parent_id, &all) };
        let changes = audited("component_group.update", &after);
        Ok((after, changes))
    }
}

/// Removes a group; what it holds stays.
pub struct DeleteComponentGroup(pub GroupId);

impl Write for DeleteComponentGroup {
    type Done = ComponentGroup;

    const NAME: &'static str = "component_group.delete";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(ComponentGroup, Changes)> {
        let all = component_groups::lock_all(desk.tx, desk.space).await?;
        let old = all.into_iter().find(|it| it.id == self.0).ok_or_else(Fault::not_found)?;
        component_groups::delete(desk.tx, desk.space, self.0, desk.now).await?;
        let changes = audited("component_group.delete", &old);
        Ok((old, changes))
    }
}

fn uuid_of(id: Option<GroupId>, all: &[ComponentGroup]) -> Option<uuid::Uuid> {
    all.iter().find(|it| Some(it.id) == id).map(|it| it.uuid)
}

fn audited(action: &'static str, group: &ComponentGroup) -> Changes {
    Changes::audited(action, "component_group", group.id, group.name.as_str())
}
