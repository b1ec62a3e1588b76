//! The identity wing's tables.

pub mod accounts;
pub mod audit;
pub mod devices;
pub mod guesses;
pub mod known_devices;
pub mod leaving;
pub mod links;
pub mod mails;
pub mod maintenance;
pub mod one_time;
pub mod passkeys;
pub mod passwords;
pub mod second_factor;
pub mod sessions;
pub mod sign_in;
pub mod totp;

pub use audit::{Attempt, Outcome, Source};
pub use mails::NewMail;
