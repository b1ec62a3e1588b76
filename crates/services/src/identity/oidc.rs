//! The OpenID provider.

pub mod client_auth;
pub mod context;
pub mod keys;

pub use context::{OidcContext, OidcSettings};
pub use keys::KeyRing;
