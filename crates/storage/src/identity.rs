//! The identity wing's tables.

pub mod accounts;
pub mod audit;
pub mod mails;
pub mod one_time;
pub mod registration;
pub mod sessions;
pub mod sign_in;
pub mod upkeep;

pub use audit::{Attempt, Outcome};
pub use mails::NewMail;
