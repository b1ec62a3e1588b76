//! `GET /api/v1/spaces/{space}/datasource_entries/{id}`.

use super::view::EntryView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{EntryId, Fault, SpaceId},
};
use storage::content::datasource_entries;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<EntryId>("datasource_entries")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: EntryId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("datasource_entry.find").await?;
    let found = datasource_entries::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("datasource_entry", EntryView::of(&found)))
}
