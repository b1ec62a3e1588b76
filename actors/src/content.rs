//! The actors of the content service: one for each active space, which executes its commands in order of
//! arrival, and those that work for all spaces.

pub(crate) mod dead_letters;
pub(crate) mod fan_out;
pub mod importer;
mod queued_command;
mod remote_files;
pub(crate) mod scheduler;
mod space;
pub mod space_events;
pub mod space_router;

pub use remote_files::{Look, RemoteFile, RemoteFiles};
pub use space_events::{SpaceEvent, SpaceEvents};
pub use space_router::{Limits, SpaceRouter};
