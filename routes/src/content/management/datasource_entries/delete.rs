//! `DELETE /api/v1/spaces/{space}/datasource_entries/{id}`: 204.

use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{EntryId, Fault, SpaceId},
};
use services::content::datasource_entries::DeleteEntry;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<EntryId>("datasource_entries")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: EntryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    content.spaces.execute(space, by, request.origin(), DeleteEntry(id)).await?;
    Ok(ApiResponse::empty())
}
