//! Writes of stories and folders.
//!
//! Each answers the story as it is afterwards, read in the same transaction. Saves, publishes and unpublishes add a version; changes
//! of place move everything below a folder; what the public can see moves `cv`.

pub mod bulk_move;
pub mod create;
pub mod delete;
pub mod discard;
pub mod duplicate;
pub mod events;
pub mod patch;
pub mod publish;
pub mod relocate;
pub mod restore;
mod steps;
pub mod undelete;
pub mod unpublish;
pub mod update;

pub use bulk_move::BulkMove;
pub use create::Create;
pub use delete::Delete;
pub use discard::DiscardChanges;
pub use duplicate::Duplicate;
pub use patch::{Patch, TranslationOf, TranslationPatch};
pub use publish::Publish;
pub use relocate::Relocate;
pub use restore::Restore;
pub use undelete::Undelete;
pub use unpublish::Unpublish;
pub use update::Update;

use storage::content::stories::read::{Found, Surroundings};

/// A story after a write, with what the management answer says of its surroundings.
#[derive(Debug, Clone)]
pub struct Written {
    /// The story and its draft.
    pub found: Found,
    /// Ancestors, translated slugs, alternates.
    pub surroundings: Surroundings,
}
