//! Randomness. `clippy.toml` forbids random generators everywhere else.

use domain::shared::Entropy;
use rand::Rng;

/// A generator for each thread (`ChaCha12`), seeded by the operating system and again after every 64 KiB. It
/// is as unpredictable as that of the operating system. A system call for the id of each request took longer
/// than the rest of the server's work for a cached read.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "the one place for it")]
    fn fill(&self, buffer: &mut [u8]) {
        rand::rng().fill_bytes(buffer);
    }
}
