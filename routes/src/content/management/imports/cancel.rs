//! `DELETE /api/v1/spaces/{space}/imports/{id}`: 200 with the import. One that waits is cancelled at once; one that runs stops before its next
//! page, and what it wrote stays; one that is over stays what it is.

use super::view::ImportView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use actors::content::importer::commands::CancelImport;
use domain::{
    content::Right,
    shared::{Fault, ImportId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ImportId>("imports")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, cancel(content.clone(), space, id, request))
        })
        .boxed()
}

async fn cancel(content: Content, space: SpaceId, id: ImportId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let import = content.spaces.execute(space, by, request.origin(), CancelImport(id)).await?;
    ApiResponse::ok(&wrapper::put("import", ImportView::of(&import)))
}
