//! `DELETE /api/v1/spaces/{space}/datasource_entries/{id}`: 204.

use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::datasource_entries::DeleteEntry;
use domain::{
    content::Right,
    shared::{EntryId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<EntryId>("datasource_entries")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: EntryId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    content.spaces.write(space, by, call.origin(), DeleteEntry(id)).await?;
    Ok(Answer::empty())
}
