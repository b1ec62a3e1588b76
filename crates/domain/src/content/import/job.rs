//! The row of an import: its status, source and progress.

use super::{Phase, Report};
use crate::shared::{Actor, ImportId, SpaceId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What the job of an import in the queue says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportPayload {
    pub space: SpaceId,
    pub import: ImportId,
}

/// The status of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No process has started it.
    Queued,
    /// A process works on it, or did so and crashed; the next process to claim its lease continues.
    Running,
    /// All records were read; those that could not be imported are in the report.
    Succeeded,
    /// It could not continue; the error says why.
    Failed,
    /// It was cancelled by a user. What it had written stays.
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

    /// Whether it has ended.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// Where its records come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SourceRef {
    /// A space of Storyblok, by its APIs.
    Vendor {
        /// Its region: `eu`, `us`, `ca`, `ap`, `cn`.
        region: String,
        space_id: i64,
    },
    /// A folder of exported JSON on the machine that runs the import.
    Directory { path: String },
}

/// An import as it is stored.
#[derive(Debug, Clone)]
pub struct Import {
    pub id: ImportId,
    /// The space that it writes to.
    pub space: SpaceId,
    pub status: Status,
    /// Whether it only reports what it would do.
    pub dry_run: bool,
    /// Whether webhooks are sent for stories that it publishes, unpublishes and moves.
    pub webhooks: bool,
    /// Where its records come from.
    pub source: SourceRef,
    pub phase: Phase,
    /// The position in that phase; its meaning is up to the source.
    pub cursor: i64,
    /// How many records were read.
    pub done: i64,
    /// How many records there are in all, as far as the source says.
    pub total: Option<i64>,
    /// Records per second, a moving average.
    pub rate: f64,
    pub report: Report,
    /// Why it failed.
    pub error: Option<ImportError>,
    pub is_cancel_requested: bool,
    pub by: Actor,
    /// When it was requested.
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    /// When it last made progress.
    pub updated_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// Why an import failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportError {
    pub code: String,
    pub message: String,
}

impl Import {
    /// The estimated remaining seconds at the current rate; `None` if it has ended or cannot be estimated.
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

#[cfg(test)]
mod tests {
    use super::{Import, SourceRef, Status};
    use crate::{
        content::import::{Phase, Report},
        shared::{Actor, ImportId, SpaceId},
    };
    use jiff::Timestamp;

    fn import(status: Status, total: Option<i64>, done: i64, rate: f64) -> Import {
        let at = Timestamp::UNIX_EPOCH;
        Import {
            id: ImportId(1),
            space: SpaceId(1),
            status,
            dry_run: false,
            webhooks: false,
            source: SourceRef::Directory { path: "/export".into() },
            phase: Phase::Stories,
            cursor: 0,
            done,
            total,
            rate,
            report: Report::default(),
            error: None,
            is_cancel_requested: false,
            by: Actor::system("import"),
            created_at: at,
            started_at: None,
            updated_at: at,
            finished_at: None,
        }
    }

    #[test]
    fn what_is_left_is_estimated_by_the_rate_while_it_runs() {
        let left = |total, done, rate| import(Status::Running, total, done, rate).seconds_left();
        assert_eq!(left(Some(100), 40, 20.0), Some(3));
        assert_eq!(left(Some(100), 40, 7.0), Some(9), "a part of a second counts as one");
        assert_eq!(left(Some(100), 120, 20.0), Some(0));
        assert_eq!(left(None, 40, 20.0), None);
        assert_eq!(left(Some(100), 40, 0.0), None);
        assert_eq!(import(Status::Queued, Some(100), 0, 50.0).seconds_left(), Some(2));
        for over in [Status::Succeeded, Status::Failed, Status::Cancelled] {
            assert_eq!(import(over, Some(100), 40, 20.0).seconds_left(), None, "{over:?}");
        }
    }

    #[test]
    fn a_status_has_a_name_and_is_over_or_not() {
        for (status, name, is_over) in [
            (Status::Queued, "queued", false),
            (Status::Running, "running", false),
            (Status::Succeeded, "succeeded", true),
            (Status::Failed, "failed", true),
            (Status::Cancelled, "cancelled", true),
        ] {
            assert_eq!((status.name(), status.is_over(), Status::of(name)), (name, is_over, Some(status)));
        }
        assert_eq!(Status::of("paused"), None);
    }
}
