//! Changes of many assets at once: all of them, or none.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access::Manager, envelope},
    },
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::{
    content::asset::{Asset, AssetChange, AssetMeta},
    shared::{AssetId, Fault, FieldCode},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use services::content::assets::{DeleteAssets, MoveAssets, RestoreAssets, TagAssets};

/// The most assets of one request.
const MAX_ASSETS: usize = 100;
/// The most tags that one request puts on assets, and the most that it takes away.
const MAX_TAGS: usize = 100;
/// The attribute that a bulk update changes.
const FOLDER: &str = "asset_folder_id";

#[derive(Deserialize)]
struct Ids {
    ids: Vec<AssetId>,
}

#[derive(Deserialize)]
struct MoveBody {
    ids: Vec<AssetId>,
    /// Storyblok's older documentation has the folder beside the ids.
    asset_folder_id: Option<Value>,
    #[serde(default)]
    asset: Map<String, Value>,
}

/// Of `{ids, asset: {asset_folder_id}}`: 200 `{"assets": […]}`, all of them in the folder; `null` is no
/// folder.
pub(super) async fn update(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let MoveBody { ids, asset_folder_id, mut asset } = request.json(DEFAULT_LIMIT).await?;
    let ids = checked(ids)?;
    if let Some(folder) = asset_folder_id {
        asset.entry(FOLDER).or_insert(folder);
    }
    if let Some(other) = asset.keys().find(|name| *name != FOLDER) {
        return Err(Fault::invalid(other.as_str(), FieldCode::NotSupported, "cannot be changed for many assets at once"));
    }
    if asset.is_empty() {
        return Err(Fault::invalid(FOLDER, FieldCode::Blank, "can't be blank"));
    }
    let folder = AssetChange::of(&asset).apply(&AssetMeta::default())?.folder;
    let command = MoveAssets { ids, folder };
    let moved = content.execute(&caller, command).await?;
    answer(&content, &moved)
}

/// Of `{ids}`: 200 `{"assets": […]}`, those that went to the trash. One that is in the trash already stays
/// there.
pub(super) async fn destroy(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let ids = checked(request.json::<Ids>(DEFAULT_LIMIT).await?.ids)?;
    let deleted = content.execute(&caller, DeleteAssets(ids)).await?;
    answer(&content, &deleted)
}

/// Of `{ids}`: 200 `{"assets": […]}`, those that came back from the trash.
pub(super) async fn restore(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let ids = checked(request.json::<Ids>(DEFAULT_LIMIT).await?.ids)?;
    let restored = content.execute(&caller, RestoreAssets(ids)).await?;
    answer(&content, &restored)
}

#[derive(Deserialize)]
struct TagBody {
    ids: Vec<AssetId>,
    #[serde(default)]
    internal_tag_ids: Vec<i64>,
    /// Storyblok has no such member: there each asset is read and written.
    #[serde(default)]
    removed_internal_tag_ids: Vec<i64>,
}

/// Of `{ids, internal_tag_ids, removed_internal_tag_ids}`: 200 `{"assets": […]}`, each with the first tags
/// beside those that it has, and without the second ones.
pub(super) async fn tag(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: TagBody = request.json(DEFAULT_LIMIT).await?;
    let ids = checked(body.ids)?;
    if body.internal_tag_ids.is_empty() && body.removed_internal_tag_ids.is_empty() {
        return Err(Fault::invalid("internal_tag_ids", FieldCode::Blank, "can't be blank"));
    }
    let lists = [("internal_tag_ids", &body.internal_tag_ids), ("removed_internal_tag_ids", &body.removed_internal_tag_ids)];
    if let Some((name, _)) = lists.into_iter().find(|(_, tags)| tags.len() > MAX_TAGS) {
        return Err(Fault::invalid(name, FieldCode::TooMany, format!("is too long (maximum is {MAX_TAGS})")));
    }
    let command = TagAssets { ids, added: body.internal_tag_ids, removed: body.removed_internal_tag_ids };
    let tagged = content.execute(&caller, command).await?;
    answer(&content, &tagged)
}

fn checked(ids: Vec<AssetId>) -> Result<Vec<AssetId>, Fault> {
    if ids.len() > MAX_ASSETS {
        return Err(Fault::invalid("ids", FieldCode::TooMany, format!("is too long (maximum is {MAX_ASSETS})")));
    }
    Ok(ids)
}

fn answer(content: &Content, assets: &[Asset]) -> Result<ApiResponse, Fault> {
    let views: Vec<_> = assets.iter().map(|asset| AssetView::of(content, asset)).collect();
    ApiResponse::ok(&envelope::wrap("assets", views))
}
