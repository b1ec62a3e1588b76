//! `POST /api/v1/spaces/{space}/assets`: with JSON the first of three steps (see [`super::begin`]), with a form all of them at once.
//!
//! The form has the file in `file`, and what is told about it in fields before or after it: 201 with the asset. With `id`, which has to
//! come before the file, it replaces the file of that asset: 200. `filename` overrides the file's own name.

use super::{begin, view::AssetView};
use crate::{
    content::{
        Content,
        management::{access, collection},
    },
    web::{
        ApiRequest, ApiResponse, Endpoint, ErrorFormat,
        endpoint::respond,
        multipart::{Form, Part},
        request::api_request,
    },
};
use domain::{
    content::{
        Right,
        asset::{AssetChange, AssetMeta, File, FileName, ObjectKey, Stored},
    },
    shared::{AssetId, Fault, SpaceId},
};
use serde_json::{Map, Value};
use services::content::assets::{CreateAsset, ReplaceAsset};
use storage::content::assets;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("assets")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    // Before anything of the body is looked at.
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    if !Form::is_sent(&request) {
        return begin::begin(&content, (space, by), &mut request).await;
    }
    request.query()?.only(&[])?;
    let mut form = Form::begin(&mut request, content.assets.blobs.max_bytes())?;
    let sent = receive(&content, space, &mut form).await?;
    let change = AssetChange::of(&sent.fields);
    if let Some(id) = sent.replaces {
        let write = ReplaceAsset { id, file: sent.file, change };
        let after = content.spaces.execute(space, by, request.origin(), write).await?;
        return ApiResponse::ok(&AssetView::of(&content.assets, &after));
    }
    let made = content.spaces.execute(space, by, request.origin(), CreateAsset { file: sent.file, change }).await?;
    ApiResponse::created(&AssetView::of(&content.assets, &made))
}

/// What a form held.
struct Sent {
    fields: Map<String, Value>,
    replaces: Option<AssetId>,
    file: File,
}

async fn receive(content: &Content, space: SpaceId, form: &mut Form) -> Result<Sent, Fault> {
    let mut fields = Map::new();
    let mut replaces = None;
    let mut stored: Option<(Stored, FileName)> = None;
    while let Some(part) = form.next().await? {
        match part {
            Part::Text(name, _) if stored.is_some() && matches!(name.as_str(), "id" | "filename") => {
                return Err(Fault::invalid(&name, "late", "must come before the file"));
            }
            Part::Text(name, value) => {
                fields.insert(name, value.into());
            }
            Part::File(_) if stored.is_some() => return Err(Fault::bad_request("badForm", "The form has more than one file")),
            Part::File(upload) => {
                // What is wrong already must not cost the sending of the file.
                AssetChange::of(&fields).apply(&AssetMeta::default())?;
                replaces = begin::asset_id(&fields)?;
                if let Some(id) = replaces {
                    check_presence(content, space, id).await?;
                }
                let name = FileName::of(fields.get("filename").and_then(Value::as_str).unwrap_or(&upload.name));
                let key = ObjectKey::new(space, content.clock.now(), content.entropy.as_ref());
                stored = Some((content.assets.blobs.put(key, &name, upload.pieces()).await?, name));
            }
        }
    }
    let (stored, name) = stored.ok_or_else(|| Fault::invalid("file", "blank", "can't be blank"))?;
    Ok(Sent { fields, replaces, file: File::new(&stored, name) })
}

/// 404 unless there is such an asset, and not in the trash.
pub(super) async fn check_presence(content: &Content, space: SpaceId, id: AssetId) -> Result<(), Fault> {
    let connection = content.store.connection("asset.find").await?;
    let found = assets::find(&connection, space, id).await?;
    found.filter(|f| f.deleted_at.is_none()).map(drop).ok_or_else(Fault::not_found)
}
