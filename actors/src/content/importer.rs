//! Imports of whole spaces.
//!
//! ```text
//! start ── tx { import_jobs row, jobs row (lease), audit } ──▶ 202          cancel ── tx { wish in the row }
//!                                  │ NOTIFY
//! Importer (permanent): slots; claims a job with its lease ──▶ ImportJob (one a running job)
//!
//! ImportJob:  Source ──pages──▶ feeder (a task: fetch, parse, prepare, retries) ──2 ahead──▶ Step ──▶ the space's actor:
//!                 ONE tx { lease still ours? row still where we left it? nobody wants it to stop?
//!                          write the page │ numbers of the source ─▶ ours │ move cursor, counters, report, lease }
//! ```
//!
//! What the actor knows is a cache of rows: after a crash, or a write whose end nobody knows, the next one begins with the row and goes on
//! behind its cursor. A page that is written twice finds its records there and unchanged, and tells of them as the first time. A dry run looks at the same things with the
//! same code and writes nothing but its own row; it begins anew when it is cut off.

mod chunk;
mod closing;
pub mod commands;
mod dispatcher;
mod feeder;
mod gear;
mod job;
mod memory;
mod metrics;
pub mod source;
mod sources;
mod take;
mod worker;

pub(crate) use dispatcher::{Importer, Message, Params};
pub(crate) use metrics::Metrics;
pub use sources::{Place, SEAL, Settings, sealed_for};
pub(crate) use worker::Tools;
