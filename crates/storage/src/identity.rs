//! The identity service's tables.

pub mod account_list;
pub mod account_rights;
pub mod accounts;
pub mod audit;
pub mod known_devices;
pub mod lockout;
pub mod mails;
pub mod maintenance;
pub mod oidc;
pub mod one_time;
pub mod passkeys;
pub mod passwords;
pub mod pending_logins;
pub mod provisioning;
pub mod role_assignments;
pub mod sessions;
pub mod statistics;
pub mod totp;

pub use audit::{Actor, Attempt, AuditOutcome, AuditSource};
pub use mails::NewMail;
