//! The rules of the OpenID provider.

pub mod client;
pub mod client_assertion;
pub mod client_config;
pub mod clients;
pub mod error;
pub mod jwk;
pub mod lifetimes;
pub mod redirect_uri;
pub mod roles;
pub mod signing_algorithm;
pub mod signing_key;
pub mod token_type;

pub use client::{Client, ClientAuth, ClientKind, Consent, GrantType, IdTokenClaims, RoleMode};
pub use clients::{Clients, RoleGroup};
pub use jwk::PublicJwk;
pub use redirect_uri::RedirectUri;
pub use signing_algorithm::SigningAlgorithm;
pub use signing_key::{SigningKey, Stage};
pub use token_type::TokenType;
