//! The content wing's actors: one for each active space, which orders its writes.

pub(crate) mod fan_out;
pub mod importer;
pub mod news;
mod pending;
pub(crate) mod scheduler;
mod space;
pub mod spaces;
pub(crate) mod undertaker;
pub mod write;
pub mod writes;

pub use news::{News, SpaceNews};
pub use spaces::{Limits, Spaces};
pub use write::{Desk, Write};
