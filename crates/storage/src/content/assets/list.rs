//! Lists of assets.

use super::{COLUMNS, asset};
use crate::{
    Connection, Executor, Result,
    content::where_builder::{WhereBuilder, begins_pattern, contains_pattern},
    row,
};
use domain::{
    content::asset::{Asset, FileKind},
    shared::{AssetId, Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use strum::{EnumString, VariantArray};

/// The most words of a search that are looked for.
const MAX_WORDS: usize = 10;

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
    /// Each of its words is in the name of the file, the title, the alternative text, the copyright, the
    /// source or the name of a tag, case-insensitive.
    pub search: Option<String>,
    /// Of one of these kinds; none for all.
    pub kinds: Vec<FileKind>,
    /// Only those without an alternative text, but for those that are marked as decorative.
    pub without_alt: bool,
    /// In a folder; 0 in none.
    pub folder: Option<i64>,
    /// Whether it is private.
    pub is_private: Option<bool>,
    /// In the alternative text.
    pub alt: Option<String>,
    pub title: Option<String>,
    pub copyright: Option<String>,
    pub id: Option<AssetId>,
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

/// One page of a space's assets, in an order and whether it descends. Without one, those that were searched
/// for come best first, others newest first.
pub async fn list(
    connection: &Connection,
    space: SpaceId,
    filter: &AssetFilter,
    order: Option<(AssetOrder, bool)>,
    page: PageRequest,
) -> Result<Page<Asset>> {
    let mut builder = filter_conditions(space, filter);
    let sql = format!("select count(*) as total from assets asset where {}", builder.text());
    let total = connection.row(&sql, &builder.values()).await?;
    let rank = match (&filter.search, order) {
        (Some(search), None) => rank(&mut builder, search),
        _ => String::new(),
    };
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let (order, descending) = order.unwrap_or((AssetOrder::default(), true));
    let direction = if descending { "desc" } else { "asc" };
    let sql = format!(
        "select {COLUMNS} from assets asset where {} order by {rank} {} {direction}, asset.id {direction} limit {limit} offset {offset}",
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
    for word in filter.search.iter().flat_map(|search| search.split_whitespace()).take(MAX_WORDS) {
        builder.and(
            "(concat_ws(' ', asset.name, asset.title, asset.alt, asset.copyright, asset.source) ilike {}
              or asset.internal_tag_ids && array(
                  select id from internal_tags where space_id = $1 and object_type = 'asset' and name ilike {}
              ))",
            contains_pattern(word),
        );
    }
    if !filter.kinds.is_empty() {
        kind_condition(&mut builder, &filter.kinds);
    }
    if filter.without_alt {
        builder.and_text("coalesce(asset.alt, '') = '' and asset.meta_data -> 'decorative' is distinct from 'true'");
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
    if let Some(id) = filter.id {
        builder.and("asset.id = {}", id.0);
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

/// The terms of an order by how well an asset matches: the name first, then the title and the alternative
/// text, and for each those first that begin with what was searched for.
fn rank(builder: &mut WhereBuilder, search: &str) -> String {
    let (begins, contains) = (builder.bind(begins_pattern(search)), builder.bind(contains_pattern(search)));
    format!(
        "case when asset.name ilike {begins} then 0
              when asset.title ilike {begins} or asset.alt ilike {begins} then 1
              when asset.name ilike {contains} then 2
              when asset.title ilike {contains} or asset.alt ilike {contains} then 3
              else 4 end,"
    )
}

/// The condition that a file is of one of these kinds, by its extension.
fn kind_condition(builder: &mut WhereBuilder, kinds: &[FileKind]) {
    let extensions =
        |kinds: &[FileKind]| -> Vec<&'static str> { kinds.iter().flat_map(|kind| kind.extensions()).copied().collect() };
    let extension = "coalesce(lower(substring(asset.name from '\\.([^.]*)$')), '')";
    let named = builder.bind(extensions(kinds));
    let other = if kinds.contains(&FileKind::Other) {
        let known = builder.bind(extensions(FileKind::VARIANTS));
        format!(" or {extension} <> all({known})")
    } else {
        String::new()
    };
    builder.and_text(&format!("({extension} = any({named}){other})"));
}
