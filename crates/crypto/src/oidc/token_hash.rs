//! `at_hash`, which binds an access token to an ID token.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::identity::oidc::SigningAlgorithm;
use sha2::{Digest, Sha256, Sha512};

/// The left half of the hash of an access token, by the hash function of the ID token's algorithm (OpenID
/// Connect Core 1.0, section 3.1.3.6). For `EdDSA` that is SHA-512, which Ed25519 uses itself (RFC 8032,
/// section 5.1).
pub fn token_hash(algorithm: SigningAlgorithm, token: &str) -> String {
    match algorithm {
        SigningAlgorithm::Rs256 | SigningAlgorithm::Es256 => left_half(&Sha256::digest(token)),
        SigningAlgorithm::EdDsa => left_half(&Sha512::digest(token)),
    }
}

fn left_half(digest: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(digest.split_at(digest.len() / 2).0)
}

#[cfg(test)]
mod tests {
    use super::{SigningAlgorithm, token_hash};

    /// OpenID Connect Core 1.0, appendix A.3.
    #[test]
    fn the_example_of_the_standard_is_met() {
        let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
        assert_eq!(token_hash(SigningAlgorithm::Rs256, token), "77QmUPtjPfzWtF2AnpK9RQ");
        assert_eq!(token_hash(SigningAlgorithm::EdDsa, token).len(), 43);
    }
}
