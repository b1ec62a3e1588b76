//! The import of a whole space: from Storyblok, or from a folder of exported JSON.
//!
//! ```text
//! queued ─▶ running ─▶ succeeded
//!   │          ├─────▶ failed        with an error code; a resumed import is queued again and continues where it stopped
//!   └──────────┴─────▶ cancelled
//!
//! running: space → asset folders → assets → groups → components → presets → datasources → entries → folders → stories
//! ```
//!
//! Assets come first, because everything after them contains their URLs. Folders come level by level, so that
//! a folder exists before the stories in it arrive. Within a phase, records come in a fixed order, and a
//! **cursor** says how far the import is: after a crash it continues there.
//!
//! An import loses nothing that it can read. A story or folder whose path is taken stands beside it
//! (`<slug>-<id at the source>`), and what has no folder here stands at the top.
//!
//! ```text
//! record  ──prepare──▶  what would be stored  ──compare with the fingerprint of the last import──▶  create | update | unchanged
//!    │                  (ids and URLs rewritten)
//!    └─ unreadable or invalid ─▶ a finding in the report; the import continues
//! ```

pub mod finding;
mod imported;
pub mod job;
pub mod kind;
pub mod mapping;
pub mod prepare;
pub mod record;
pub mod report;
pub mod rewrite;
pub mod source_id;
pub mod translated;
pub mod tree;

/// A 128-bit digest of a record. Equal digests mean that nothing changed.
pub type Fingerprint = [u8; 16];

pub use finding::{Finding, Findings, Subject};
pub use imported::Imported;
pub use job::{Import, ImportError, ImportPayload, SourceRef, Status};
pub use kind::{Kind, Phase};
pub use mapping::{IdMapping, IdMappings};
pub use record::Record;
pub use report::{Files, Outcome, Report};
pub use source_id::SourceId;
pub use tree::Tree;
