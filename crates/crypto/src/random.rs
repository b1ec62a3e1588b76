//! The one home of randomness: the operating system's generator.

use domain::shared::Entropy;
use rand::{TryRng, rngs::SysRng};

/// The operating system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    /// # Panics
    /// When the operating system cannot give random bytes: there is nothing sensible to do without them.
    #[expect(clippy::expect_used, reason = "getrandom(2) does not fail once the kernel has booted")]
    fn fill(&self, buffer: &mut [u8]) {
        SysRng.try_fill_bytes(buffer).expect("the operating system has random bytes");
    }
}
