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
use domain::shared::Fault;
use serde::Serialize;
use storage::content::delivery::stories::{Filter as StoryFilter, list as list_stories};
use warp::Filter;

/// The most stories of one page.
const MOST: u32 = 100;

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
    let known = ["page", "per_page", "starts_with", "by_slugs", "by_uuids", "with_tag"];
    let reading = reading(&content, &query, &[&known[..], &LANGUAGE_PARAMETERS].concat()).await?;
    let page = query.page(MOST)?;
    let filter = StoryFilter {
        starts_with: query.get("starts_with").filter(|it| !it.is_empty()).map(str::to_owned),
        slugs: query.list("by_slugs"),
        uuids: query.parsed_list("by_uuids")?,
        tags: query.list("with_tag"),
    };
    let found = list_stories(&reading.session, reading.reader.space, reading.copy, &filter, page).await?;
    let spoken = Spoken::read(&query, &reading);
    let stories = found.items.iter().map(|it| view::story(it, &reading, &spoken)).collect::<Result<_, _>>()?;
    let answer = Answer::ok(&Body { stories, cv: reading.reader.cv, rels: [], links: [] })?;
    cached(answer.paged(found.total, page), &reading, &call)
}
