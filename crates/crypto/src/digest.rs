//! Fingerprints of bytes, for caches and comparisons; never for secrets.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use sha2::{Digest, Sha256};

/// The source expression that allows an inline script in a `Content-Security-Policy` by its hash (CSP Level 3, section 2.3.1), without quotes.
pub fn csp_hash(script: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(script)))
}

/// The 128-bit XXH3 hash in hexadecimal, for `ETag`s: ten times as fast as SHA-256. It does not resist collisions on purpose, but an author who made
/// one would only deceive the readers of the same space.
pub fn fingerprint(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}

/// SHA-256, for what is only looked up by its hash.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// SHA-256 over bytes that come in pieces.
#[derive(Debug, Clone, Default)]
pub struct Sum(Sha256);

impl Sum {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// Base64url without padding (RFC 4648, section 5).
pub fn base64url(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The first 128 bits of SHA-256 over parts, each behind its length, so that `["a", "b"]` and `["ab"]` differ.
pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 16] {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let digest: [u8; 32] = digest.finalize().into();
    let mut half = [0; 16];
    half.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
    half
}

#[cfg(test)]
mod tests {
    use super::of_parts;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let of = |parts: &[&str]| of_parts(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_ne!(of(&["ab", ""]), of(&["a", "b"]));
        assert_ne!(of(&["a"]), of(&["a", ""]));
    }
}
