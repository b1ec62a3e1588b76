//! `GET /api/v2/cdn/links/{uuid}`: 200 `{"link": {…}}`.

use super::view;
use crate::{
    content::{
        Content,
        delivery::{access::Reading, caching::answer},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::shared::{Fault, Parameters};
use serde_json::json;
use storage::content::delivery::links::find;
use uuid::Uuid;
use warp::Filter;

pub(in crate::content::delivery) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "links" / ..)
        .and(segment::<Uuid>())
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |uuid, call: Call| respond(Dialect::Delivery, call.arrival, read(content.clone(), call, uuid)))
        .boxed()
}

async fn read(content: Content, call: Call, uuid: Uuid) -> Result<Answer, Fault> {
    answer(content, call, &["include_dates"], move |reading, query| render(reading, query, uuid)).await
}

async fn render(reading: Reading, query: Parameters, uuid: Uuid) -> Result<Answer, Fault> {
    let with_dates = query.flag("include_dates")?;
    let found = find(&reading.session, reading.reader.space, reading.copy, uuid).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&json!({ "link": view(&found, with_dates) }))
}
