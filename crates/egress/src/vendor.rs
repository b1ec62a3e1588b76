//! Storyblok as a source of imports: its Management API, and its Content Delivery API for published content
//! in bulk.
//!
//! Each method sends one request (and follows the redirects of the delivery API). It waits for the rate limit
//! of the source, which [`rate_estimator`] learns, and fails with an [`Error`]. The caller decides whether to
//! try again; [`retry`] holds the rules of Storyblok's own clients. The origins come from the operator, so
//! they are not guarded. Responses are bounded in size and time, and split into records while they arrive
//! ([`splitter`]); what is held of them is counted ([`ImportMemory`]).

mod delivery;
pub mod error;
mod http_pool;
mod management;
mod memory;
mod rate_controller;
pub mod rate_estimator;
pub mod record;
pub mod region;
pub mod retry;
pub mod splitter;

use http_pool::Response;
use rate_controller::RateController;
use secrecy::SecretString;
use splitter::{Limits, RecordMember as Member, Shape};
use std::sync::Arc;
use url::form_urlencoded;

pub use delivery::StorySelection;
pub use error::Error;
pub(crate) use http_pool::Connector;
pub use http_pool::HttpPool;
pub use management::Components;
pub use memory::{Held, ImportMemory};
pub use record::Record;
pub use region::{Origins, Region};

/// The bounds of a story, with its content or with that of a version.
pub const STORY: Limits = Limits { bytes: 16 * 1024 * 1024, weight: 96 * 1024 * 1024 };
/// The bounds of any other record.
pub const RECORD: Limits = Limits { bytes: 4 * 1024 * 1024, weight: 32 * 1024 * 1024 };

/// A list, or a page of one.
#[derive(Debug)]
pub struct VendorPage {
    pub items: Vec<Record>,
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
    memory: ImportMemory,
}

impl Vendor {
    /// A space, read with a token: a personal access token as it is, or an OAuth token after `Bearer `. What
    /// is read is counted in `memory`.
    pub fn new(pool: HttpPool, origins: Origins, token: SecretString, space: i64, memory: ImportMemory) -> Self {
        Self { pool, origins: Arc::new(origins), token, space, management: Arc::default(), delivery: Arc::default(), memory }
    }

    /// What is held of the space.
    pub fn memory(&self) -> &ImportMemory {
        &self.memory
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

/// A list under a name.
const fn list_of(name: &'static str) -> Member {
    Member { name, shape: Shape::List }
}

/// An object under a name.
const fn object_of(name: &'static str) -> Member {
    Member { name, shape: Shape::Object }
}

/// The only list of a response.
fn list(mut response: Response) -> Result<VendorPage, Error> {
    let (total, per_page) = (response.total, response.per_page);
    Ok(VendorPage { items: response.take(0).ok_or(Error::Unreadable)?, total, per_page })
}

/// The only object of a response.
fn object(mut response: Response) -> Result<Record, Error> {
    response.take(0).and_then(|mut records| records.pop()).ok_or(Error::Unreadable)
}
