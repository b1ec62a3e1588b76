//! The one home of randomness.

use domain::shared::Entropy;
use rand::Rng;

/// A generator of each thread's own (`ChaCha12`), seeded by the operating system and seeded anew every 64 KiB. It is as unpredictable as the
/// operating system's, and each request needs an id: a system call for it cost more than anything else of a hot read that is ours.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is its one home")]
    fn fill(&self, buffer: &mut [u8]) {
        rand::rng().fill_bytes(buffer);
    }
}
