//! `DELETE /api/v1/spaces/{space}/datasources/{id or slug}`: 204, as on the hosted service. Its entries go with it.

use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::datasources::DeleteDatasource;
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::datasources::Reference;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<String>("datasources")
        .and(warp::delete())
        .and(call())
        .then(move |space, which, call: Call| {
            respond(Dialect::Management, call.arrival, delete(content.clone(), space, Reference::NumberOrSlug(which), call))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, which: Reference, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    content.spaces.write(space, by, call.origin(), DeleteDatasource(which)).await?;
    Ok(Answer::empty())
}
