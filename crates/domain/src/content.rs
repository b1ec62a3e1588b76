//! The content wing: spaces, who may do what in them, and what they hold.

pub mod access;
pub mod changes;

pub use access::{Right, Role};
pub use changes::{AuditEntry, Changes, EventKind, StoryEvent, Target};
