//! `PUT` or `PATCH /api/v1/spaces/{space}/datasource_entries/{id}` `{"datasource_entry": {…}}`: 204 without a body, as on the hosted
//! service.
//!
//! What is not named stays. `dimension_value` is written to the dimension that the query's `dimension_id` names; `null` takes it away.

use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::datasource_entries::UpdateEntry;
use domain::{
    content::Right,
    shared::{EntryId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<EntryId>("datasource_entries")
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: EntryId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    let query = call.query()?;
    query.only(&["dimension_id"])?;
    let dimension = query.parsed("dimension_id")?;
    let change = wrapper::read(&mut call, "datasource_entry", DEFAULT_LIMIT).await?;
    content.spaces.write(space, by, call.origin(), UpdateEntry { id, change, dimension }).await?;
    Ok(Answer::empty())
}
