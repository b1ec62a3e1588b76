//! `GET /api/v1/spaces/{space}/datasources/{id or slug}`.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::datasources::{self, Reference};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<String>("datasources")
        .and(warp::get())
        .and(api_request())
        .then(move |space, which, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, Reference::NumberOrSlug(which), request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, which: Reference, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("datasource.find").await?;
    let found = datasources::find(&connection, space, &which).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&wrapper::put("datasource", DatasourceView::of(&found)))
}
