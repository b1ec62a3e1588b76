//! The integration tests: one binary, one PostgreSQL for all of them, a database for each.
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

mod accept;
mod access_matrix;
mod actor_system;
mod architecture;
mod assets;
mod beside;
mod blobs;
mod client_resources;
mod content_admin;
mod database_tls;
mod datasources;
mod deployment;
mod distribution;
mod documents;
mod embedded_postgres;
mod full_disk;
mod generated;
mod guard;
mod identity;
mod images;
mod import;
mod licenses;
mod load;
mod mail;
mod oidc;
mod openapi;
mod ops;
mod pages;
mod query;
mod queue;
mod read_path;
mod resolve;
mod scaling;
mod schedulings;
mod space_people;
mod startup;
mod store;
mod stories;
mod story_validation;
mod studio;
mod telemetry;
mod vendor;
mod webhooks;
