//! `GET /api/v2/cdn/datasource_entries`: 200 `{"datasource_entries": […], "cv"}`, paged, by position and age.
//!
//! `datasource` is a slug or an id; an unknown one gives an empty list, and without one the entries of all
//! datasources are listed. `dimension` is the `entry_value` of a dimension; the member `value` is the default
//! value with any dimension.

use super::{
    access::{DeliveryCaller, ReadContext},
    cached::respond_cached,
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{EntryId, Fault, Page, Parameters};
use serde::Serialize;
use std::sync::Arc;
use storage::content::{
    datasource_entries::{self, Dimension, EntryFilter},
    datasources::{self, Reference},
};

/// How many entries a page may have.
const MAX_PER_PAGE: u32 = 1_000;

#[derive(Serialize)]
struct EntriesBody<'a> {
    datasource_entries: Vec<View<'a>>,
    cv: i64,
}

#[derive(Serialize)]
struct View<'a> {
    id: EntryId,
    name: &'a str,
    value: &'a str,
    dimension_value: Option<&'a str>,
}

pub(super) async fn list(content: Content, caller: DeliveryCaller, request: ApiRequest) -> Result<ApiResponse, Fault> {
    respond_cached(content, caller, request, render).await
}

async fn render(ctx: ReadContext, query: Arc<Parameters>) -> Result<ApiResponse, Fault> {
    let page = query.page(MAX_PER_PAGE)?;
    let (connection, space) = (&ctx.connection, ctx.access.space);
    let dimension = query.text("dimension").map(|t| Dimension::Code(t.to_owned()));
    let wanted = match query.text("datasource") {
        None => Some(EntryFilter::default()),
        Some(which) => datasources::find(connection, space, &Reference::SlugOrNumber(which.to_owned()))
            .await?
            .map(|value| EntryFilter { datasource: Some(value.id), ..EntryFilter::default() }),
    };
    let found = match wanted {
        Some(filter) => datasource_entries::list(connection, space, &filter, dimension.as_ref(), page).await?,
        None => Page { items: Vec::new(), total: 0 },
    };
    let entries = found.items.iter().map(|item| View {
        id: item.id,
        name: &item.name,
        value: &item.value,
        dimension_value: item.dimension_value.as_deref(),
    });
    let response = ApiResponse::ok(&EntriesBody { datasource_entries: entries.collect(), cv: ctx.access.cv })?;
    Ok(response.paged(found.total, page))
}
