//! The integration tests: one binary, one PostgreSQL for all of them, a database for each.

mod content_admin;
mod embedded_postgres;
#[allow(dead_code, unused_imports, reason = "a harness is ahead of its tests")]
mod support;
