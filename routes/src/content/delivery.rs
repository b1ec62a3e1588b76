//! The Delivery API: `/api/v2/cdn/…`. Read-only, by a delivery token in the query; errors are `{"error": sentence}`.

mod access;
mod asset;
mod caching;
mod datasource_entries;
mod datasources;
mod links;
mod reads;
mod resolve;
mod selection;
mod space;
mod stories;
mod story;
mod tags;
mod view;

use crate::{
    content::Content,
    dispatch::Shortcut,
    web::{Endpoint, ErrorFormat, group as tried_in_order},
};

pub use reads::{ReadSettings, Reads};

/// All of it.
pub fn group(content: &Content) -> Endpoint {
    let endpoints = [
        stories::route(content),
        story::route(content),
        links::list::route(content),
        links::read::route(content),
        datasource_entries::route(content),
        datasources::list::route(content),
        datasources::read::route(content),
        tags::route(content),
        space::route(content),
        asset::route(content),
    ];
    tried_in_order(ErrorFormat::Delivery, endpoints)
}

/// What lies ready goes out before any filter runs.
pub fn shortcut(content: &Content) -> Shortcut {
    let content = content.clone();
    Box::new(move |uri, headers| caching::ready(&content, uri.path(), uri.query().unwrap_or_default(), headers))
}
