//! `PUT` or `PATCH /api/v1/spaces/{space}/datasource_entries/{id}` `{"datasource_entry": {…}}`: 204 without a body, as on the hosted
//! service.
//!
//! What is not named stays. `dimension_value` is written to the dimension that the query's `dimension_id` names; `null` takes it away.

use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{EntryId, Fault, SpaceId},
};
use services::content::datasource_entries::UpdateEntry;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<EntryId>("datasource_entries")
        .and(warp::put().or(warp::patch()).unify())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: EntryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    let query = request.query()?;
    query.only(&["dimension_id"])?;
    let dimension = query.parsed("dimension_id")?;
    let change = wrapper::read(&mut request, "datasource_entry", DEFAULT_LIMIT).await?;
    content.spaces.execute(space, by, request.origin(), UpdateEntry { id, change, dimension }).await?;
    Ok(ApiResponse::empty())
}
