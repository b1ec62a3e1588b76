//! An import as callers see it.

use domain::{
    content::import::{Import, ImportError, Phase, Report, SourceRef, Status},
    shared::{ImportId, SpaceId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;

/// What a caller sees of an import.
#[derive(Serialize)]
pub(super) struct ImportView<'a> {
    id: ImportId,
    space_id: SpaceId,
    status: Status,
    dry_run: bool,
    webhooks: bool,
    source: Source<'a>,
    progress: Progress,
    report: &'a Report,
    error: Option<&'a ImportError>,
    cancel_requested: bool,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    started_at: Option<Timestamp>,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    finished_at: Option<Timestamp>,
}

/// Where the records come from. The path of a directory on the server is not shown.
#[derive(Serialize)]
struct Source<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    space_id: Option<i64>,
}

/// How far an import has come.
#[derive(Serialize)]
pub(super) struct Progress {
    phase: Phase,
    /// Records of all kinds that were read.
    done: i64,
    /// All records, as far as the source tells.
    total: Option<i64>,
    /// Records a second, lately.
    rate: f64,
    /// Seconds left at this rate.
    eta_s: Option<u64>,
    warnings: u64,
    failures: u64,
    broken_references: u64,
}

impl Progress {
    pub(super) fn of(import: &Import) -> Self {
        Self {
            phase: import.phase,
            done: import.done,
            total: import.total,
            rate: (import.rate * 10.0).round() / 10.0,
            eta_s: import.seconds_left(),
            warnings: import.report.warnings.total,
            failures: import.report.failures.total,
            broken_references: import.report.broken_references.total,
        }
    }
}

impl<'a> ImportView<'a> {
    pub(super) fn of(import: &'a Import) -> Self {
        let source = match &import.source {
            SourceRef::Vendor { region, space_id } => Source { kind: "vendor", region: Some(region), space_id: Some(*space_id) },
            SourceRef::Directory { .. } => Source { kind: "directory", region: None, space_id: None },
        };
        Self {
            id: import.id,
            space_id: import.space,
            status: import.status,
            dry_run: import.dry_run,
            webhooks: import.webhooks,
            source,
            progress: Progress::of(import),
            report: &import.report,
            error: import.error.as_ref(),
            cancel_requested: import.is_cancel_requested,
            created_at: import.created_at,
            started_at: import.started_at,
            updated_at: import.updated_at,
            finished_at: import.finished_at,
        }
    }
}
