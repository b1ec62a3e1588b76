//! What the endpoints that register receivers need: whether a URL may be called, and how its secret is
//! stored.

use super::{SECRET_PURPOSE, Transport};
use crypto::seal::Seal;
use domain::shared::{Fault, FieldCode, SharedEntropy};

use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;

/// Checks URLs and seals secrets. Cheap to clone.
#[derive(Clone)]
pub struct ReceiverGuard {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) seal: Seal,
    pub(crate) entropy: SharedEntropy,
}

impl ReceiverGuard {
    /// 422 on `url` when no delivery to it would ever be allowed, in one code and a sentence about the URL
    /// itself. Nothing is resolved, so the answer tells nothing about names and networks; each attempt is
    /// checked again.
    pub fn check(&self, url: &str) -> Result<(), Fault> {
        self.transport.check(url).map_err(|refusal| Fault::invalid("url", FieldCode::BlockedTarget, refusal.sentence()))
    }

    /// Encrypts a receiver's secret for its row.
    pub fn seal(&self, secret: &SecretString) -> Result<Vec<u8>, Fault> {
        self.seal.seal(SECRET_PURPOSE, secret.expose_secret().as_bytes(), self.entropy.as_ref())
    }
}
