//! `GET /api/v2/cdn/datasources`: 200 `{"datasources": […], "cv"}`, paged.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        delivery::{access::Reading, caching::answer},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::shared::{Fault, Parameters};
use serde::Serialize;
use storage::content::datasources::{self, Filter as DatasourceFilter, Order};
use warp::Filter;

/// The most datasources of one page.
const MOST: u32 = 1_000;

#[derive(Serialize)]
struct Body<'a> {
    datasources: Vec<DatasourceView<'a>>,
    cv: i64,
}

pub(in crate::content::delivery) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "datasources")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(Dialect::Delivery, call.arrival, list(content.clone(), call)))
        .boxed()
}

async fn list(content: Content, call: Call) -> Result<Answer, Fault> {
    answer(content, call, &["search", "by_ids[]", "page", "per_page"], render).await
}

async fn render(reading: Reading, query: Parameters) -> Result<Answer, Fault> {
    let page = query.page(MOST)?;
    let filter = DatasourceFilter { search: query.text("search").map(str::to_owned), ids: query.parsed_list("by_ids")? };
    let found = datasources::list(&reading.session, reading.reader.space, &filter, (Order::default(), false), page).await?;
    let views = found.items.iter().map(DatasourceView::of).collect();
    let answer = Answer::ok(&Body { datasources: views, cv: reading.reader.cv })?;
    Ok(answer.paged(found.total, page))
}
