//! Commands of stories and folders.
//!
//! Each answers the story as it is after the command. A story is read once in a transaction: what a command
//! writes is known to it, so only rows that the database changes along (paths of ancestors and translations)
//! are read again. Saves, publishes and unpublishes add a version; changes of place move everything below a
//! folder; what published reads can see moves `cv`.

pub mod autosave;
pub mod bulk_move;
pub mod create;
pub mod delete;
pub mod discard;
mod draft;
pub mod duplicate;
pub mod events;
mod folder_types;
pub mod if_match;
mod keeping;
pub mod languages;
pub mod move_story;
pub mod patch;
mod place;
pub mod preset;
pub mod publish;
pub mod restore;
mod steps;
pub mod translation_status;
mod translations;
pub mod undelete;
pub mod unpublish;
pub mod update;

pub use autosave::Autosave;
pub use bulk_move::BulkMove;
pub use create::Create;
pub use delete::Delete;
pub use discard::DiscardChanges;
pub use duplicate::Duplicate;
pub use if_match::{IfMatch, Written};
pub use languages::{PublishLanguages, UnpublishLanguages};
pub use move_story::MoveStory;
pub use patch::{Patch, TranslationOf, TranslationPatch};
pub use preset::PresetChoice;
pub use publish::Publish;
pub use restore::Restore;
pub use translation_status::ConfirmTranslations;
pub use undelete::Undelete;
pub use unpublish::Unpublish;
pub use update::Update;
