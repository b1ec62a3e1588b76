//! `GET /api/v2/cdn/datasource_entries`: 200 `{"datasource_entries": […], "cv"}`, paged, by position and age.
//!
//! `datasource` is a slug or a number: one that nothing has answers an empty list, none answers the whole space. `dimension` is a
//! dimension's code, its `entry_value`; `value` stays the default value whatever it is (facts, section 1.14).

use super::{access::Reading, caching::answer};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{EntryId, Fault, Page, Parameters};
use serde::Serialize;
use std::sync::Arc;
use storage::content::delivery::read_access::ReadAccess;
use storage::content::{
    datasource_entries::{self, Dimension, Filter as EntryFilter},
    datasources::{self, Reference},
};

/// The most entries of one page.
const MOST: u32 = 1_000;

#[derive(Serialize)]
struct Body<'a> {
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

pub(super) async fn list(content: Content, caller: Arc<ReadAccess>, request: ApiRequest) -> Result<ApiResponse, Fault> {
    answer(content, caller, request, &["datasource", "dimension", "page", "per_page"], render).await
}

async fn render(reading: Reading, query: Parameters) -> Result<ApiResponse, Fault> {
    let page = query.page(MOST)?;
    let (connection, space) = (&reading.connection, reading.reader.space);
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
    let answer = ApiResponse::ok(&Body { datasource_entries: entries.collect(), cv: reading.reader.cv })?;
    Ok(answer.paged(found.total, page))
}
