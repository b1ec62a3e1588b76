//! `GET /api/v1/spaces/{space}/imports`: the imports of a space, newest first.

use super::view::ImportView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::imports::jobs;
use warp::Filter;

/// The most that is given on one page.
const MAX_PER_PAGE: u32 = 100;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("imports")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Administer).await?;
    let query = call.query()?;
    query.only(&["page", "per_page"])?;
    let page = query.page(MAX_PER_PAGE)?;
    let session = content.store.read("import.list").await?;
    let found = jobs::list(&session, space, page).await?;
    let views: Vec<_> = found.items.iter().map(ImportView::of).collect();
    Ok(Answer::ok(&wrapper::put("imports", views))?.paged(found.total, page))
}
