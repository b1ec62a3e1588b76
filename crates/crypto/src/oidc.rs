//! Keys, secrets and signatures of the OpenID provider.

pub mod client_secrets;
