//! The OpenID provider.

pub mod apps;
pub mod authorize;
pub mod client_auth;
pub mod client_receivers;
pub mod context;
pub mod device;
pub mod dpop;
pub mod interaction;
pub mod introspect;
pub mod keys;
pub mod logout;
pub mod logout_tokens;
pub mod pushed;
pub mod revoke;
pub mod token;
pub mod userinfo;

mod counters;
mod jwt_access;
mod misdirected;

pub use context::{OidcContext, OidcSettings};
pub use counters::TokenCounters;
pub use keys::KeyRing;
pub use logout_tokens::LogoutTokens;
