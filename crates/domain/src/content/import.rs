//! The import of a whole space: from the hosted service, or from a folder of exported JSON.
//!
//! ```text
//! queued ─▶ running ─▶ succeeded
//!   │          ├─────▶ failed        with a named error; resumed, it is queued again and goes on where it stopped
//!   └──────────┴─────▶ cancelled
//!
//! running: space → asset folders → assets → groups → components → presets → datasources → entries → folders → stories
//! ```
//!
//! Assets come first, because everything after them names their URLs. Folders come level by level, so that what stands in them finds
//! them. Within a phase, records come in a fixed order, and a **cursor** says how far it is: a job that was cut off goes on behind it.
//!
//! ```text
//! record  ──prepare──▶  what we would store  ──compare with the fingerprint of last time──▶  create | update | unchanged
//!    │                       (rewritten: ids, URLs)
//!    └─ unreadable, refused, without a place ─▶ a finding in the report; the import goes on
//! ```

pub mod finding;
pub mod job;
pub mod kind;
pub mod prepare;
pub mod record;
pub mod report;
pub mod rewrite;
pub mod translated;

pub use finding::{Finding, Findings};
pub use job::{Import, SourceRef, Status};
pub use kind::{Kind, Phase};
pub use record::Record;
pub use report::{Files, Outcome, Report};
