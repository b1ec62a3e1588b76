//! `/api/admin/spaces…`: the spaces of everybody.

pub(super) mod list;
pub(super) mod owner;
pub(super) mod undelete;

use domain::shared::{ListedSpace, SpaceId, UserId, timestamp};
use jiff::Timestamp;
use serde::Serialize;

/// A space as administrators see it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpaceView {
    id: SpaceId,
    name: String,
    owner: Option<Owner>,
    /// Whether it has no owner.
    orphaned: bool,
    size: Size,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    /// The last change in the space or of its settings.
    #[serde(serialize_with = "timestamp::serialize")]
    changed_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    deleted_at: Option<Timestamp>,
}

#[derive(Serialize)]
struct Owner {
    id: UserId,
    email: String,
}

/// Stories without folders, assets without the trash, and the bytes of their files.
#[derive(Serialize)]
struct Size {
    stories: i64,
    assets: i64,
    bytes: i64,
}

impl From<ListedSpace> for SpaceView {
    fn from(space: ListedSpace) -> Self {
        Self {
            id: space.id,
            name: space.name,
            orphaned: space.owner.is_none(),
            owner: space.owner.map(|(id, email)| Owner { id, email }),
            size: Size { stories: space.stories, assets: space.assets, bytes: space.asset_bytes },
            created_at: space.created_at,
            changed_at: space.changed_at,
            deleted_at: space.deleted_at,
        }
    }
}
