//! Imports of whole spaces: their jobs, what the source's records are here, and writing many stories at once.

pub mod asides;
pub mod entries;
pub mod ids;
pub mod jobs;
pub mod lookups;
pub mod stories;
