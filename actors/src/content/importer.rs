//! Runs imports of whole spaces.
//!
//! ```text
//! start:  tx { import_jobs row, queue job, audit } ──▶ 202          cancel:  tx { request in the row }
//!                                  │ NOTIFY
//! Importer (permanent): slots; claims a job with a lease ──▶ ImportJob (one per running import)
//!
//! ImportJob:  Source ──pages──▶ PageStream (a task: fetch, prepare) ──2 pages ahead──▶ Worker ──▶ the space's actor:
//!                 ONE tx { lease and position verified, cancellation checked;
//!                          records applied │ id mappings │ cursor, counters, report, lease }
//! ```
//!
//! When something that failed at the source is tried again is decided by an actor below each `ImportJob`
//! (`retries`), and `Observe` of the `Importer` shows what its imports wait for.
//!
//! What a worker knows is a cache of rows. After a crash, or a write with unknown outcome, the next worker
//! loads the row and continues at its cursor. A page that is written twice finds its records unchanged and
//! reports them as the first time. A dry run compares the same records with the same code and writes only its
//! own row; after an interruption it starts again.

mod asset_files;
mod dispatcher;
pub mod end_code;
mod job;
mod metrics;
mod prefetch;
mod retries;
mod settings;
pub mod source;
mod throttle;
mod worker;

pub(crate) use dispatcher::Importer;
pub(crate) use metrics::Metrics;
pub use settings::{ImportEnv, Settings};
pub(crate) use worker::WorkerDeps;
