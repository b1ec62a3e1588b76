//! Proof Key for Code Exchange (RFC 7636).

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// Whether a code verifier belongs to a code challenge of the method S256 (section 4.6). A verifier has too
/// many bits to be found by the time that this takes.
pub fn matches(verifier: &str, challenge: &str) -> bool {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == challenge
}

#[cfg(test)]
mod tests {
    use super::matches;

    /// RFC 7636, appendix B.
    #[test]
    fn the_example_of_the_standard_matches() {
        let (verifier, challenge) = ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(matches(verifier, challenge) && !matches(challenge, verifier));
    }
}
