//! What keeps the house running: hearing other processes, sweeping what has expired.

pub mod janitor;
pub mod notifications;
mod sweep;

pub use notifications::Notifications;
pub use sweep::Kept;
