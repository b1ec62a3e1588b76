//! What keeps the database in order: the removal of what has expired.

mod batch;
pub mod janitor;
mod object_sweep;
mod sweep;

pub use batch::Retention;
