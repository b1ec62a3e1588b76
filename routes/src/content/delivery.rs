//! The Delivery API, `/api/v2/cdn/…`: read-only, with a delivery token in the query. Errors are `{"error":
//! sentence}`.

mod access;
mod asset;
pub(in crate::content) mod cache;
mod cached;
mod cost;
mod datasource_entries;
mod datasources;
pub(in crate::content) mod drafts;
mod links;
mod parameters;
mod resolve;
mod selection;
mod space;
mod stories;
mod story;
mod tags;
mod view;

use crate::{
    content::Content,
    ops::Metrics,
    web::fast_path::FastPath,
    web::{Endpoints, ErrorFormat},
};

use access::ByDeliveryToken;
use cache::CacheMiss;
pub use cache::{DeliveryCache, ReadSettings};
use std::sync::Arc;

/// The endpoints. A response that is in the cache is sent before any filter runs.
pub(in crate::content) fn endpoints(content: &Content, metrics: &Metrics) -> Endpoints<Content, Arc<CacheMiss>> {
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

fn fast_path(content: &Content) -> FastPath<Arc<CacheMiss>> {
    let content = content.clone();
    Box::new(move |uri, headers| cached::try_cached(&content, uri.path(), uri.query().unwrap_or_default(), headers))
}
