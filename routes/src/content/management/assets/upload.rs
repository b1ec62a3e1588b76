//! The second step of an upload in three: a form that the first step has signed, so no token is needed.
//!
//! The form takes one file. Until its file has come it may be sent again, within its hour.

use crate::{
    content::{Assets, Content},
    web::{
        Anonymous, ApiRequest, ApiResponse,
        multipart::{Form, Part},
    },
};
use domain::{
    content::asset::ObjectKey,
    shared::{AssetId, Fault, FieldCode, SpaceId},
};
use storage::content::asset_uploads::{self, Upload};

/// All fields of the signed form in their order, then `file`: 204, as S3 answers.
pub(super) async fn upload(
    content: Content,
    _: Anonymous,
    space: SpaceId,
    id: AssetId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let Assets { blobs, .. } = content.assets.as_ref();
    let mut form = Form::begin(&mut request, blobs.max_bytes())?;
    // The sender has proved nothing before these two fields have come.
    let (mut policy, mut signature) = (String::new(), String::new());
    while let Some(part) = form.next().await? {
        let file = match part {
            Part::Text(name, value) => {
                match name.as_str() {
                    "policy" => policy = value,
                    "x-amz-signature" => signature = value,
                    _ => {}
                }
                continue;
            }
            Part::File(file) => file,
        };
        let ticket = content.assets.read_policy((&policy, &signature), (space, id), content.clock.now())?;
        let awaited = find_awaited(&content, space, id).await?;
        if awaited.ticket != ticket.id {
            return Err(already_used());
        }
        let key = ObjectKey::new(space, content.clock.now(), content.entropy.as_ref());
        let stored = blobs.put(key, &awaited.name, file.pieces()).await?;
        let connection = content.store.connection("asset_upload.complete").await?;
        // Another upload may have been quicker; then the janitor removes the object.
        let is_first = asset_uploads::complete(&connection, space, &awaited, &stored).await?;
        return if is_first { Ok(ApiResponse::empty()) } else { Err(already_used()) };
    }
    Err(Fault::invalid("file", FieldCode::Blank, "can't be blank"))
}

/// The upload that the form is for; 403 once its file has come.
async fn find_awaited(content: &Content, space: SpaceId, id: AssetId) -> Result<Upload, Fault> {
    let connection = content.store.connection("asset_upload.find").await?;
    let found = asset_uploads::find(&connection, space, id).await?;
    found.filter(|f| f.file.is_none()).ok_or_else(already_used)
}

fn already_used() -> Fault {
    Fault::forbidden("The form was used already; begin the upload again")
}
