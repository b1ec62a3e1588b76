//! `DELETE /api/v1/spaces/{space}/datasources/{id or slug}`: 204, as on the hosted service. Its entries go with it.

use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use services::content::datasources::DeleteDatasource;
use storage::content::datasources::Reference;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<String>("datasources")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, which, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, Reference::NumberOrSlug(which), request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, which: Reference, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    content.spaces.execute(space, by, request.origin(), DeleteDatasource(which)).await?;
    Ok(ApiResponse::empty())
}
