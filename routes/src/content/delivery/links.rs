//! `GET /api/v2/cdn/links`: 200 `{"links": {uuid: …}}`: the whole map, or one page of it when `page` or `per_page` asks (decisions 7);
//! `GET …/links/{uuid}`: 200 `{"link": …}`.

use super::{access::Reading, caching::answer};
use crate::{
    content::Content,
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::shared::{Fault, PageRequest, Parameters, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use storage::content::delivery::links::{Filter as LinkFilter, Link, find, list as list_links};
use uuid::Uuid;
use warp::Filter;

/// The most links of one page.
const MOST: u32 = 1_000;

/// A link on the wire (facts, section 1.13): `slug` is the full slug.
#[derive(Serialize)]
struct View<'a> {
    id: i64,
    uuid: Uuid,
    slug: &'a str,
    path: Option<&'a str>,
    real_path: String,
    name: &'a str,
    published: bool,
    parent_id: i64,
    is_folder: bool,
    is_startpage: bool,
    position: i32,
    alternates: Vec<Alternate<'a>>,
    #[serde(flatten)]
    dates: Option<Dates>,
}

#[derive(Serialize)]
struct Alternate<'a> {
    lang: &'a str,
    path: &'a str,
    name: Option<&'a str>,
    published: bool,
    translated_slug: &'a str,
}

/// With `include_dates=1`.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the hosted names")]
struct Dates {
    #[serde(with = "timestamp")]
    created_at: Timestamp,
    #[serde(with = "timestamp")]
    updated_at: Timestamp,
    #[serde(with = "timestamp::option")]
    published_at: Option<Timestamp>,
}

/// The map.
pub(super) fn all(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "links")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(Dialect::Delivery, call.arrival, list(content.clone(), call)))
        .boxed()
}

/// One of them.
pub(super) fn one(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "links" / ..)
        .and(segment::<Uuid>())
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |uuid, call: Call| respond(Dialect::Delivery, call.arrival, show(content.clone(), call, uuid)))
        .boxed()
}

async fn list(content: Content, call: Call) -> Result<Answer, Fault> {
    answer(content, call, &["page", "per_page", "starts_with", "with_parent", "include_dates"], render).await
}

async fn render(reading: Reading, query: Parameters) -> Result<Answer, Fault> {
    let is_paged = query.get("page").is_some() || query.get("per_page").is_some();
    let page = is_paged.then(|| query.page(MOST)).transpose()?;
    let filter = LinkFilter {
        starts_with: query.get("starts_with").filter(|it| !it.is_empty()).map(str::to_owned),
        parent: query.parsed("with_parent")?,
    };
    let with_dates = query.flag("include_dates")?;
    let found = list_links(&reading.session, reading.reader.space, reading.copy, &filter, page).await?;
    let links: BTreeMap<Uuid, View<'_>> = found.items.iter().map(|link| (link.uuid, view(link, with_dates))).collect();
    let whole = PageRequest { page: 1, per_page: u32::try_from(found.total).unwrap_or(u32::MAX).max(1) };
    Ok(Answer::ok(&json!({ "links": links }))?.paged(found.total, page.unwrap_or(whole)))
}

async fn show(content: Content, call: Call, uuid: Uuid) -> Result<Answer, Fault> {
    answer(content, call, &["include_dates"], move |reading, query| render_one(reading, query, uuid)).await
}

async fn render_one(reading: Reading, query: Parameters, uuid: Uuid) -> Result<Answer, Fault> {
    let with_dates = query.flag("include_dates")?;
    let found = find(&reading.session, reading.reader.space, reading.copy, uuid).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&json!({ "link": view(&found, with_dates) }))
}

fn view(link: &Link, with_dates: bool) -> View<'_> {
    let published = link.published;
    View {
        id: link.id,
        uuid: link.uuid,
        slug: &link.full_slug,
        path: link.path.as_deref(),
        real_path: format!("/{}", link.path.as_deref().unwrap_or(&link.full_slug).trim_start_matches('/')),
        name: &link.name,
        published,
        parent_id: link.parent_id,
        is_folder: link.is_folder,
        is_startpage: link.is_startpage,
        position: link.position,
        alternates: link
            .translated_slugs
            .iter()
            .map(|it| Alternate { lang: &it.lang, path: &it.path, name: it.name.as_deref(), published, translated_slug: &it.path })
            .collect(),
        dates: with_dates.then_some(Dates {
            created_at: link.created_at,
            updated_at: link.updated_at,
            published_at: link.published_at,
        }),
    }
}
