//! Datasources with their dimensions: `datasources` and `datasource_dimensions`.

use crate::{
    Error, Executor, Result, Tx,
    content::where_builder::{WhereBuilder, contains_pattern},
    row,
};
use domain::{
    content::datasource::{Datasource, DatasourceDraft, DimensionDraft},
    shared::{DatasourceId, Fault, FieldCode, Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The columns of a datasource, with its dimensions from the oldest on; `$1` is the space.
const COLUMNS: &str = "source.id, source.name, source.slug, source.created_at, source.updated_at,
    (select coalesce(jsonb_agg(jsonb_build_object('id', dimension.id, 'name', dimension.name, 'entry_value', dimension.entry_value,
                                                  'created_at', dimension.created_at, 'updated_at', dimension.updated_at)
                               order by dimension.id), '[]')
     from datasource_dimensions dimension
     where dimension.space_id = $1 and dimension.datasource_id = source.id) as dimensions";

/// How a request names a datasource.
#[derive(Debug, Clone)]
pub enum Reference {
    /// By its number or its slug; the number wins. For the Management API, whose clients keep numbers.
    NumberOrSlug(String),
    /// By its number or its slug; the slug wins. For the Delivery API.
    SlugOrNumber(String),
}

/// The conditions of a list. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct DatasourceFilter {
    /// In the name or the slug, case-insensitive.
    pub search: Option<String>,
    /// Any of these numbers.
    pub ids: Option<Vec<i64>>,
}

/// The orders of the list, by the names of their columns on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum DatasourceOrder {
    #[default]
    #[strum(disabled)]
    Id,
    Name,
    CreatedAt,
    /// By last change.
    UpdatedAt,
}

impl DatasourceOrder {
    fn column(self) -> &'static str {
        match self {
            Self::Id => "source.id",
            Self::Name => "source.name",
            Self::CreatedAt => "source.created_at",
            Self::UpdatedAt => "source.updated_at",
        }
    }
}

/// One page of a space's datasources.
pub async fn list(
    connection: &impl Executor,
    space: SpaceId,
    filter: &DatasourceFilter,
    (order, descending): (DatasourceOrder, bool),
    page: PageRequest,
) -> Result<Page<Datasource>> {
    let mut builder = WhereBuilder::new();
    builder.and("source.space_id = {}", space.0);
    if let Some(search) = &filter.search {
        builder.and("(source.name ilike {} or source.slug ilike {})", contains_pattern(search));
    }
    if let Some(ids) = &filter.ids {
        builder.and("source.id = any({})", ids.clone());
    }
    let total = connection
        .row(&format!("select count(*) as total from datasources source where {}", builder.text()), &builder.values())
        .await?;
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let direction = if descending { "desc" } else { "asc" };
    let sql = format!(
        "select {COLUMNS} from datasources source where {} order by {} {direction}, source.id limit {limit} offset {offset}",
        builder.text(),
        order.column(),
    );
    let items = connection.rows(&sql, &builder.values()).await?.iter().map(datasource).collect::<Result<_>>()?;
    Ok(Page { items, total: row::get(&total, "total")? })
}

/// Finds a datasource.
pub async fn find(executor: &impl Executor, space: SpaceId, reference: &Reference) -> Result<Option<Datasource>> {
    let (text, number_wins) = match reference {
        Reference::NumberOrSlug(text) => (text, true),
        Reference::SlugOrNumber(text) => (text, false),
    };
    let sql = format!(
        "select {COLUMNS} from datasources source
         where source.space_id = $1 and (source.id = $2 or source.slug = $3)
         order by (source.slug = $3) = $4 limit 1"
    );
    let found = executor
        .row_opt(
            &sql,
            &[
                /* space_id */ &space,
                /* id */ &text.parse::<i64>().ok(),
                /* slug */ text,
                /* number wins */ &number_wins,
            ],
        )
        .await?;
    found.as_ref().map(datasource).transpose()
}

/// Adds a datasource. 422 when its name or slug is taken.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, draft: &DatasourceDraft, at: Timestamp) -> Result<Datasource> {
    let inserted = tx
        .row(
            "insert into datasources (space_id, name, slug, created_at, updated_at) values ($1, $2, $3, $4, $4) returning id",
            &[
                /* space_id */ &space,
                /* name */ &draft.name,
                /* slug */ &draft.slug,
                /* created_at, updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    let id = row::get(&inserted, "id")?;
    add_dimensions(tx, space, id, &draft.dimensions, at).await?;
    read_back(tx, space, id).await
}

/// Changes a datasource. Dimensions that are not in the draft are removed with their values. 422 when its
/// name or slug is taken.
pub async fn update(tx: &Tx<'_>, space: SpaceId, id: DatasourceId, draft: &DatasourceDraft, at: Timestamp) -> Result<Datasource> {
    tx.execute_one(
        "datasource.update",
        "update datasources set name = $3, slug = $4, updated_at = $5 where space_id = $1 and id = $2",
        &[
            /* space_id */ &space,
            /* id */ &id,
            /* name */ &draft.name,
            /* slug */ &draft.slug,
            /* updated_at */ &at,
        ],
    )
    .await
    .map_err(constraint_fault)?;
    let kept: Vec<(i64, &DimensionDraft)> =
        draft.dimensions.iter().filter_map(|dimension| dimension.id.map(|id| (id.0, dimension))).collect();
    let ids: Vec<i64> = kept.iter().map(|(id, _)| *id).collect();
    tx.execute(
        "delete from datasource_dimensions where space_id = $1 and datasource_id = $2 and id <> all($3)",
        &[/* space_id */ &space, /* datasource_id */ &id, /* id */ &ids],
    )
    .await?;
    tx.execute(
        "update datasource_dimensions dimension set name = given.name, entry_value = given.entry_value, updated_at = $6
         from unnest($3::bigint[], $4::text[], $5::text[]) as given (id, name, entry_value)
         where dimension.space_id = $1 and dimension.datasource_id = $2 and dimension.id = given.id
           and (dimension.name, dimension.entry_value) is distinct from (given.name, given.entry_value)",
        &[
            /* space_id */ &space,
            /* datasource_id */ &id,
            /* id */ &ids,
            /* name */ &kept.iter().map(|(_, k)| k.name.as_str()).collect::<Vec<_>>(),
            /* entry_value */ &kept.iter().map(|(_, k)| k.entry_value.as_str()).collect::<Vec<_>>(),
            /* updated_at */ &at,
        ],
    )
    .await?;
    add_dimensions(tx, space, id, &draft.dimensions, at).await?;
    read_back(tx, space, id).await
}

/// Removes a datasource with its entries.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: DatasourceId) -> Result<()> {
    tx.execute_one(
        "datasource.delete",
        "delete from datasources where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &id],
    )
    .await
}

/// Adds the dimensions that do not exist yet, in their order.
async fn add_dimensions(tx: &Tx<'_>, space: SpaceId, id: DatasourceId, all: &[DimensionDraft], at: Timestamp) -> Result<()> {
    let added: Vec<&DimensionDraft> = all.iter().filter(|value| value.id.is_none()).collect();
    tx.execute(
        "insert into datasource_dimensions (space_id, datasource_id, name, entry_value, created_at, updated_at)
         select $1, $2, given.name, given.entry_value, $5, $5
         from unnest($3::text[], $4::text[]) with ordinality as given (name, entry_value, place)
         order by given.place",
        &[
            /* space_id */ &space,
            /* datasource_id */ &id,
            /* name */ &added.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(),
            /* entry_value */ &added.iter().map(|a| a.entry_value.as_str()).collect::<Vec<_>>(),
            /* created_at, updated_at */ &at,
        ],
    )
    .await?;
    Ok(())
}

async fn read_back(tx: &Tx<'_>, space: SpaceId, id: DatasourceId) -> Result<Datasource> {
    let sql = format!("select {COLUMNS} from datasources source where source.space_id = $1 and source.id = $2");
    datasource(&tx.row(&sql, &[/* space_id */ &space, /* id */ &id]).await?)
}

/// The violation of a constraint as the fault that the caller gets.
fn constraint_fault(error: Error) -> Error {
    let field = match error.constraint() {
        Some("datasources_name") => "name",
        Some("datasources_slug") => "slug",
        _ => return error,
    };
    Fault::invalid(field, FieldCode::Taken, "has already been taken").into()
}

fn datasource(row: &Row) -> Result<Datasource> {
    Ok(row::read!(row => Datasource {
        id, name, slug, created_at, updated_at;
        dimensions: row::json(row, "dimensions")?,
    }))
}
