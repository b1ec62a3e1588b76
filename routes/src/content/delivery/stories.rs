//! `GET /api/v2/cdn/stories`: 200 `{"stories": […], "cv", "rels": [], "links": []}` with `Total` and `Per-Page`.

use super::{
    access::reading,
    caching::cached,
    view::{self, LANGUAGE_PARAMETERS, Spoken},
};
use crate::{
    content::Content,
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::query::{Plan, plan::PARAMETERS},
    shared::Fault,
};
use serde::Serialize;
use storage::content::delivery::stories::list as list_stories;
use warp::Filter;

/// `rels` and `links` are arrays even when nothing was resolved: hosted clients look for them (decisions 5).
#[derive(Serialize)]
struct Body<'a> {
    stories: Vec<view::Story<'a>>,
    cv: i64,
    rels: [(); 0],
    links: [(); 0],
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "stories")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(Dialect::Delivery, call.arrival, list(content.clone(), call)))
        .boxed()
}

async fn list(content: Content, call: Call) -> Result<Answer, Fault> {
    let query = call.query()?;
    let reading = reading(&content, &query, &[PARAMETERS, &LANGUAGE_PARAMETERS].concat()).await?;
    let plan = Plan::compile(&query)?;
    let found = list_stories(&reading.session, reading.reader.space, reading.copy, &plan).await?;
    let spoken = Spoken::read(&query, &reading);
    let stories = found.items.iter().map(|it| view::story(it, &reading, &spoken)).collect::<Result<_, _>>()?;
    let answer = Answer::ok(&Body { stories, cv: reading.reader.cv, rels: [], links: [] })?;
    cached(answer.paged(found.total, plan.page), &reading, &call)
}
