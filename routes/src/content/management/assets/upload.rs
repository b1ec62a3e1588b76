//! `POST /api/v1/spaces/{space}/assets/{id}/upload`: the second step, without any token, by a form that the first step has signed. All fields in
//! their order, then `file`: 204, as S3 answers.
//!
//! The form takes one file. Until that has come it may be sent again, within its hour.

use crate::{
    content::{Assets, Content, management::below_space},
    web::{
        ApiRequest, ApiResponse, Endpoint, ErrorFormat,
        endpoint::respond,
        multipart::{Form, Part},
        path::segment,
        request::api_request,
    },
};
use domain::{
    content::asset::ObjectKey,
    shared::{AssetId, Fault, SpaceId},
};
use storage::content::asset_uploads::{self, Upload};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("assets")
        .and(segment::<AssetId>())
        .and(warp::path("upload"))
        .and(warp::path::end())
        .and(warp::post())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, upload(content.clone(), (space, id), request))
        })
        .boxed()
}

async fn upload(content: Content, (space, id): (SpaceId, AssetId), mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let Assets { blobs, .. } = content.assets.as_ref();
    let mut form = Form::begin(&mut request, blobs.max_bytes())?;
    // Nobody has proved anything yet: only what does it is kept.
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
        let awaited = awaited(&content, space, id).await?;
        if awaited.ticket != ticket.id {
            return Err(used());
        }
        let key = ObjectKey::new(space, content.clock.now(), content.entropy.as_ref());
        let stored = blobs.put(key, &awaited.name, file.pieces()).await?;
        let connection = content.store.connection("asset_upload.complete").await?;
        // Another one may have been quicker; then the janitor has an object to remove.
        let is_first = asset_uploads::complete(&connection, space, &awaited, &stored).await?;
        return if is_first { Ok(ApiResponse::empty()) } else { Err(used()) };
    }
    Err(Fault::invalid("file", "blank", "can't be blank"))
}

/// The upload that the form is for, as long as its file has not come.
async fn awaited(content: &Content, space: SpaceId, id: AssetId) -> Result<Upload, Fault> {
    let connection = content.store.connection("asset_upload.find").await?;
    let found = asset_uploads::find(&connection, space, id).await?;
    found.filter(|f| f.file.is_none()).ok_or_else(used)
}

fn used() -> Fault {
    Fault::forbidden("The form was used already; begin the upload again")
}
