//! What the OpenID provider signs with: keys for `RS256`, `ES256` and `EdDSA` (RFC 7517), tokens as compact
//! JWS (RFC 7515), and the threads that sign; and the secrets of clients.

pub mod client_secrets;
pub mod dpop_nonce;
mod foreign_key;
pub mod jws;
pub mod key_pair;
pub mod public_key;
pub mod signing_pool;
pub mod token_hash;

pub use dpop_nonce::DpopNonces;
pub use foreign_key::thumbprint;
pub use key_pair::KeyPair;
pub use public_key::PublicKey;
pub use signing_pool::{SigningPool, SigningSettings};
pub use token_hash::token_hash;
