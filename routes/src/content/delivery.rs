//! The Delivery API: `/api/v2/cdn/…`. Read-only, by a delivery token in the query; errors are `{"error": sentence}`.

mod access;
mod caching;
mod datasource_entries;
mod datasources;
mod links;
mod resolve;
mod selection;
mod space;
mod stories;
mod story;
mod tags;
mod view;

use crate::{
    content::Content,
    web::{Dialect, Endpoint, group as group_of},
};
use http::{HeaderValue, header};
use warp::{Filter, reply::Response};

/// All of it.
pub fn group(content: &Content) -> Endpoint {
    let endpoints = [
        stories::route(content),
        story::route(content),
        links::all(content),
        links::one(content),
        datasource_entries::route(content),
        datasources::all(content),
        datasources::one(content),
        tags::route(content),
        space::route(content),
    ];
    group_of(Dialect::Delivery, endpoints).map(readable_by_browsers).boxed()
}

/// Any page may read, and see the paging headers (facts, section 1.3). No credential travels in cookies here.
fn readable_by_browsers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("Total, Per-Page, ETag"));
    response
}
