//! Supervised actors: they own time, order, retries and batches. The only crate with ractor.

pub mod content;
pub mod deliveries;
pub mod handles;
pub mod identity;
pub mod runtime;
pub mod traffic;
pub mod tree;
pub mod upkeep;

pub use handles::Handles;
pub use traffic::Traffic;
pub use tree::Tree;
