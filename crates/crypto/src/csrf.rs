//! CSRF tokens: the signed double-submit cookie of the OWASP CSRF cheat sheet. A token is `hex(HMAC(key,
//! len(id)!id!len(r)!r)).r`, where `id` is that of the session. Without the key `r` cannot be told from
//! random, but it is the same for all tokens of a session: the pages that a browser has open share one
//! cookie, so a token that one of them asks for must not replace that of another.

use crate::{keys::Key, token::sign};
use subtle::ConstantTimeEq;

/// How many bytes `r` has.
const RANDOM: usize = 16;

/// The token that is bound to an id.
pub fn issue(key: &Key, id: &str) -> String {
    // No message that is signed for a token begins like this one.
    let random = hex::encode(sign(key, format!("random!{id}").as_bytes()));
    with_random(key, id, random.get(..2 * RANDOM).unwrap_or_default())
}

/// Whether the token was issued with this key for this id.
pub fn verify(key: &Key, id: &str, token: &str) -> bool {
    let Some((_, random)) = token.split_once('.') else { return false };
    if random.len() != 2 * RANDOM {
        return false;
    }
    with_random(key, id, random).as_bytes().ct_eq(token.as_bytes()).into()
}

fn with_random(key: &Key, id: &str, random: &str) -> String {
    let message = format!("{}!{id}!{}!{random}", id.len(), random.len());
    format!("{}.{random}", hex::encode(sign(key, message.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::{issue, verify, with_random};

    #[test]
    fn a_token_has_the_documented_form() {
        // HMAC pads a short key with zeros, so eight bytes and zeros are the same key as the eight bytes.
        let mut key = [0; 32];
        key[..8].copy_from_slice(b"csrf-key");
        let token = with_random(&key, "3b1c6f0e8a5d4c7b9e2f1a0d6c8b7a59", "00112233445566778899aabbccddeeff");
        let expected = "f884f303bb345a25669d8030ff2f225af2712cf10bc096a5ab23077c1a482d69.00112233445566778899aabbccddeeff";
        assert_eq!(token, expected);
    }

    #[test]
    fn a_token_holds_for_its_id_and_key_only() {
        let (key, other) = ([1; 32], [2; 32]);
        let token = issue(&key, "a");
        assert!(verify(&key, "a", &token));
        assert!(!verify(&key, "b", &token) && !verify(&other, "a", &token));
        assert_eq!(token, issue(&key, "a"), "one for all pages of a session");
        let random = |token: &str| token.split_once('.').unwrap().1.to_owned();
        let others = [issue(&key, "b"), issue(&other, "a")];
        assert!(others.iter().all(|other| random(other) != random(&token)));
        let (mut short, mut long) = (token.clone(), token.clone());
        short.pop();
        long.push('0');
        for broken in ["", ".", "x.y", &short, &long, &token.to_uppercase()] {
            assert!(!verify(&key, "a", broken), "{broken}");
        }
    }
}
