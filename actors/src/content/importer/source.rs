//! Where records come from.

pub mod directory;
mod order;
pub mod vendor;

use bytes::Bytes;
use domain::{
    content::import::{Kind, Phase, Record, record},
    shared::Fault,
};
use futures_util::{future::BoxFuture, stream::BoxStream};
use std::collections::BTreeMap;
use uuid::Uuid;

/// About how many bytes a page of records has at most: pages are in memory as trees, three of them at a time.
const BYTES: usize = 2 * 1024 * 1024;

/// What a source says of itself before it gives anything.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// The space.
    pub space: record::Space,
    /// How many records it has, as far as it tells.
    pub announced: BTreeMap<Kind, u64>,
    /// What a person should know of it: codes and sentences.
    pub warnings: Vec<(&'static str, String)>,
    /// The fingerprint of all of it, where its cursors are places in it that mean something else when it changes.
    pub print: Option<[u8; 16]>,
}

/// A story or folder before its content is read.
#[derive(Debug, Clone)]
pub struct Head {
    /// Its number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
    /// Its path, if the source tells.
    pub full_slug: Option<String>,
}

/// Some records.
#[derive(Debug, Default)]
pub struct Page {
    /// The records, each with the fingerprint of what it was read from.
    pub records: Vec<(Record, [u8; 16])>,
    /// Where the next page begins; none after the last.
    pub next: Option<i64>,
}

/// Why a source gave nothing. It was asked often enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// Machine-readable, camelCase.
    pub code: &'static str,
    /// A sentence.
    pub message: String,
    /// Whether it is not the source's doing but ours: it will be over some time, and no import is to end because of it.
    pub is_ours: bool,
}

impl SourceError {
    /// With a code and a sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), is_ours: false }
    }

    /// A trouble of our own.
    pub fn ours(code: &'static str, message: impl Into<String>) -> Self {
        Self { is_ours: true, ..Self::new(code, message) }
    }
}

/// A file that is coming.
pub struct Fetched {
    /// How long it is said to be.
    pub length: Option<u64>,
    /// Its bytes as they come.
    pub pieces: BoxStream<'static, Result<Bytes, Fault>>,
}

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoFile {
    /// A sentence for the report.
    pub message: String,
    /// Whether it may be there in a while.
    pub is_passing: bool,
}

impl NoFile {
    /// It is not there, and asking again does not help.
    pub fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_passing: false }
    }
}

/// The code of the fault of a file that broke off in the middle: it may come whole the next time.
pub const FILE_BROKEN: &str = "fileBroken";

/// Gives the records of a space, phase by phase, in an order that does not change.
pub trait Source: Send + Sync {
    /// Whether it is there, and what it has.
    fn open(&self) -> BoxFuture<'_, Result<Overview, SourceError>>;

    /// Every story and folder.
    fn heads(&self) -> BoxFuture<'_, Result<Vec<Head>, SourceError>>;

    /// The page that begins at a cursor; 0 is the beginning of the phase. It has about so many records at most, where they can be told apart.
    fn page(&self, phase: Phase, cursor: i64, most: usize) -> BoxFuture<'_, Result<Page, SourceError>>;

    /// Whether a cursor of the phase leads to the same place when the source is opened anew. Where it does not, the phase begins anew.
    fn keeps_place(&self, phase: Phase) -> bool;

    /// The file of an asset.
    fn file<'a>(&'a self, asset: &'a record::Asset) -> BoxFuture<'a, Result<Fetched, NoFile>>;
}
