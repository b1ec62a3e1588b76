//! The use cases of both services. Each takes what it needs as arguments or a small context, decides with
//! `domain`, writes with `storage` in one transaction, and returns data. HTTP, actors and SQL are elsewhere.

pub mod content;
pub mod identity;
pub mod shared;
