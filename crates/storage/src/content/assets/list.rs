//! Lists of assets.

use super::{COLUMNS, asset};
use crate::{
    Connection, Executor, Result,
    content::clauses::{Clauses, contains_pattern},
    row,
};
use domain::{
    content::asset::Asset,
    shared::{Page, PageRequest, SpaceId},
};
use jiff::Timestamp;

/// A span of time, both ends included.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Not before.
    pub from: Option<Timestamp>,
    /// Not after.
    pub until: Option<Timestamp>,
}

/// The conditions of a list. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// In the name of the file, the title, the alternative text, the copyright or the source, case-insensitive.
    pub search: Option<String>,
    /// In a folder; 0 in none.
    pub folder: Option<i64>,
    /// Whether it is private.
    pub is_private: Option<bool>,
    /// In the alternative text.
    pub alt: Option<String>,
    /// In the title.
    pub title: Option<String>,
    /// In the copyright.
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

/// The orders of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By creation.
    #[default]
    CreatedAt,
    /// By last change.
    UpdatedAt,
    /// By the name of the file.
    Name,
    /// By size in bytes.
    ContentLength,
}

impl Order {
    /// The order of a column's name on the wire.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "created_at" => Self::CreatedAt,
            "updated_at" => Self::UpdatedAt,
            "short_filename" => Self::Name,
            "content_length" => Self::ContentLength,
            _ => return None,
        })
    }

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
    filter: &Filter,
    (order, descending): (Order, bool),
    page: PageRequest,
) -> Result<Page<Asset>> {
    let mut clauses = clauses(space, filter);
    let sql = format!("select count(*) as total from assets asset where {}", clauses.text());
    let total = connection.row(&sql, &clauses.values()).await?;
    let (limit, offset) = (clauses.bind(page.limit()), clauses.bind(page.offset()));
    let direction = if descending { "desc" } else { "asc" };
    let sql = format!(
        "select {COLUMNS} from assets asset where {} order by {} {direction}, asset.id {direction} limit {limit} offset {offset}",
        clauses.text(),
        order.column(),
    );
    let items = connection.rows(&sql, &clauses.values()).await?.iter().map(asset).collect::<Result<_>>()?;
    Ok(Page { items, total: row::get(&total, "total")? })
}

fn clauses(space: SpaceId, filter: &Filter) -> Clauses {
    let mut clauses = Clauses::new();
    clauses.and("asset.space_id = {}", space.0);
    clauses.and_text(if filter.in_trash { "asset.deleted_at is not null" } else { "asset.deleted_at is null" });
    if let Some(search) = &filter.search {
        clauses.and(
            "concat_ws(' ', asset.name, asset.title, asset.alt, asset.copyright, asset.source) ilike {}",
            contains_pattern(search),
        );
    }
    if let Some(folder) = filter.folder {
        clauses.and("coalesce(asset.asset_folder_id, 0) = {}", folder);
    }
    if let Some(is_private) = filter.is_private {
        clauses.and("asset.is_private = {}", is_private);
    }
    for (condition, text) in [
        ("asset.alt ilike {}", &filter.alt),
        ("asset.title ilike {}", &filter.title),
        ("asset.copyright ilike {}", &filter.copyright),
    ] {
        if let Some(text) = text {
            clauses.and(condition, contains_pattern(text));
        }
    }
    if let Some(ext_id) = &filter.ext_id {
        clauses.and("asset.ext_id = {}", ext_id.clone());
    }
    if !filter.tags.is_empty() {
        clauses.and("asset.internal_tag_ids @> {}", filter.tags.clone());
    }
    for (from, until, times) in [
        ("asset.created_at >= {}", "asset.created_at <= {}", filter.created),
        ("asset.updated_at >= {}", "asset.updated_at <= {}", filter.updated),
        ("asset.expire_at >= {}", "asset.expire_at <= {}", filter.expire),
    ] {
        if let Some(at) = times.from {
            clauses.and(from, at);
        }
        if let Some(at) = times.until {
            clauses.and(until, at);
        }
    }
    clauses
}
