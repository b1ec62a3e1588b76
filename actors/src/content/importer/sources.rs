//! How the source of a job is reached.

use super::source::{Source, SourceError, directory::Directory};
use domain::content::import::SourceRef;
use std::sync::Arc;
use storage::queue::{IMPORT, Queue};

/// How imports are done in this process.
#[derive(Clone)]
pub struct Settings {
    /// Which jobs it takes.
    pub queues: Vec<Queue>,
    /// How many run at a time, on all processes together.
    pub slots: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { queues: vec![IMPORT], slots: 4 }
    }
}

/// Opens sources.
pub(super) struct Sources;

impl Sources {
    /// The source that is meant.
    pub(super) fn source(source: &SourceRef) -> Result<Arc<dyn Source>, SourceError> {
        match source {
            SourceRef::Directory { path } => Ok(Arc::new(Directory::new(path))),
            SourceRef::Vendor { .. } => Err(SourceError::lasting("sourceUnknown", "This server cannot read from that source")),
        }
    }
}
