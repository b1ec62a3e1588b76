//! Lists of assets.

use super::{COLUMNS, asset};
use crate::{
    Connection, Executor, Result,
    content::where_builder::{WhereBuilder, contains_pattern},
    row,
};
use domain::{
    content::asset::Asset,
    shared::{Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use strum::EnumString;

/// A span of time, both ends included.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// The first instant of the span.
    pub from: Option<Timestamp>,
    /// The last instant of the span.
    pub until: Option<Timestamp>,
}

/// The conditions of a list. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct AssetFilter {
    /// In the name of the file, the title, the alternative text, the copyright or the source,
    /// case-insensitive.
    pub search: Option<String>,
    /// In a folder; 0 in none.
    pub folder: Option<i64>,
    /// Whether it is private.
    pub is_private: Option<bool>,
    /// In the alternative text.
    pub alt: Option<String>,
    pub title: Option<String>,
    pub copyright: Option<String>,
    /// Its identifier in another system.
    pub ext_id: Option<String>,
    /// With all of these tags.
    pub tags: Vec<i64>,
    /// The time of its creation.
    pub created: Times,
    /// The time of its last change.
    pub updated: Times,
    /// The end of its licence.
    pub expire: Times,
    /// Only those in the trash; otherwise only those that are not.
    pub in_trash: bool,
}

/// The orders of the list, by the names of their columns on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum AssetOrder {
    #[default]
    CreatedAt,
    /// By last change.
    UpdatedAt,
    /// By the name of the file.
    #[strum(serialize = "short_filename")]
    Name,
    /// By size in bytes.
    ContentLength,
}

impl AssetOrder {
    fn column(self) -> &'static str {
        match self {
            Self::CreatedAt => "asset.created_at",
            Self::UpdatedAt => "asset.updated_at",
            Self::Name => "asset.name",
            Self::ContentLength => "asset.content_length",
        }
    }
}

/// One page of a space's assets.
pub async fn list(
    connection: &Connection,
    space: SpaceId,
    filter: &AssetFilter,
    (order, descending): (AssetOrder, bool),
    page: PageRequest,
) -> Result<Page<Asset>> {
    let mut builder = filter_conditions(space, filter);
    let sql = format!("select count(*) as total from assets asset where {}", builder.text());
    let total = connection.row(&sql, &builder.values()).await?;
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let direction = if descending { "desc" } else { "asc" };
    let sql = format!(
        "select {COLUMNS} from assets asset where {} order by {} {direction}, asset.id {direction} limit {limit} offset {offset}",
        builder.text(),
        order.column(),
    );
    let items = connection.rows(&sql, &builder.values()).await?.iter().map(asset).collect::<Result<_>>()?;
    Ok(Page { items, total: row::get(&total, "total")? })
}

fn filter_conditions(space: SpaceId, filter: &AssetFilter) -> WhereBuilder {
    let mut builder = WhereBuilder::new();
    builder.and("asset.space_id = {}", space.0);
    builder.and_text(if filter.in_trash { "asset.deleted_at is not null" } else { "asset.deleted_at is null" });
    if let Some(search) = &filter.search {
        builder.and(
            "concat_ws(' ', asset.name, asset.title, asset.alt, asset.copyright, asset.source) ilike {}",
            contains_pattern(search),
        );
    }
    if let Some(folder) = filter.folder {
        builder.and("coalesce(asset.asset_folder_id, 0) = {}", folder);
    }
    if let Some(is_private) = filter.is_private {
        builder.and("asset.is_private = {}", is_private);
    }
    for (condition, text) in [
        ("asset.alt ilike {}", &filter.alt),
        ("asset.title ilike {}", &filter.title),
        ("asset.copyright ilike {}", &filter.copyright),
    ] {
        if let Some(text) = text {
            builder.and(condition, contains_pattern(text));
        }
    }
    if let Some(ext_id) = &filter.ext_id {
        builder.and("asset.ext_id = {}", ext_id.clone());
    }
    if !filter.tags.is_empty() {
        builder.and("asset.internal_tag_ids @> {}", filter.tags.clone());
    }
    for (from, until, times) in [
        ("asset.created_at >= {}", "asset.created_at <= {}", filter.created),
        ("asset.updated_at >= {}", "asset.updated_at <= {}", filter.updated),
        ("asset.expire_at >= {}", "asset.expire_at <= {}", filter.expire),
    ] {
        if let Some(at) = times.from {
            builder.and(from, at);
        }
        if let Some(at) = times.until {
            builder.and(until, at);
        }
    }
    builder
}
