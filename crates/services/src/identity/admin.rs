//! What administrators do. A right that was just removed counts at once: each transaction looks again whether its administrator still is one and still signed
//! in, after it has waited for its locks.

pub mod audit_logs;
pub mod blocks;
mod check;
pub mod client_secret;
pub mod concerns;
pub mod create_user;
pub mod delete_user;
pub mod email_test;
pub mod export;
pub mod force_logout;
pub mod links;
pub mod list_users;
pub mod mails;
pub mod queues;
pub mod reset_two_factor;
pub mod roles;
pub mod rotate_keys;
pub mod spaces;
pub mod statistics;
pub mod suspension;
pub mod tokens;
pub mod update_user;
pub mod user_details;

pub use check::ActingAdministrator;
use check::{attempt, check_administrator};
