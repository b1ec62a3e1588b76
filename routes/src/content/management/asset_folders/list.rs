//! `GET /api/v1/spaces/{space}/asset_folders`. Filters: `search` (in the name), `with_parent` (a folder's number; 0 for the top), `by_ids`, `by_uuids`.

use super::view::FolderView;
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
use storage::content::hierarchy::{self, ASSET_FOLDERS};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("asset_folders")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["search", "with_parent", "by_ids[]", "by_uuids[]", "page", "per_page"])?;
    let filter = hierarchy::Filter {
        search: query.text("search").map(str::to_owned),
        with_parent: query.parsed("with_parent")?,
        ids: query.parsed_list("by_ids")?,
        uuids: query.parsed_list("by_uuids")?,
    };
    let session = content.store.read("asset_folder.list").await?;
    let found = Listing::of(&query, ASSET_FOLDERS.list(&session, space, &filter).await?)?;
    let views: Vec<_> = found.items.iter().map(FolderView::of).collect();
    Ok(found.headed(Answer::ok(&wrapper::put("asset_folders", views))?))
}
