//! `GET /api/v1/spaces/{space}/datasource_entries/{id}`.

use super::view::EntryView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{EntryId, Fault, SpaceId},
};
use storage::content::datasource_entries;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<EntryId>("datasource_entries")
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: EntryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("datasource_entry.find").await?;
    let found = datasource_entries::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&wrapper::put("datasource_entry", EntryView::of(&found)))
}
