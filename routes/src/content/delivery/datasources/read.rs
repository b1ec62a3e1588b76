//! `GET /api/v2/cdn/datasources/{id or slug}`: 200 `{"datasource", "cv"}`.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        delivery::{access::Reading, caching::answer},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::shared::Fault;
use serde::Serialize;
use storage::content::datasources::{self, Reference};
use warp::Filter;

#[derive(Serialize)]
struct Body<'a> {
    datasource: DatasourceView<'a>,
    cv: i64,
}

pub(in crate::content::delivery) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "datasources" / ..)
        .and(segment::<String>())
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |which, call: Call| respond(Dialect::Delivery, call.arrival, read(content.clone(), call, which)))
        .boxed()
}

async fn read(content: Content, call: Call, which: String) -> Result<Answer, Fault> {
    answer(content, call, &[], |reading, _| render(reading, which)).await
}

async fn render(reading: Reading, which: String) -> Result<Answer, Fault> {
    let found = datasources::find(&reading.session, reading.reader.space, &Reference::SlugOrNumber(which)).await?;
    let found = found.ok_or_else(Fault::not_found)?;
    Answer::ok(&Body { datasource: DatasourceView::of(&found), cv: reading.reader.cv })
}
