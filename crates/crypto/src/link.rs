//! Tokens of links that are mailed: 32 random bytes in base64url, of which only SHA-256 is stored. The token is too long to be guessed, so a
//! hash without a key is enough: a dump of the table gives none away.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::shared::Entropy;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// Random bytes in a token.
const RANDOM: usize = 32;
/// Characters of a token.
const LENGTH: usize = 43;

/// A new token and its hash.
pub fn generate(entropy: &dyn Entropy) -> (SecretString, [u8; 32]) {
    let mut bytes = [0; RANDOM];
    entropy.fill(&mut bytes);
    let token = SecretString::from(BASE64_URL_SAFE_NO_PAD.encode(bytes));
    let hash = digest(token.expose_secret());
    (token, hash)
}

/// The hash of a token that somebody shows; `None` for a text that cannot be one of ours.
pub fn hash(token: &str) -> Option<[u8; 32]> {
    let is_ours = token.len() == LENGTH && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    is_ours.then(|| digest(token))
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::{generate, hash};
    use crate::random::SystemEntropy;
    use secrecy::ExposeSecret;

    #[test]
    fn a_token_is_43_characters_and_found_by_its_hash_alone() {
        let (token, stored) = generate(&SystemEntropy);
        let token = token.expose_secret();
        assert_eq!((token.len(), hash(token)), (43, Some(stored)));
        assert_ne!(generate(&SystemEntropy).1, stored);
    }

    #[test]
    fn what_is_no_token_has_no_hash_and_a_changed_one_has_another() {
        let (token, stored) = generate(&SystemEntropy);
        let token = token.expose_secret();
        let (_, cut) = token.split_at(1);
        for odd in ["", cut, &format!("{token}="), &format!("{token}x"), &format!(" {cut}"), &"é".repeat(21)] {
            assert_eq!(hash(odd), None, "{odd}");
        }
        let swapped: String = token.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c }).collect();
        assert_ne!(hash(&swapped), Some(stored), "case counts");
    }
}
