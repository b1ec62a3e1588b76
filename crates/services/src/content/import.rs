//! Imports of whole spaces: starting and ending them, and applying their records.
//!
//! A record takes three forms between its source and its rows:
//!
//! ```text
//! Record          as read: attributes repaired, unreadable records included       domain::content::import
//! PreparedRecord  with its fingerprint; a story checked and rewritten,            apply::record
//!                 an asset with its file
//! PlacedStory     a story with its id, folder and path                            apply::stories::placement
//! ```
//!
//! Records other than stories are written from their second form. [`chunk::ApplyChunk`] writes a page of records in one transaction together with
//! everything that follows from it: id mappings, cursor, report and lease. What an import knows of both sides is [`state::ImportState`], a cache of
//! rows; it takes in the [`ChunkOutcome`] of a chunk after the commit.

pub mod apply;
mod audit;
pub mod chunk;
pub mod finish;
pub mod jobs;
pub mod source_token;
mod space_settings;
pub mod state;

pub use apply::{ApplyMode, ChunkOutcome, PreparedContent, PreparedRecord};
