//! What keeps the process and the database in order: notifications from other processes, and the removal of what has expired.

pub mod janitor;
pub mod notifications;
mod object_sweep;
mod sweep;

pub use notifications::Notifications;
pub use sweep::Retention;
