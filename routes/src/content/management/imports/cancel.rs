//! `DELETE /api/v1/spaces/{space}/imports/{id}`: 200 with the import. One that waits is cancelled at once; one that runs stops before its next
//! page, and what it wrote stays; one that is over stays what it is.

use super::view::ImportView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::importer::writes::CancelImport;
use domain::{
    content::Right,
    shared::{Fault, ImportId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ImportId>("imports")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, cancel(content.clone(), space, id, call)))
        .boxed()
}

async fn cancel(content: Content, space: SpaceId, id: ImportId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let import = content.spaces.write(space, by, call.origin(), CancelImport(id)).await?;
    Answer::ok(&wrapper::put("import", ImportView::of(&import)))
}
