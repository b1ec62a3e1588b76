//! Supervised actors: they own time, order, retries and batches. The only crate with ractor.

pub mod actor_system;
pub mod content;
pub mod deliveries;
pub mod identity;
pub mod maintenance;
pub mod notifications;
pub mod read_load;
pub mod runtime;

pub use actor_system::{ActorSystem, Handles};
pub use read_load::ReadLoad;
