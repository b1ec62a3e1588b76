//! The actors of the identity service.

pub(crate) mod client_deliveries;
pub mod key_rotator;
pub mod last_seen_writer;
pub mod mail_diagnostics;
pub mod mail_sender;
