//! Opaque tokens, for links in mails, challenges and cookies: 32 random bytes in base64url, of which only the
//! SHA-256 hash is stored. A token is too long to be guessed, so a hash without a key is enough: a copy of
//! the table reveals no token.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::shared::Entropy;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// How many random bytes a token has.
const RANDOM: usize = 32;
/// How many characters a token has.
const LENGTH: usize = 43;

/// Generates a token; returns it with its hash.
pub fn generate(entropy: &dyn Entropy) -> (SecretString, [u8; 32]) {
    let mut bytes = [0; RANDOM];
    entropy.fill(&mut bytes);
    let token = SecretString::from(BASE64_URL_SAFE_NO_PAD.encode(bytes));
    let hash = digest(token.expose_secret());
    (token, hash)
}

/// The hash of a token that a caller sent; `None` for a text that cannot be a token.
pub fn hash(token: &str) -> Option<[u8; 32]> {
    let is_token = token.len() == LENGTH && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    is_token.then(|| digest(token))
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
    fn a_text_that_is_no_token_has_no_hash_and_a_changed_token_has_another() {
        let (token, stored) = generate(&SystemEntropy);
        let token = token.expose_secret();
        let (_, cut) = token.split_at(1);
        for odd in ["", cut, &format!("{token}="), &format!("{token}x"), &format!(" {cut}"), &"é".repeat(21)] {
            assert_eq!(hash(odd), None, "{odd}");
        }
        let swapped: String = token.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c }).collect();
        assert_ne!(hash(&swapped), Some(stored), "case counts");
    }

    #[test]
    fn all_letters_of_base64url_and_no_others_make_a_token() {
        for good in ["-", "_", "a", "Z", "9"] {
            assert!(hash(&good.repeat(43)).is_some(), "{good}");
        }
        for bad in ["+", "/", "=", " ", "."] {
            assert_eq!(hash(&bad.repeat(43)), None, "{bad}");
        }
    }
}
