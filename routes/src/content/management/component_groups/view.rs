//! A component group in the hosted shape.

use domain::{content::component_group::ComponentGroup, shared::GroupId};
use serde::Serialize;
use uuid::Uuid;

/// What a caller sees of a group.
#[derive(Serialize)]
pub(in crate::content::management) struct GroupView<'a> {
    id: GroupId,
    name: &'a str,
    uuid: Uuid,
    parent_id: Option<GroupId>,
    parent_uuid: Option<Uuid>,
}

impl<'a> GroupView<'a> {
    /// The view of a group.
    pub(in crate::content::management) fn of(group: &'a ComponentGroup) -> Self {
        let ComponentGroup { id, uuid, name, parent_id, parent_uuid } = group;
        Self { id: *id, name, uuid: *uuid, parent_id: *parent_id, parent_uuid: *parent_uuid }
    }
}
