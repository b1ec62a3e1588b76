//! What administrators do. A right that was just removed counts at once: each transaction looks again whether
//! its administrator still is one and still signed in, after it has waited for its locks.

pub mod audit_logs;
pub mod blocks;
mod check;
pub mod client_secret;
pub mod mails;
pub mod overview;
pub mod queues;
pub mod roles;
pub mod rotate_keys;
pub mod spaces;
pub mod user_access;
pub mod user_details;
pub mod users;

pub use check::ActingAdministrator;
use check::{attempt, check_administrator};
