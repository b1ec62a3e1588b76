//! The content wing's actors: one for each active space, which orders its writes.

pub mod command;
pub mod commands;
pub(crate) mod fan_out;
pub mod importer;
pub mod news;
mod queued_command;
pub(crate) mod scheduler;
mod space;
pub mod space_router;
pub(crate) mod undertaker;

pub use command::{CommandContext, SpaceCommand};
pub use news::{News, SpaceNews};
pub use space_router::{Limits, SpaceRouter};
