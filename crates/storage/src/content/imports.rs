//! Imports of whole spaces: their rows, the mapping from the source's ids to ours, and bulk inserts.

pub mod displaced_stories;
pub mod entries;
pub mod ids;
pub mod jobs;
pub mod lookups;
pub mod stories;
