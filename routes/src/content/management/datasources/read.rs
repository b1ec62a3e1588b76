//! `GET /api/v1/spaces/{space}/datasources/{id or slug}`.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
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
        .and(call())
        .then(move |space, which, call: Call| {
            respond(Dialect::Management, call.arrival, read(content.clone(), space, Reference::NumberOrSlug(which), call))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, which: Reference, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("datasource.find").await?;
    let found = datasources::find(&session, space, &which).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("datasource", DatasourceView::of(&found)))
}
