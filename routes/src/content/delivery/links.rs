//! Links: stories and folders with the properties that menus need.

pub(super) mod list;
pub(super) mod read;

use domain::shared::timestamp;
use jiff::Timestamp;
use serde::Serialize;
use storage::content::delivery::{links::Link, story::Translation};
use uuid::Uuid;

/// A link in a response. Its `slug` is the full slug.
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

/// The path of a link in another language.
#[derive(Serialize)]
pub(super) struct Alternate<'a> {
    lang: &'a str,
    path: &'a str,
    name: Option<&'a str>,
    published: bool,
    translated_slug: &'a str,
}

/// The paths of a link in other languages.
pub(super) fn alternates(translations: &[Translation], published: bool) -> Vec<Alternate<'_>> {
    translations
        .iter()
        .map(|translation| Alternate {
            lang: &translation.lang,
            path: &translation.path,
            name: translation.name.as_deref(),
            published,
            translated_slug: &translation.path,
        })
        .collect()
}

/// The members that `include_dates=1` adds.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the names of the API")]
struct Dates {
    #[serde(with = "timestamp")]
    created_at: Timestamp,
    #[serde(with = "timestamp")]
    updated_at: Timestamp,
    #[serde(with = "timestamp::option")]
    published_at: Option<Timestamp>,
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
