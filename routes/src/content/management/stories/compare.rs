//! What differs between a version of a story and its draft.

use crate::{
    content::{Content, management::access::Manager},
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::{
        differences::{Difference, differences},
        story::StoryContent,
    },
    shared::{Fault, StoryId, timestamp},
};
use serde_json::{Value, json};
use storage::content::stories::{
    read as stories,
    versions::{self, Version},
};

/// With the id of a version as `version` (or `version_v2`) in the query: 200 with the version, the draft as
/// it is now, and the paths of the content that differ. 404 for a version of another story.
pub(super) async fn compare(content: Content, caller: Manager, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["version", "version_v2", "versions_v2"])?;
    let number: i64 = match query.parsed("version_v2")? {
        Some(number) => number,
        None => query.required("version")?,
    };
    let connection = content.store.connection("version.compare").await?;
    let current = stories::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    let (of, version) = versions::find(&connection, caller.space(), number).await?.ok_or_else(Fault::not_found)?;
    if of != id {
        return Err(Fault::not_found());
    }
    let old = version.content.as_ref().map_or(Ok(&Value::Null), StoryContent::tree)?;
    let new = current.draft.content.tree()?;
    let mut found = differences(old, new);
    if version.name != current.draft.name {
        found.insert(0, Difference { path: "name".to_owned(), change: "changed" });
    }
    let changes: Vec<Value> = found.iter().map(|d| json!({ "path": d.path, "change": d.change })).collect();
    ApiResponse::ok(&json!({
        "story_id": id,
        "version": view(&version, old),
        "current": { "name": current.draft.name, "content": new, "updated_at": timestamp::format(current.story.updated_at) },
        "changes": changes,
    }))
}

fn view(version: &Version, content: &Value) -> Value {
    json!({
        "id": version.id,
        "status": version.status.into_str(),
        "name": version.name,
        "author": version.author.name(),
        "created_at": timestamp::format(version.created_at),
        "content": content,
    })
}
