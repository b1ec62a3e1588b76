//! The content wing's actors: one for each active space, which orders its writes.

pub mod spaces;
pub mod write;
pub mod writes;

pub use spaces::Spaces;
pub use write::{Desk, Write};
