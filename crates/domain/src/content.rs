//! The content service: spaces, the rights in them, and what they contain.

pub mod access;
pub mod asset;
pub mod asset_folder;
pub mod audit;
pub mod blocks;
pub mod cached_urls;
pub mod changes;
pub mod checks;
pub mod component;
pub mod component_group;
pub mod datasource;
pub mod datasource_entry;
pub mod field;
pub mod hierarchy;
pub mod import;
pub mod index;
pub mod language;
pub mod language_selection;
pub mod localize;
pub mod preset;
pub mod query;
pub mod references;
pub mod scheduling;
pub mod schema;
pub mod slug;
pub mod space;
pub mod story;
pub mod story_scope;
pub mod token;
pub mod webhook;

pub use access::{Right, Role};
pub use changes::{AuditEntry, Changes, EventKind, StoryEvent, Target};
pub use checks::Checks;
pub use field::Field;
pub use language::Language;
pub use space::{AdministeredSpace, Space, SpaceChange, SpaceSettings};
