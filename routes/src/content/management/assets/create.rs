//! Creates an asset, or replaces its file, by a form that has the file.

use super::{begin, view::AssetView};
use crate::{
    content::{Content, management::access::Manager},
    web::{
        ApiRequest, ApiResponse,
        multipart::{Form, Part},
    },
};
use domain::{
    content::asset::{AssetChange, AssetMeta, File, FileName, ObjectKey, Stored},
    shared::{AssetId, Code, Fault, FieldCode, SpaceId},
};
use serde_json::{Map, Value};
use services::content::assets::{CreateAsset, ReplaceAsset};
use storage::content::assets;

/// The form has the file in `file`, and the asset's attributes in fields before or after it: 201 with the
/// asset. With `id`, which has to come before the file, it replaces the file of that asset: 200. `filename`
/// overrides the file's own name. What is no form is the first step of an upload in three: see
/// [`super::begin`].
pub(super) async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    if !Form::is_sent(&request) {
        return begin::begin(&content, caller, &mut request).await;
    }
    request.query()?.only(&[])?;
    let mut form = Form::begin(&mut request, content.assets.blobs.max_bytes())?;
    let sent = receive(&content, caller.space(), &mut form).await?;
    let change = AssetChange::of(&sent.fields);
    if let Some(id) = sent.replaces {
        let command = ReplaceAsset { id, file: sent.file, change };
        let replaced = content.execute(&caller, command).await?;
        return ApiResponse::ok(&AssetView::of(&content, &replaced));
    }
    let command = CreateAsset { file: sent.file, change };
    let created = content.execute(&caller, command).await?;
    ApiResponse::created(&AssetView::of(&content, &created))
}

/// The content of a form.
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
                return Err(Fault::invalid(&name, FieldCode::Late, "must come before the file"));
            }
            Part::Text(name, value) => {
                fields.insert(name, value.into());
            }
            Part::File(_) if stored.is_some() => return Err(Fault::new(Code::BadForm, "The form has more than one file")),
            Part::File(upload) => {
                // Attributes that are wrong already are refused before the file is received.
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
    let (stored, name) = stored.ok_or_else(|| Fault::invalid("file", FieldCode::Blank, "can't be blank"))?;
    Ok(Sent { fields, replaces, file: File::new(&stored, name) })
}

/// 404 unless there is such an asset, and not in the trash.
async fn check_presence(content: &Content, space: SpaceId, id: AssetId) -> Result<(), Fault> {
    let connection = content.store.connection("asset.find").await?;
    let found = assets::find(&connection, space, id).await?;
    found.filter(|f| f.deleted_at.is_none()).map(drop).ok_or_else(Fault::not_found)
}
