//! The wiring of Lectern: configuration, start, accept loop, stop and commands. It knows every crate and
//! decides nothing.
//!
//! It is a library so that the integration tests can start the whole server in their own process; `main.rs`
//! only calls [`commands`].

pub mod accept;
mod allocator;
mod banner;
pub mod clock;
mod command_env;
pub mod commands;
pub mod components;
pub mod config;
pub mod data_dir;
pub mod embedded_postgres;
pub mod lifecycle;
pub mod presence;
pub mod serve;
pub mod telemetry;
pub mod wiring;

/// The version of the server.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
