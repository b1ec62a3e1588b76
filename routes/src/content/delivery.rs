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
    dispatch::FastPath,
    ops::Metrics,
    web::{Endpoints, ErrorFormat},
};

use access::ByDeliveryToken;
pub use reads::{ReadSettings, Reads};

/// The endpoints. Answers that lie ready go out before any filter runs.
pub fn endpoints(content: &Content, metrics: &Metrics) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Delivery)
        .get("/api/v2/cdn/stories", ByDeliveryToken, stories::list)
        .get("/api/v2/cdn/stories/{identifier..}", ByDeliveryToken, story::show)
        .get("/api/v2/cdn/links", ByDeliveryToken, links::list::list)
        .get("/api/v2/cdn/links/{uuid}", ByDeliveryToken, links::read::read)
        .get("/api/v2/cdn/datasource_entries", ByDeliveryToken, datasource_entries::list)
        .get("/api/v2/cdn/datasources", ByDeliveryToken, datasources::list::list)
        .get("/api/v2/cdn/datasources/{id}", ByDeliveryToken, datasources::read::read)
        .get("/api/v2/cdn/tags", ByDeliveryToken, tags::list)
        .get("/api/v2/cdn/spaces/me", ByDeliveryToken, space::read)
        .get("/api/v2/cdn/assets/me", ByDeliveryToken, asset::show)
        .with_fast_path(fast_path(content), metrics)
}

fn fast_path(content: &Content) -> FastPath {
    let content = content.clone();
    Box::new(move |uri, headers| caching::ready(&content, uri.path(), uri.query().unwrap_or_default(), headers))
}
