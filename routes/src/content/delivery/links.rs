//! `GET /api/v2/cdn/links`: 200 `{"links": {uuid: …}}`: the whole map, or one page of it when `page`, `per_page` or `paginated` asks
//! (decisions 7); `GET …/links/{uuid}`: 200 `{"link": …}`.

use super::{
    access::Reading,
    caching::{answer, answer_of},
    reads::Size,
};
use crate::{
    content::Content,
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::{
    content::query::sort,
    shared::{Fault, PageRequest, Parameters, timestamp},
};
use http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use storage::content::delivery::{
    links::{Filter as LinkFilter, Link, each as each_link, find},
    stories::Translation,
};
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

/// A link in another language.
#[derive(Serialize)]
pub(super) struct Alternate<'a> {
    lang: &'a str,
    path: &'a str,
    name: Option<&'a str>,
    published: bool,
    translated_slug: &'a str,
}

/// A link in all other languages.
pub(super) fn alternates(translations: &[Translation], published: bool) -> Vec<Alternate<'_>> {
    translations
        .iter()
        .map(|it| Alternate { lang: &it.lang, path: &it.path, name: it.name.as_deref(), published, translated_slug: &it.path })
        .collect()
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
    let known = ["page", "per_page", "paginated", "starts_with", "with_parent", "by_uuid", "sort_by", "include_dates"];
    let size = if is_paged(&call.query()?)? { Size::Page } else { Size::Map };
    answer_of(size, content, call, &known, render).await
}

fn is_paged(query: &Parameters) -> Result<bool, Fault> {
    Ok(query.get("page").is_some() || query.get("per_page").is_some() || query.flag("paginated")?)
}

async fn render(reading: Reading, query: Parameters) -> Result<Answer, Fault> {
    let page = is_paged(&query)?.then(|| query.page(MOST)).transpose()?;
    let text = |name| query.text(name);
    let filter = LinkFilter {
        starts_with: text("starts_with").map(str::to_owned),
        parent: query.parsed("with_parent")?,
        uuid: query.parsed("by_uuid")?,
    };
    let order = text("sort_by").map(sort::parse).transpose()?.unwrap_or_default();
    let with_dates = query.flag("include_dates")?;
    let mut body = LinkMap::new();
    let write = |link: Link| Ok(body.add(&view(&link, with_dates))?);
    let total = each_link(&reading.session, reading.reader.space, reading.copy, &filter, &order, page, write).await?;
    let whole = PageRequest { page: 1, per_page: u32::try_from(total).unwrap_or(u32::MAX).max(1) };
    Ok(Answer::bytes(StatusCode::OK, "application/json; charset=utf-8", body.finish()).paged(total, page.unwrap_or(whole)))
}

/// `{"links": {uuid: …}}`, written link by link: a space of 100,000 stories has 40 MB of it.
struct LinkMap(Vec<u8>);

impl LinkMap {
    fn new() -> Self {
        Self(b"{\"links\":{".to_vec())
    }

    fn add(&mut self, link: &View<'_>) -> Result<(), Fault> {
        if self.0.last() != Some(&b'{') {
            self.0.push(b',');
        }
        self.write(&link.uuid)?;
        self.0.push(b':');
        self.write(link)
    }

    fn write<T: Serialize>(&mut self, value: &T) -> Result<(), Fault> {
        serde_json::to_writer(&mut self.0, value).map_err(|error| Fault::internal(format!("serialise: {error}")))
    }

    fn finish(mut self) -> Vec<u8> {
        self.0.extend_from_slice(b"}}");
        self.0
    }
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
        alternates: alternates(&link.translated_slugs, published),
        dates: with_dates.then_some(Dates {
            created_at: link.created_at,
            updated_at: link.updated_at,
            published_at: link.published_at,
        }),
    }
}
