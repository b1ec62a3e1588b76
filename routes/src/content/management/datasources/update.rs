//! `PUT` or `PATCH /api/v1/spaces/{space}/datasources/{id or slug}` `{"datasource": {…}}`: 200 with the datasource as it is now.
//!
//! What is not named stays. Of `dimensions_attributes`, those with `id` edit, those without add, those with `_destroy` remove.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, datasource::DatasourceChange},
    shared::{Fault, SpaceId},
};
use services::content::datasources::UpdateDatasource;
use storage::content::datasources::Reference;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<String>("datasources")
        .and(warp::put().or(warp::patch()).unify())
        .and(api_request())
        .then(move |space, which, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, Reference::NumberOrSlug(which), request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, which: Reference, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let change: DatasourceChange = wrapper::read(&mut request, "datasource", DEFAULT_LIMIT).await?;
    let after = content.spaces.execute(space, by, request.origin(), UpdateDatasource { which, change }).await?;
    ApiResponse::ok(&wrapper::put("datasource", DatasourceView::of(&after)))
}
