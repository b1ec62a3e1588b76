//! The tables of the OpenID provider.

pub mod client_assertions;
pub mod signing_keys;
