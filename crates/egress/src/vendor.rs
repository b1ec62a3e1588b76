//! The hosted service, as a source to import from: its management API, and its delivery API for published content in bulk.
//!
//! One call of an endpoint is one request (and the redirects of the delivery API): it waits for its turn at the source's [`pace`],
//! and fails as an [`Error`] that says what happened. Whether to try again is the caller's to decide; [`patience`] is what the
//! hosted service's own clients do. The origins come from the operator, so they are not guarded; everything that is read is
//! bounded in size and time.

mod delivery;
pub mod error;
mod lines;
mod management;
pub mod pace;
mod pacer;
pub mod patience;
pub mod region;

use lines::Asked;
use pacer::Pacer;
use secrecy::SecretString;
use serde_json::Value;
use std::sync::Arc;
use url::form_urlencoded;

pub use delivery::Wanted;
pub use error::Error;
pub use lines::Lines;
pub use management::Components;
pub use region::{Origins, Region};

/// A list, or one page of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// Each as it came, so that what we do not know survives.
    pub items: Vec<Value>,
    /// How many there are on all pages, says the source; none when the list has no pages.
    pub total: Option<u64>,
    /// How many each page has, says the source.
    pub per_page: Option<u64>,
}

/// One space of the hosted service. Cheap to clone; clones share their pace.
#[derive(Clone)]
pub struct Vendor {
    lines: Lines,
    origins: Arc<Origins>,
    token: SecretString,
    space: i64,
    management: Arc<Pacer>,
    delivery: Arc<Pacer>,
}

impl Vendor {
    /// A space, read with a token: raw, or with `Bearer ` before it.
    pub fn new(lines: Lines, origins: Origins, token: SecretString, space: i64) -> Self {
        Self { lines, origins: Arc::new(origins), token, space, management: Arc::default(), delivery: Arc::default() }
    }

    /// Requests a second that the management API allows, as far as that is known.
    pub fn rate(&self) -> Option<f64> {
        self.management.rate()
    }
}

/// `/path?name=value&…`
fn with_query(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    let query = query.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// Takes a list out of an answer.
fn list(answer: Asked, key: &str) -> Result<Page, Error> {
    let Asked { mut body, total, per_page } = answer;
    match body.get_mut(key).map(Value::take) {
        Some(Value::Array(items)) => Ok(Page { items, total, per_page }),
        _ => Err(Error::Unreadable),
    }
}

/// Takes an object out of an answer.
fn object(mut answer: Asked, key: &str) -> Result<Value, Error> {
    answer.body.get_mut(key).map(Value::take).filter(Value::is_object).ok_or(Error::Unreadable)
}
