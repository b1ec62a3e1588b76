//! Outgoing connections: a guarded HTTP client, the client of Storyblok's APIs, SMTP, DNS and TLS, and the
//! collector of traces and metrics.
//!
//! A URL from a user (a webhook, an asset of an import) passes the [`guard`]: [`guard::Guard::check`] turns
//! the text into a [`guard::OutboundTarget`] without using the network, and [`client::GuardedClient`]
//! resolves it, checks every address, and connects to one of them. Origins that the operator configured are
//! not guarded.

pub mod client;
pub mod clients;
pub mod collector;
mod dial;
pub mod dns;
pub mod fetch;
pub mod guard;
pub mod mail;
pub mod probe;
pub mod tls;
pub mod vendor;
