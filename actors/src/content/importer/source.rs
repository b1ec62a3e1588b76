//! Sources: where the records of an import come from.

mod bounds;
pub mod directory;
mod order;
mod place;
pub mod vendor;

use crate::content::importer::end_code::EndCode;
use bytes::Bytes;
use domain::{
    content::import::{Finding, Fingerprint, Kind, Phase, Record, SourceId, record},
    shared::Fault,
};
use futures_util::{future::BoxFuture, stream::BoxStream};
use services::content::import::state::SourceStory;
use std::collections::BTreeMap;

/// The approximate maximum size of a page of records, in bytes of JSON. Up to three pages are in memory, as
/// trees.
const MAX_PAGE_BYTES: usize = 2 * 1024 * 1024;

/// The same as trees, an estimate. The record that passes it is the last one of its page.
const MAX_PAGE_WEIGHT: usize = 16 * 1024 * 1024;

/// The id of a record of a list whose kind is known at run time only.
type ListedId = SourceId<Record>;

/// What a source says about itself before it returns records.
#[derive(Debug, Clone, Default)]
pub struct SourceManifest {
    pub space: record::Space,
    /// How many records it has, by kind, as far as it says.
    pub announced: BTreeMap<Kind, u64>,
    /// Warnings for the report.
    pub warnings: Vec<Finding>,
    /// The fingerprint of the whole source, if its cursors become invalid when it changes.
    pub fingerprint: Option<Fingerprint>,
}

/// A page of records.
#[derive(Debug, Default)]
pub struct Page {
    /// The records, each with the fingerprint of the text that it was read from.
    pub records: Vec<(Record, Fingerprint)>,
    /// The cursor of the next page; `None` after the last page.
    pub next: Option<i64>,
    /// What the records take in memory, in bytes, an estimate.
    pub weight: usize,
}

/// Why a source failed, after all retries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// What the import fails with.
    pub code: EndCode,
    pub message: String,
    /// Whether the cause is a temporary failure of this server, which must not end the import.
    pub is_ours: bool,
}

/// A warning about a source as a whole.
fn warning(code: &str, message: &str) -> Finding {
    Finding::new(code, Kind::Story, 0, "", message)
}

impl SourceError {
    /// An error of the source.
    pub fn new(code: EndCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), is_ours: false }
    }

    /// A temporary failure of this server.
    pub fn ours(code: EndCode, message: impl Into<String>) -> Self {
        Self { is_ours: true, ..Self::new(code, message) }
    }
}

/// A file that is being fetched.
pub struct Fetched {
    /// Its length in bytes, if the source says so.
    pub length: Option<u64>,
    pub chunks: BoxStream<'static, Result<Bytes, Fault>>,
}

/// Why a file cannot be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// A sentence for the report.
    pub message: String,
    /// Whether another attempt may succeed.
    pub is_transient: bool,
}

impl FileError {
    /// An error that another attempt would meet as well.
    pub fn permanent(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_transient: false }
    }
}

/// Returns the records of a space, phase by phase, in a stable order: folders behind those that they stand
/// in, then by ascending id, and stories by ascending id, whatever the order of the source's lists. This
/// order decides who gets a path that several have.
pub trait Source: Send + Sync {
    /// Reads the manifest.
    fn open(&self) -> BoxFuture<'_, Result<SourceManifest, SourceError>>;

    /// Lists all stories and folders by ascending id.
    fn story_headers(&self) -> BoxFuture<'_, Result<Vec<SourceStory>, SourceError>>;

    /// Reads the page at a cursor; 0 is the beginning of the phase. `max` is the maximum number of records,
    /// for phases whose pages can be split.
    fn page(&self, phase: Phase, cursor: i64, max: usize) -> BoxFuture<'_, Result<Page, SourceError>>;

    /// Whether a cursor of the phase is still valid after the source is opened again. If not, an interrupted
    /// phase starts from its beginning.
    fn has_stable_cursor(&self, phase: Phase) -> bool;

    /// Fetches the file of an asset.
    fn file<'a>(&'a self, asset: &'a record::Asset) -> BoxFuture<'a, Result<Fetched, FileError>>;
}
