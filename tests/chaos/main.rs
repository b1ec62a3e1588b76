//! Chaos tests: the real binary, a real PostgreSQL, real receivers, and something that goes wrong. What is
//! checked afterwards is read from the database and from the receivers' logs alone.
//!
//! `make chaos` runs them at full length (`LECTERN_CHAOS=full`), `make test` a few of the rounds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::missing_panics_doc,
    unreachable_pub,
    reason = "helpers of tests fail as tests do"
)]

mod checker;
mod dns;
mod import;
mod kill;
mod memory;
mod outage;
mod provisioning;
mod revocation;
mod stop;

/// Both processes serve one site.
const SITE: &[(&str, &str)] = &[
    ("APP_BASE_URL", "http://chaos.example"),
    ("APP_RATE_LIMITS", "off"),
    ("APP_ARGON2_MEMORY_KIB", "64"),
    ("APP_ARGON2_ITERATIONS", "1"),
];
