//! Nonces of DPoP (RFC 9449, section 8): a time and its keyed hash. They need no storage, and every process
//! of one installation accepts them.

use crate::{
    keys::{Key, Keys},
    token::{same, sign},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jiff::Timestamp;

/// How long a nonce is given out, in seconds.
const PERIOD: i64 = 60;
/// For how many periods it is accepted, with the one in which it was given out.
const ACCEPTED: i64 = 5;
/// How many bytes of the keyed hash it has.
const TAG: usize = 16;

/// Gives out nonces and recognises them.
pub struct DpopNonces {
    key: Key,
}

impl DpopNonces {
    /// Derives the key.
    pub fn new(keys: &Keys) -> Self {
        Self { key: keys.derive("dpop-nonce/1") }
    }

    /// The nonce of this time: 32 characters of base64url.
    pub fn current(&self, now: Timestamp) -> String {
        self.of(now.as_second().div_euclid(PERIOD))
    }

    /// Whether a nonce was given out within the last minutes.
    pub fn accepts(&self, nonce: &str, now: Timestamp) -> bool {
        let period = now.as_second().div_euclid(PERIOD);
        // One from the next period comes from a process whose clock is a little ahead.
        (-1..ACCEPTED).any(|age| same(self.of(period - age).as_bytes(), nonce.as_bytes()))
    }

    fn of(&self, period: i64) -> String {
        let time = period.to_be_bytes();
        let tag = sign(&self.key, &time);
        let nonce: Vec<u8> = time.into_iter().chain(tag.into_iter().take(TAG)).collect();
        BASE64_URL_SAFE_NO_PAD.encode(nonce)
    }
}

#[cfg(test)]
mod tests {
    use super::DpopNonces;
    use crate::keys::Keys;
    use jiff::Timestamp;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn a_nonce_is_accepted_for_some_minutes_by_its_own_installation() {
        let nonces = DpopNonces::new(&Keys::new(vec![1; 32].into()));
        let nonce = nonces.current(at(0));
        assert_eq!((nonce.len(), nonces.current(at(59))), (32, nonce.clone()));
        assert_ne!(nonces.current(at(60)), nonce);
        for (second, accepted) in [(-61, false), (-1, true), (0, true), (299, true), (300, false), (86_400, false)] {
            assert_eq!(nonces.accepts(&nonce, at(second)), accepted, "{second}");
        }
        assert!(!DpopNonces::new(&Keys::new(vec![2; 32].into())).accepts(&nonce, at(0)));
        for other in ["", "x", &"A".repeat(32), &nonce.replace('A', "B"), &format!("{nonce}A")] {
            assert!(!nonces.accepts(other, at(0)), "{other}");
        }
    }
}
