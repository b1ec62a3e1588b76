//! Storyblok as a source of imports: its Management API, and its Content Delivery API for published content in bulk.
//!
//! Each method sends one request (and follows the redirects of the delivery API). It waits for the rate limit of the source, which
//! [`rate_estimator`] learns, and fails with an [`Error`]. The caller decides whether to try again; [`retry`] holds the rules of Storyblok's
//! own clients. The origins come from the operator, so they are not guarded. Responses are bounded in size and time.

mod delivery;
pub mod error;
mod http_pool;
mod management;
mod rate_controller;
pub mod rate_estimator;
pub mod region;
pub mod retry;

use http_pool::JsonResponse;
use rate_controller::RateController;
use secrecy::SecretString;
use serde_json::Value;
use std::sync::Arc;
use url::form_urlencoded;

pub use delivery::Wanted;
pub use error::Error;
pub use http_pool::HttpPool;
pub use management::Components;
pub use region::{Origins, Region};

/// A list, or a page of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The items as they were received, so that unknown members survive.
    pub items: Vec<Value>,
    /// The number of items on all pages, as the source reports it; none for a list without pages.
    pub total: Option<u64>,
    /// The size of a page, as the source reports it.
    pub per_page: Option<u64>,
}

/// One space of Storyblok. Cheap to clone; clones share their rate limits.
#[derive(Clone)]
pub struct Vendor {
    pool: HttpPool,
    origins: Arc<Origins>,
    token: SecretString,
    space: i64,
    management: Arc<RateController>,
    delivery: Arc<RateController>,
}

impl Vendor {
    /// A space, read with a token: a personal access token as it is, or an OAuth token after `Bearer `.
    pub fn new(pool: HttpPool, origins: Origins, token: SecretString, space: i64) -> Self {
        Self { pool, origins: Arc::new(origins), token, space, management: Arc::default(), delivery: Arc::default() }
    }

    /// Requests a second that the management API allows; none while it has refused nothing.
    pub fn rate(&self) -> Option<f64> {
        self.management.rate()
    }
}

/// A path with a query: `/path?name=value&…`.
fn with_query(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    let query = query.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// Takes the list under a key out of a response.
fn list(response: JsonResponse, key: &str) -> Result<Page, Error> {
    let JsonResponse { mut body, total, per_page } = response;
    match body.get_mut(key).map(Value::take) {
        Some(Value::Array(items)) => Ok(Page { items, total, per_page }),
        _ => Err(Error::Unreadable),
    }
}

/// Takes the object under a key out of a response.
fn object(mut response: JsonResponse, key: &str) -> Result<Value, Error> {
    response.body.get_mut(key).map(Value::take).filter(Value::is_object).ok_or(Error::Unreadable)
}
