//! What leaves the machine.
//!
//! A URL that a person gave us (a webhook, an asset of an import) goes through the [`guard`]: [`guard::Guard::check`] turns the text
//! into a [`guard::Target`] without a look at the network, and [`client::Client`] resolves it, checks every address, and dials one
//! of those. Origins that the operator configured do not.

pub mod client;
mod dial;
pub mod dns;
pub mod fetch;
pub mod guard;
pub mod mail;
pub mod outlet;
pub mod probe;
pub mod tls;
pub mod vendor;
