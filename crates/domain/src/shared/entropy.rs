//! Randomness is passed in, so that a test can predict it.

use std::sync::Arc;
use uuid::Uuid;

/// A source of unpredictable bytes. The real one is `crypto::random::SystemEntropy`.
pub trait Entropy: Send + Sync {
    /// Fills a buffer with random bytes.
    fn fill(&self, buffer: &mut [u8]);

    /// A random (version 4) UUID, RFC 9562 section 5.4.
    fn uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}

/// A shared source.
pub type SharedEntropy = Arc<dyn Entropy>;
