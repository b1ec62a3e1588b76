//! What the use cases of the provider work with.

use super::KeyRing;
use crate::identity::IdentityContext;
use std::sync::Arc;

/// Everything that a use case of the provider needs beside the request that causes it. Cheap to clone.
#[derive(Clone)]
pub struct OidcContext {
    /// What the use cases of accounts work with.
    pub identity: IdentityContext,
    /// The keys that tokens are signed with.
    pub keys: KeyRing,
    /// What the operator configured.
    pub settings: Arc<OidcSettings>,
}

/// Settings of the provider.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// The issuer of every token: the base URL, without a slash at its end.
    pub issuer: String,
}
