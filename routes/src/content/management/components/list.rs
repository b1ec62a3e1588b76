//! `GET /api/v1/spaces/{space}/components`: the components and, beside them, all groups.
//!
//! Filters: `in_group` (a group's UUID), `is_root`, `search` (in both names), `by_ids`.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, collection, component_groups::view::GroupView, listing::Listing},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use serde::Serialize;
use storage::content::{
    components,
    hierarchy::{self, COMPONENT_GROUPS},
};
use warp::Filter;

#[derive(Serialize)]
struct Body<'a> {
    components: Vec<ComponentView<'a>>,
    component_groups: Vec<GroupView<'a>>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("components")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["in_group", "is_root", "search", "by_ids[]", "page", "per_page"])?;
    let filter = components::Filter {
        in_group: query.parsed("in_group")?,
        is_root: query.flag_if_given("is_root")?,
        search: query.text("search").map(str::to_owned),
        by_ids: Some(query.parsed_list("by_ids")?).filter(|it| !it.is_empty()),
    };
    let session = content.store.read("component.list").await?;
    let found = Listing::of(&query, components::list(&session, space, &filter).await?)?;
    let groups = COMPONENT_GROUPS.list(&session, space, &hierarchy::Filter::default()).await?;
    let body = Body {
        components: found.items.iter().map(ComponentView::of).collect(),
        component_groups: groups.iter().map(GroupView::of).collect(),
    };
    Ok(found.headed(Answer::ok(&body)?))
}
