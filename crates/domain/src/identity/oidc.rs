//! The OpenID provider: OAuth 2.0 (RFC 6749, with the security practice of RFC 9700) and OpenID Connect Core
//! 1.0.

pub mod acr;
pub mod authorization_request;
pub mod claims_request;
pub mod client;
pub mod client_assertion;
pub mod client_config;
pub mod client_notice;
pub mod clients;
pub mod device_code;
pub mod dpop;
pub mod error;
pub mod interaction;
pub mod jwk;
pub mod lifetimes;
pub mod misdirected;
pub mod policy;
pub mod redirect_uri;
pub mod refresh;
pub mod response;
pub mod roles;
pub mod scope;
pub mod signing_algorithm;
pub mod signing_key;
pub mod token_type;
pub mod user_claims;
pub mod user_code;

pub use authorization_request::AuthorizationRequest;
pub use claims_request::ClaimsRequest;
pub use client::{Client, ClientAuth, ClientKind, Consent, GrantType, IdTokenClaims, RoleMode};
pub use client_notice::{LogoutNotice, NoticeKind};
pub use clients::{Clients, RoleGroup};
pub use jwk::PublicJwk;
pub use redirect_uri::RedirectUri;
pub use response::{ResponseMode, ResponseTarget};
pub use scope::Scope;
pub use signing_algorithm::SigningAlgorithm;
pub use signing_key::{SigningKey, Stage};
pub use token_type::TokenType;
pub use user_code::UserCode;
