//! `PUT` or `PATCH /api/v1/spaces/{space}/datasources/{id or slug}` `{"datasource": {…}}`: 200 with the datasource as it is now.
//!
//! What is not named stays. Of `dimensions_attributes`, those with `id` edit, those without add, those with `_destroy` remove.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::datasources::UpdateDatasource;
use domain::{
    content::{Right, datasource::DatasourceChange},
    shared::{Fault, SpaceId},
};
use storage::content::datasources::Reference;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<String>("datasources")
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, which, call: Call| {
            respond(Dialect::Management, call.arrival, update(content.clone(), space, Reference::NumberOrSlug(which), call))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, which: Reference, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let change: DatasourceChange = wrapper::read(&mut call, "datasource", DEFAULT_LIMIT).await?;
    let after = content.spaces.write(space, by, call.origin(), UpdateDatasource { which, change }).await?;
    Answer::ok(&wrapper::put("datasource", DatasourceView::of(&after)))
}
