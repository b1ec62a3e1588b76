//! The list of assets.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        files::Address,
        management::{access::Manager, envelope, paginate::list_parameters},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::asset::FileKind,
    shared::{AssetId, Fault, Page, Parameters, SpaceId},
};
use storage::{
    Connection,
    content::{
        asset_addresses,
        assets::{self, AssetFilter, AssetOrder, Times},
    },
};

/// The most assets of one page.
const MAX_PER_PAGE: u32 = 100;

const KNOWN: &[&str] = &[
    "in_folder",
    "search",
    "kind[]",
    "without_alt",
    "sort_by",
    "is_private",
    "by_alt",
    "by_title",
    "by_copyright",
    "ext_id",
    "filename",
    "with_tags[]",
    "created_at_gte",
    "created_at_lte",
    "updated_at_gte",
    "updated_at_lte",
    "expire_at_gte",
    "expire_at_lte",
];

/// 200 `{"assets": […]}`, paged. By
/// `sort_by=(created_at|updated_at|short_filename|content_length):(asc|desc)`; without it, those that
/// `search` finds come best first, others newest first.
///
/// `kind` is a list of [`FileKind`]s. `without_alt` leaves out those that are marked as decorative.
/// `filename` is a URL as content has it; the asset has it now, or had it before its file was replaced or
/// renamed. `in_folder` is a folder's number, 0 for assets in none, -1 for the trash.
pub(super) async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, KNOWN)?;
    let filter = filter(&query)?;
    let order = query.sort_by::<AssetOrder>("created_at:desc")?;
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("asset.list").await?;
    let found = match query.text("filename") {
        None => assets::list(&connection, caller.space(), &filter, order, page).await?,
        Some(url) => match named(&content, &connection, caller.space(), url).await? {
            Some(id) => assets::list(&connection, caller.space(), &AssetFilter { id: Some(id), ..filter }, order, page).await?,
            None => Page { items: Vec::new(), total: 0 },
        },
    };
    let views: Vec<_> = found.items.iter().map(|item| AssetView::of(&content, item)).collect();
    Ok(ApiResponse::ok(&envelope::wrap("assets", views))?.paged(found.total, page))
}

/// The asset of a space whose file is served at a URL; `None` for any other URL.
async fn named(content: &Content, connection: &Connection, space: SpaceId, url: &str) -> Result<Option<AssetId>, Fault> {
    let Ok(address) = Address::of_url(url) else { return Ok(None) };
    let served = asset_addresses::find_served(connection, address.key, &address.name, content.clock.now()).await?;
    Ok(served.map(|served| served.asset).filter(|asset| asset.space == space).map(|asset| asset.id))
}

fn filter(query: &Parameters) -> Result<AssetFilter, Fault> {
    let text = |name| query.text(name).map(str::to_owned);
    let times = |from, until| Ok::<_, Fault>(Times { from: query.time(from)?, until: query.time(until)? });
    let folder: Option<i64> = query.parsed("in_folder")?;
    Ok(AssetFilter {
        search: query.search("search")?,
        kinds: query.parsed_list::<FileKind>("kind")?,
        without_alt: query.flag("without_alt")?,
        folder: folder.filter(|folder| *folder >= 0),
        is_private: query.flag_if_given("is_private")?,
        alt: query.search("by_alt")?,
        title: query.search("by_title")?,
        copyright: query.search("by_copyright")?,
        id: None,
        ext_id: text("ext_id"),
        tags: query.parsed_list("with_tags")?,
        created: times("created_at_gte", "created_at_lte")?,
        updated: times("updated_at_gte", "updated_at_lte")?,
        expire: times("expire_at_gte", "expire_at_lte")?,
        in_trash: folder.is_some_and(|folder| folder < 0),
    })
}
