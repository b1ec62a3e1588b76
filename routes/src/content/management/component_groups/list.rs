//! `GET /api/v1/spaces/{space}/component_groups`. Filters: `search` (in the name), `with_parent` (a group's number; 0 for the top).

use super::view::GroupView;
use crate::{
    content::{
        Content,
        management::{access, collection, listing::Listing, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::hierarchy::{self, COMPONENT_GROUPS};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("component_groups")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["search", "with_parent", "page", "per_page"])?;
    let filter = hierarchy::Filter {
        search: query.text("search").map(str::to_owned),
        with_parent: query.parsed("with_parent")?,
        ..hierarchy::Filter::default()
    };
    let session = content.store.read("component_group.list").await?;
    let found = Listing::of(&query, COMPONENT_GROUPS.list(&session, space, &filter).await?)?;
    let views: Vec<_> = found.items.iter().map(GroupView::of).collect();
    Ok(found.headed(Answer::ok(&wrapper::put("component_groups", views))?))
}
