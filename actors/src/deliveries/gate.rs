//! What others need to know before they let something be delivered: whether a target may be called, and how its secret is kept.

use super::{Courier, SEALED_FOR};
use crypto::seal::Seal;
use domain::shared::{Fault, SharedEntropy};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;

/// Checks targets and seals secrets. Cheap to clone.
#[derive(Clone)]
pub struct Gate {
    pub(crate) courier: Arc<dyn Courier>,
    pub(crate) seal: Seal,
    pub(crate) entropy: SharedEntropy,
}

impl Gate {
    /// 422 on `url` when the guard would never let a delivery there pass. Nothing is resolved, so the answer tells nothing of names and
    /// networks; each attempt is checked again.
    pub fn check(&self, url: &str) -> Result<(), Fault> {
        if self.courier.allows(url) {
            return Ok(());
        }
        Err(Fault::invalid("url", "blocked_target", "may not be called"))
    }

    /// A receiver's secret as it is stored.
    pub fn seal(&self, secret: &SecretString) -> Result<Vec<u8>, Fault> {
        self.seal.seal(SEALED_FOR, secret.expose_secret().as_bytes(), self.entropy.as_ref())
    }
}
