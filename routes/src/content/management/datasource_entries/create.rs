//! `POST /api/v1/spaces/{space}/datasource_entries` `{"datasource_entry": {…}}`: 201 with the entry.
//!
//! `dimension_value` is written to the dimension that the query's `dimension_id` names.

use super::view::EntryView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::datasource_entries::CreateEntry;
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("datasource_entries")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    let query = call.query()?;
    query.only(&["dimension_id"])?;
    let dimension = query.parsed("dimension_id")?;
    let change = wrapper::read(&mut call, "datasource_entry", DEFAULT_LIMIT).await?;
    let made = content.spaces.write(space, by, call.origin(), CreateEntry { change, dimension }).await?;
    Answer::created(&wrapper::put("datasource_entry", EntryView::of(&made)))
}
