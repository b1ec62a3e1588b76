//! Chaos tests: the real binary, a real PostgreSQL, real receivers, and something that goes wrong. What is checked afterwards is read from the
//! database and from the receivers' logs alone.
//!
//! `make chaos` runs them at full length (`LECTERN_CHAOS=full`), `make test` a tenth of the rounds.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::missing_panics_doc,
    unreachable_pub,
    reason = "helpers of tests fail as tests do, and not every test needs each"
)]

mod checker;
#[path = "../it/support/cluster.rs"]
mod cluster;
#[path = "../it/support/database.rs"]
mod database;
mod dns;
#[path = "../it/import/dump.rs"]
mod dump;
#[path = "../it/import/held.rs"]
mod held;
mod import;
mod kill;
mod latency;
mod memory;
#[path = "../it/support/dns.rs"]
mod nameserver;
mod person;
mod provisioning;
#[path = "../it/support/receiver.rs"]
mod receiver;
mod revocation;
mod silence;
#[path = "../it/support/statements.rs"]
mod statements;
mod stop;
#[path = "../it/import/waiting.rs"]
mod waiting;
mod world;

pub use cluster::cluster;

/// Whether every round is run.
#[expect(clippy::disallowed_methods, reason = "chaos tests have no configuration but this")]
fn is_full() -> bool {
    std::env::var("LECTERN_CHAOS").is_ok_and(|v| v == "full")
}
