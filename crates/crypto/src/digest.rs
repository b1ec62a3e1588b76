//! Fingerprints of bytes: for caches, never for secrets.

use sha2::{Digest, Sha256};

/// The first 128 bits of SHA-256, in hexadecimal.
pub fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
