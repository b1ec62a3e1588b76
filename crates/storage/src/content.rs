//! The content wing's tables.

pub mod ledger;
pub mod management_tokens;
