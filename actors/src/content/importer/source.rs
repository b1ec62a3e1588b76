//! Where records come from.

pub mod directory;

use domain::content::import::{Kind, Phase, Record, record};
use futures_util::future::BoxFuture;
use std::{collections::BTreeMap, time::Duration};
use uuid::Uuid;

/// What a source says of itself before it gives anything.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// The space.
    pub space: record::Space,
    /// How many records it has, as far as it tells.
    pub announced: BTreeMap<Kind, u64>,
    /// What it has and an import leaves behind.
    pub left_behind: Vec<String>,
}

/// A story or folder before its content is read.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    /// Its number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
}

/// Some records.
#[derive(Debug, Default)]
pub struct Page {
    /// The records, each with the fingerprint of what it was read from.
    pub records: Vec<(Record, [u8; 16])>,
    /// Where the next page begins; none after the last.
    pub next: Option<i64>,
}

/// Why a source gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// Machine-readable, camelCase.
    pub code: &'static str,
    /// A sentence.
    pub message: String,
    /// Whether it may go better the next time, and after which wait at least.
    pub retry: Option<Duration>,
}

impl SourceError {
    /// One that stays.
    pub fn lasting(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry: None }
    }
}

/// Gives the records of a space, phase by phase, in an order that does not change.
pub trait Source: Send + Sync {
    /// Whether it is there, and what it has.
    fn open(&self) -> BoxFuture<'_, Result<Overview, SourceError>>;

    /// Every story and folder.
    fn heads(&self) -> BoxFuture<'_, Result<Vec<Head>, SourceError>>;

    /// The page that begins at a cursor; 0 is the beginning of the phase.
    fn page(&self, phase: Phase, cursor: i64) -> BoxFuture<'_, Result<Page, SourceError>>;
}
