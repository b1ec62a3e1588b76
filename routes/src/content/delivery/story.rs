//! `GET /api/v2/cdn/stories/{full slug | id | uuid}`: 200 `{"story": …, "cv", "rels": [], "links": []}` (decisions 6).
//!
//! A folder's path answers its start page. Slashes at either end are not heeded.

use super::{
    access::reading,
    caching::cached,
    view::{self, LANGUAGE_PARAMETERS, Spoken},
};
use crate::{
    content::Content,
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path},
};
use domain::shared::Fault;
use serde::Serialize;
use storage::content::delivery::stories::{Identifier, find};
use warp::Filter;

#[derive(Serialize)]
struct Body<'a> {
    story: view::Story<'a>,
    cv: i64,
    rels: [(); 0],
    links: [(); 0],
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "stories" / ..)
        .and(path::rest())
        .and(warp::get())
        .and(call())
        .then(move |identifier, call: Call| respond(Dialect::Delivery, call.arrival, show(content.clone(), call, identifier)))
        .boxed()
}

async fn show(content: Content, call: Call, identifier: Result<String, Fault>) -> Result<Answer, Fault> {
    let query = call.query()?;
    let reading = reading(&content, &query, &[&["find_by"][..], &LANGUAGE_PARAMETERS].concat()).await?;
    if !matches!(query.get("find_by"), None | Some("" | "uuid" | "slug" | "id")) {
        return Err(Fault::invalid("find_by", "invalid", "must be uuid"));
    }
    let found = find(&reading.session, reading.reader.space, reading.copy, &Identifier(identifier?)).await?;
    let found = found.ok_or_else(Fault::not_found)?;
    let spoken = Spoken::read(&query, &reading);
    let story = view::story(&found, &reading, &spoken)?;
    cached(Answer::ok(&Body { story, cv: reading.reader.cv, rels: [], links: [] })?, &reading, &call)
}
