//! Supervised actors: they own time, order, retries and batches. The only crate with ractor.

pub mod content;
pub mod runtime;
