//! The composition root of Lectern: the only place that knows every room of the house, and it decides nothing.
//!
//! It is a library so that the integration tests can start the whole server in their own process; `main.rs` only calls [`commands`].

pub mod accept;
pub mod clock;
pub mod commands;
pub mod compose;
pub mod config;
pub mod data_dir;
pub mod embedded_postgres;
pub mod lifecycle;
mod offline;
pub mod serve;
pub mod telemetry;
mod welcome;

/// The version that the server tells.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
