//! The identity wing's actors.

pub mod mail_sender;
pub mod session_touch;
