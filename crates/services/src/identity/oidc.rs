//! The OpenID provider.

pub mod context;
pub mod keys;

pub use context::{OidcContext, OidcSettings};
pub use keys::KeyRing;
