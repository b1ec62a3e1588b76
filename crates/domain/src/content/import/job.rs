//! An import as a job.

use super::{Phase, Report};
use crate::shared::{Actor, ImportId, SpaceId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where an import stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nobody has begun it.
    Queued,
    /// A process is at it, or one that was has gone and the next one will go on.
    Running,
    /// All records came; what could not be taken over is in the report.
    Succeeded,
    /// It could not go on; the error says why.
    Failed,
    /// Somebody stopped it. What it had written stays.
    Cancelled,
}

impl Status {
    const ALL: [Self; 5] = [Self::Queued, Self::Running, Self::Succeeded, Self::Failed, Self::Cancelled];

    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The status of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }

    /// Whether nothing more will happen.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// Where the records come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SourceRef {
    /// The hosted service.
    Vendor {
        /// Its region: `eu`, `us`, `ca`, `ap`, `cn`.
        region: String,
        /// The space there.
        space_id: i64,
    },
    /// A folder of exported JSON on the machine that imports.
    Directory {
        /// Its path.
        path: String,
    },
}

/// A job as it is stored.
#[derive(Debug, Clone)]
pub struct Import {
    /// Its number.
    pub id: ImportId,
    /// The space that it fills.
    pub space: SpaceId,
    /// Where it stands.
    pub status: Status,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// Whether webhooks are told of stories that it publishes, takes offline and moves.
    pub webhooks: bool,
    /// Where the records come from.
    pub source: SourceRef,
    /// Which phase it is in.
    pub phase: Phase,
    /// How far in that phase; the source knows what it means.
    pub cursor: i64,
    /// Records that came.
    pub done: i64,
    /// Records that are to come in all, as far as the source told.
    pub total: Option<i64>,
    /// Records a second, of late.
    pub rate: f64,
    /// What it did.
    pub report: Report,
    /// Why it failed: a code and a sentence.
    pub error: Option<(String, String)>,
    /// Whether somebody wants it to stop.
    pub is_cancel_requested: bool,
    /// Who started it.
    pub by: Actor,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// When it last got on.
    pub updated_at: Timestamp,
    /// When it was over.
    pub finished_at: Option<Timestamp>,
}

impl Import {
    /// How many seconds it will take still, going on like this; unknown while nothing is known.
    pub fn seconds_left(&self) -> Option<u64> {
        let left = self.total?.saturating_sub(self.done).max(0);
        if self.status.is_over() || self.rate <= 0.0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
        let seconds = (left as f64 / self.rate).ceil() as u64;
        Some(seconds)
    }
}
