//! The actors of the identity service.

pub(crate) mod key_rotator;
pub mod last_seen_writer;
pub mod mail_sender;
