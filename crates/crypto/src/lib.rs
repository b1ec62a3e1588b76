//! Cryptography: keys, randomness, tokens, passwords, one-time codes, passkeys, signed sessions, signing
//! keys, signatures of webhooks.

pub mod codes;
pub mod csrf;
pub mod digest;
pub mod keys;
pub mod oidc;
pub mod opaque_token;
pub mod passkeys;
pub mod passwords;
pub mod pkce;
pub mod preview;
pub mod random;
pub mod seal;
pub mod session;
pub mod token;
pub mod totp;
pub mod webhook;
