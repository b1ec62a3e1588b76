//! The actors of the content service. Each active space has one, which executes its commands in order of arrival.

pub(crate) mod fan_out;
pub mod importer;
mod queued_command;
pub(crate) mod scheduler;
mod space;
pub mod space_events;
pub mod space_router;
pub(crate) mod undertaker;

pub use services::content::{CommandContext, SpaceCommand};
pub use space_events::{SpaceEvent, SpaceEvents};
pub use space_router::{Limits, SpaceRouter};
