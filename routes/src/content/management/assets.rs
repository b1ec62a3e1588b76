//! Assets.
//!
//! ```text
//! in three steps, as Storyblok's clients do:                in one:
//!   POST …/assets {filename, …}      -> id, post_url, fields    POST …/assets  (multipart/form-data with the file) -> the asset
//!   POST post_url (fields, then the file), no token needed
//!   GET  …/assets/{id}/finish_upload -> the asset
//! ```
//!
//! With the `id` of an existing asset, both replace the file of that asset. An asset exists when its file
//! does: the number that the first step answers is nothing until the upload is finished.

mod begin;
mod bulk;
mod copy;
mod create;
mod list;
mod upload;
mod view;

use super::{
    access::{Changing, Manager},
    envelope,
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, Public, body::DEFAULT_LIMIT},
};
use domain::{
    content::{
        Right,
        asset::{AssetChange, FileName},
    },
    shared::{AssetId, Fault, FieldCode},
};
use serde_json::{Map, Value};
use services::content::assets::{DeleteAsset, FinishUpload, UpdateAsset};
use std::time::Duration;
use storage::content::assets;
use view::AssetView;

/// How long a request may take, because files come slowly; an upload whose bytes stop coming is cut off
/// earlier.
const TIMEOUT: Duration = Duration::from_mins(15);

/// The endpoints below `/api/v1/spaces/{space}/assets`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/assets", Right::Read, list::list)
        .post("/api/v1/spaces/{space}/assets", Right::WriteContent, create::create)
        .post("/api/v1/spaces/{space}/assets/bulk_destroy", Right::WriteContent, bulk::destroy)
        .post("/api/v1/spaces/{space}/assets/bulk_restore", Right::WriteContent, bulk::restore)
        .post("/api/v1/spaces/{space}/assets/bulk_tags_association", Right::WriteContent, bulk::tag)
        .post("/api/v1/spaces/{space}/assets/bulk_update", Right::WriteContent, bulk::update)
        .post("/api/v1/spaces/{space}/assets/copy_from_url", Right::WriteContent, copy::copy)
        .get("/api/v1/spaces/{space}/assets/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/assets/{id}", Right::WriteContent, update)
        .patch("/api/v1/spaces/{space}/assets/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/assets/{id}", Right::WriteContent, delete)
        .post("/api/v1/spaces/{space}/assets/{id}/upload", Public, upload::upload)
        .get_that_writes("/api/v1/spaces/{space}/assets/{id}/finish_upload", Changing(Right::WriteContent), finish)
        .with_timeout(TIMEOUT)
}

/// 200 with the asset, also one in the trash.
async fn read(content: Content, caller: Manager, id: AssetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("asset.find").await?;
    let asset = assets::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&AssetView::of(&content, &asset))
}

/// Of `{"asset": {…}}`: 204, as on Storyblok. Members that are not named keep their values. `short_filename`
/// renames the file, which keeps its extension.
async fn update(content: Content, caller: Manager, id: AssetId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let members: Map<String, Value> = envelope::read(&mut request, "asset", DEFAULT_LIMIT).await?;
    let command = UpdateAsset { id, change: AssetChange::of(&members), name: file_name(&members)? };
    content.execute(&caller, command).await?;
    Ok(ApiResponse::empty())
}

/// The new name of the file, if one is given.
fn file_name(members: &Map<String, Value>) -> Result<Option<FileName>, Fault> {
    match members.get("short_filename") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) if !name.trim().is_empty() => Ok(Some(FileName::of(name))),
        Some(_) => Err(Fault::invalid("short_filename", FieldCode::Blank, "can't be blank")),
    }
}

/// 200 with the asset, which is in the trash from then on, and not served. It can be restored for 90 days.
async fn delete(content: Content, caller: Manager, id: AssetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeleteAsset(id)).await?;
    ApiResponse::ok(&AssetView::of(&content, &deleted))
}

/// 200 with the asset: the third step of an upload. Repeated, it answers the same.
async fn finish(content: Content, caller: Manager, id: AssetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let asset = content.execute(&caller, FinishUpload(id)).await?;
    ApiResponse::ok(&AssetView::of(&content, &asset))
}
