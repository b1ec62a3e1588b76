//! The actors of the identity service.

pub mod last_seen_writer;
pub mod mail_sender;
