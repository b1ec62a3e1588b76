//! The identity wing's actors.

pub mod mail_sender;
pub mod session_touch;

/// The label of the key that mails are sealed with until they are sent.
pub const MAIL_SEAL: &str = "mail/1";
