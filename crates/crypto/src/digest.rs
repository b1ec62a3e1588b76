//! Fingerprints of bytes: for caches, never for secrets.

use sha2::{Digest, Sha256};

/// The first 128 bits of SHA-256, in hexadecimal.
pub fn fingerprint(bytes: &[u8]) -> String {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let (half, _) = digest.split_at(16);
    hex::encode(half)
}
