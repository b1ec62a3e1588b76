//! `GET /api/v1/spaces/{space}/assets`, paged, at most 100. Newest first, or `sort_by=(created_at|updated_at|short_filename|content_length):(asc|desc)`.
//!
//! `in_folder` is a folder's number, 0 for assets in none, -1 for the trash.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, collection, envelope},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, Parameters, SpaceId},
};
use storage::content::assets::{self, Filter as AssetFilter, Order, Times};
use warp::Filter;

/// The most assets of one page.
const MOST: u32 = 100;

const KNOWN: &[&str] = &[
    "page",
    "per_page",
    "in_folder",
    "search",
    "sort_by",
    "is_private",
    "by_alt",
    "by_title",
    "by_copyright",
    "ext_id",
    "with_tags[]",
    "created_at_gte",
    "created_at_lte",
    "updated_at_gte",
    "updated_at_lte",
    "expire_at_gte",
    "expire_at_lte",
];

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("assets")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(KNOWN)?;
    let (filter, order, page) =
        (filter(&query)?, query.sort_by(Order::of, "created_at:desc")?.unwrap_or((Order::default(), true)), query.page(MOST)?);
    let connection = content.store.connection("asset.list").await?;
    let found = assets::list(&connection, space, &filter, order, page).await?;
    let views: Vec<_> = found.items.iter().map(|item| AssetView::of(&content.assets, item)).collect();
    Ok(ApiResponse::ok(&envelope::wrap("assets", views))?.paged(found.total, page))
}

fn filter(query: &Parameters) -> Result<AssetFilter, Fault> {
    let text = |name| query.text(name).map(str::to_owned);
    let times = |from, until| Ok::<_, Fault>(Times { from: query.time(from)?, until: query.time(until)? });
    let folder: Option<i64> = query.parsed("in_folder")?;
    Ok(AssetFilter {
        search: text("search"),
        folder: folder.filter(|folder| *folder >= 0),
        is_private: query.flag_if_given("is_private")?,
        alt: text("by_alt"),
        title: text("by_title"),
        copyright: text("by_copyright"),
        ext_id: text("ext_id"),
        tags: query.parsed_list("with_tags")?,
        created: times("created_at_gte", "created_at_lte")?,
        updated: times("updated_at_gte", "updated_at_lte")?,
        expire: times("expire_at_gte", "expire_at_lte")?,
        in_trash: folder.is_some_and(|folder| folder < 0),
    })
}
