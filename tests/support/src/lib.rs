//! The fixtures of all tests in Rust that start servers: `tests/it`, `tests/chaos` and `tests/time`.
//!
//! ```text
//! use support::prelude::*;                       what most tests use
//! let app = TestApp::start().await;               the whole server; app.get("/api/health"), app.sql("update …"), app.count("select …")
//! let ann = Person::signed_in(&app, ANN).await;    a person at a browser; ann.get("/api/me").await.expect(200), ann.page("/account"), ann.fill_in("/login", …)
//! let fixture = SpaceFixture::new().await;         a server with a space; fixture.editor().post("/stories", body).await.expect(201)
//! let server = Server::start(data, &[]).await;     the binary; server.person(ANN).await.space().await.publish("a")
//! let database = support::database().await;      a migrated database for one test; database.store, database.target
//! let clock = support::clock();                  stands still until clock.advance(..)
//! let entropy = support::entropy(7);             the same bytes in every run
//! let dns = Dns::start().await;                  a DNS server; dns.points("hooks.example.com", &["127.0.0.1"])
//! let peer = Peer::start(|path| Reply::with("200 OK", &[], path)).await;     another server; peer.address, peer.seen()
//! let mut key = SoftKey::at(&app.url(""));         a security key; key.create(&options), key.get(&options)
//! let mails = MailBox::start().await;             a mail server; mails.next_to("ann@example.org").await.link()
//! let system = support::system(&database, clock).await;     the actors on it; system.handles().spaces
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::missing_panics_doc,
    clippy::new_without_default,
    reason = "helpers of tests fail as tests do"
)]

mod actor_system;
mod app;
mod authenticator;
pub mod binary;
mod cluster;
pub mod conformance;
mod database;
mod dns;
pub mod frames;
pub mod free_address;
pub mod import;
pub mod key_rotation;
pub mod link;
mod mail_box;
pub mod multipart;
pub mod network;
mod object_store;
pub mod owned_space;
mod peer;
mod person;
pub mod postgres_server;
pub mod prelude;
pub mod proxy;
pub mod receiver;
mod response;
mod scratch;
pub mod server;
pub mod signing_keys;
pub mod silence;
pub mod small_disk;
pub mod soft_key;
pub mod space_fixture;
pub mod spaces;
mod statements;
mod time;
pub mod tools;
mod waiting;
mod wire;
pub mod world;

pub use actor_system::{system, system_params, system_with};
pub use app::{Declared, Setup, TestApp, browser, browser_called};
pub use authenticator::Authenticator;
pub use cluster::cluster;
pub use database::{Database, NEVER_IDLE, POOL, database, until_waited_for, waiting_for};
pub use dns::{Dns, Record};
pub use mail_box::{MailBox, MailServer, Says};
pub use object_store::Bucket;
pub use peer::{Authority, Peer, Reply};
pub use person::{PASSWORD, Person, give_passwords_up};
pub use response::{Answer, Response};
pub use scratch::{Scratch, data_directory, scratch};
pub use soft_key::{Forgery, SoftKey};
pub use time::{TestClock, clock, entropy};
pub use waiting::short_wait;
pub use wire::{Raw, Wire};

use crypto::keys::Keys;
use std::time::Duration;

/// How long a test waits for what has to come, however busy the machine is. What does come is never waited
/// for so long, and no test is about it: those that are about a duration are in `tests/time`.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// The keys of every server that runs in the test's own process.
pub fn keys() -> Keys {
    Keys::new(vec![7; 32].into())
}
