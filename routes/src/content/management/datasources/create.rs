//! `POST /api/v1/spaces/{space}/datasources` `{"datasource": {…}}`: 201 with the datasource.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, datasource::DatasourceChange},
    shared::{Fault, SpaceId},
};
use services::content::datasources::CreateDatasource;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("datasources")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let change: DatasourceChange = wrapper::read(&mut request, "datasource", DEFAULT_LIMIT).await?;
    let made = content.spaces.execute(space, by, request.origin(), CreateDatasource(change)).await?;
    ApiResponse::created(&wrapper::put("datasource", DatasourceView::of(&made)))
}
