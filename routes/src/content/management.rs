//! The Management API: `/api/v1/spaces/…`.
//!
//! Decided here, because the sources leave it open: an answer to a deletion is 200 with what was deleted, as on the hosted service
//! (where the hosted service says 204, so do we: datasources and their entries);
//! lists that the hosted service gives whole are whole, and paged when `page` or `per_page` is sent; a query parameter that an
//! endpoint does not know is 422.

pub mod access;
pub mod api_keys;
pub mod asset_folders;
pub mod assets;
pub mod audit_log;
pub mod component_groups;
pub mod components;
pub mod datasource_entries;
pub mod datasources;
mod envelope;
pub mod imports;
mod paginate;
pub mod presets;
pub mod spaces;
pub mod stories;
pub mod story_schedulings;
pub mod tokens;
pub mod webhooks;

use crate::web::path::segment;
use domain::shared::SpaceId;
use std::str::FromStr;
use warp::{Filter, filters::BoxedFilter};

/// `/api/v1/spaces/{space}/{name}`.
fn collection(name: &'static str) -> BoxedFilter<(SpaceId,)> {
    below_space(name).and(warp::path::end()).boxed()
}

/// `/api/v1/spaces/{space}/{name}/{id}`.
fn member<Id: FromStr + Send + 'static>(name: &'static str) -> BoxedFilter<(SpaceId, Id)> {
    below_space(name).and(segment::<Id>()).and(warp::path::end()).boxed()
}

/// `/api/v1/spaces/{space}/{name}/{id}/{verb}`.
fn action<Id: FromStr + Send + 'static>(name: &'static str, verb: &'static str) -> BoxedFilter<(SpaceId, Id)> {
    below_space(name).and(segment::<Id>()).and(warp::path(verb)).and(warp::path::end()).boxed()
}

/// `/api/v1/spaces/{space}/{name}`, and what follows.
fn below_space(name: &'static str) -> BoxedFilter<(SpaceId,)> {
    warp::path!("api" / "v1" / "spaces" / ..).and(segment::<SpaceId>()).and(warp::path(name)).boxed()
}
