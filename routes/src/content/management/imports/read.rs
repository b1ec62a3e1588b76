//! `GET /api/v1/spaces/{space}/imports/{id}`: an import with its report.

use super::view::ImportView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, ImportId, SpaceId},
};
use storage::content::imports::jobs;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ImportId>("imports")
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: ImportId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("import.find").await?;
    let import = jobs::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&wrapper::put("import", ImportView::of(&import)))
}
