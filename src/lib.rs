//! The composition root of Lectern: the only place that knows every room of the house, and it decides nothing.
//!
//! It is a library so that the integration tests can start the whole server in their own process; `main.rs` only calls it.

pub mod clock;
pub mod embedded_postgres;
