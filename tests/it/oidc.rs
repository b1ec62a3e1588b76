//! The OpenID provider.

mod roles;
