//! `POST /api/v1/spaces/{space}/datasource_entries` `{"datasource_entry": {…}}`: 201 with the entry.
//!
//! `dimension_value` is written to the dimension that the query's `dimension_id` names.

use super::view::EntryView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use services::content::datasource_entries::CreateEntry;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("datasource_entries")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    let query = request.query()?;
    query.only(&["dimension_id"])?;
    let dimension = query.parsed("dimension_id")?;
    let change = wrapper::read(&mut request, "datasource_entry", DEFAULT_LIMIT).await?;
    let made = content.spaces.execute(space, by, request.origin(), CreateEntry { change, dimension }).await?;
    ApiResponse::created(&wrapper::put("datasource_entry", EntryView::of(&made)))
}
