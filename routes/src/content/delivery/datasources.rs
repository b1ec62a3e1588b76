//! `GET /api/v2/cdn/datasources`: 200 `{"datasources": […], "cv"}`, paged; `GET …/datasources/{id or slug}`: 200 `{"datasource", "cv"}`.
//!
//! Datasources have no drafts: both versions read the same.

use super::{access::Reading, caching::answer};
use crate::{
    content::{Content, datasource::DatasourceView},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::shared::{Fault, Parameters};
use serde::Serialize;
use storage::content::datasources::{self, Filter as DatasourceFilter, Order, Reference};
use warp::Filter;

/// The most datasources of one page.
const MOST: u32 = 1_000;

#[derive(Serialize)]
struct List<'a> {
    datasources: Vec<DatasourceView<'a>>,
    cv: i64,
}

#[derive(Serialize)]
struct Single<'a> {
    datasource: DatasourceView<'a>,
    cv: i64,
}

/// The list.
pub(super) fn all(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "datasources")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(Dialect::Delivery, call.arrival, list(content.clone(), call)))
        .boxed()
}

/// One of them.
pub(super) fn one(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "datasources" / ..)
        .and(segment::<String>())
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |which, call: Call| respond(Dialect::Delivery, call.arrival, show(content.clone(), call, which)))
        .boxed()
}

async fn list(content: Content, call: Call) -> Result<Answer, Fault> {
    answer(content, call, &["search", "by_ids[]", "page", "per_page"], render_list).await
}

async fn render_list(reading: Reading, query: Parameters) -> Result<Answer, Fault> {
    let page = query.page(MOST)?;
    let filter = DatasourceFilter { search: query.text("search").map(str::to_owned), ids: query.parsed_list("by_ids")? };
    let found = datasources::list(&reading.session, reading.reader.space, &filter, (Order::default(), false), page).await?;
    let views = found.items.iter().map(DatasourceView::of).collect();
    let answer = Answer::ok(&List { datasources: views, cv: reading.reader.cv })?;
    Ok(answer.paged(found.total, page))
}

async fn show(content: Content, call: Call, which: String) -> Result<Answer, Fault> {
    answer(content, call, &[], |reading, _| render(reading, which)).await
}

async fn render(reading: Reading, which: String) -> Result<Answer, Fault> {
    let found = datasources::find(&reading.session, reading.reader.space, &Reference::SlugOrNumber(which)).await?;
    let found = found.ok_or_else(Fault::not_found)?;
    Answer::ok(&Single { datasource: DatasourceView::of(&found), cv: reading.reader.cv })
}
