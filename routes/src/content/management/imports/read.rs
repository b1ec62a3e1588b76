//! `GET /api/v1/spaces/{space}/imports/{id}`: an import with its report.

use super::view::ImportView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, ImportId, SpaceId},
};
use storage::content::imports::jobs;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ImportId>("imports")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: ImportId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("import.find").await?;
    let import = jobs::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("import", ImportView::of(&import)))
}
