//! Codes that are short enough to be typed: the one that is mailed at login, and the ones that are kept for
//! the day when the authenticator is lost. A code can be guessed by a thief of its hash, so the hash is
//! keyed.

use crate::{keys::Key, token::sign};
use domain::{
    identity::{
        code,
        oidc::user_code::{self, UserCode},
    },
    shared::Entropy,
};
use secrecy::{ExposeSecret, SecretString};

/// How many backup codes there are.
pub const BACKUP_CODES: usize = 10;
/// The numbers that six digits can write.
const LOGIN_CODES: u32 = 1_000_000;

/// A new code of six digits, each as likely as the others.
pub fn login_code(entropy: &dyn Entropy) -> SecretString {
    // What is above the last whole million would make the first codes likelier.
    let bound = u32::MAX - u32::MAX % LOGIN_CODES;
    loop {
        let mut bytes = [0; 4];
        entropy.fill(&mut bytes);
        let number = u32::from_be_bytes(bytes);
        if number < bound {
            return format!("{:06}", number % LOGIN_CODES).into();
        }
    }
}

/// A new set of backup codes: 50 bits each.
pub fn backup_codes(entropy: &dyn Entropy) -> Vec<SecretString> {
    std::iter::repeat_with(|| backup_code(entropy)).take(BACKUP_CODES).collect()
}

fn backup_code(entropy: &dyn Entropy) -> SecretString {
    let mut bytes = [0; code::BACKUP_LENGTH];
    entropy.fill(&mut bytes);
    // 32 letters: what is left of a byte is as likely for each.
    let letters: String = bytes.into_iter().filter_map(|byte| code::ALPHABET.chars().nth(usize::from(byte % 32))).collect();
    let (first, second) = letters.split_at_checked(code::BACKUP_LENGTH / 2).unwrap_or((&letters, ""));
    format!("{first}-{second}").into()
}

/// A new user code for a device, each as likely as the others.
pub fn user_code(entropy: &dyn Entropy) -> UserCode {
    // Above the last whole alphabet, the first letters would be likelier than others.
    let bound = u8::MAX - u8::MAX % 20;
    let mut places = [0; user_code::LENGTH];
    for place in &mut places {
        let mut byte = [u8::MAX];
        while byte[0] >= bound {
            entropy.fill(&mut byte);
        }
        *place = byte[0];
    }
    UserCode::of_places(places)
}

/// The keyed hash of a code, which is stored: HMAC-SHA256 over its owner and the code, so that equal codes of
/// two accounts have different hashes.
pub fn hash(key: &Key, owner: &str, code: &SecretString) -> [u8; 32] {
    let code = code.expose_secret();
    sign(key, format!("{}!{owner}!{code}", owner.len()).as_bytes())
}

/// The keyed hash of a code in hexadecimal.
pub fn hash_text(key: &Key, owner: &str, code: &SecretString) -> String {
    hex::encode(hash(key, owner, code))
}

#[cfg(test)]
mod tests {
    use super::{BACKUP_CODES, backup_codes, hash, login_code, user_code};
    use crate::random::SystemEntropy;
    use domain::{identity::code::TypedCode, shared::Entropy};
    use secrecy::{ExposeSecret, SecretString};
    use std::{collections::HashSet, sync::Mutex};

    /// Bytes that were written down.
    struct Written(Mutex<Vec<u8>>);

    impl Entropy for Written {
        fn fill(&self, buffer: &mut [u8]) {
            let mut left = self.0.lock().unwrap();
            let rest = left.split_off(buffer.len());
            buffer.copy_from_slice(&left);
            *left = rest;
        }
    }

    #[test]
    fn login_codes_have_six_digits_and_no_favourites() {
        // The largest number would be likelier than others: it is thrown away.
        let entropy = Written(Mutex::new([[255, 255, 255, 255], [0, 0, 0, 7]].concat()));
        assert_eq!(login_code(&entropy).expose_secret(), "000007");
        let last = 4_293_999_999_u32.to_be_bytes();
        assert_eq!(login_code(&Written(Mutex::new(last.to_vec()))).expose_secret(), "999999");
        let bound = [4_294_000_000_u32.to_be_bytes(), last].concat();
        assert_eq!(login_code(&Written(Mutex::new(bound))).expose_secret(), "999999");
    }

    #[test]
    fn every_digit_is_as_likely_at_every_place() {
        const CODES: usize = 20_000;
        let mut seen = [[0_u32; 10]; 6];
        for _ in 0..CODES {
            for (place, digit) in login_code(&SystemEntropy).expose_secret().bytes().enumerate() {
                seen[place][usize::from(digit - b'0')] += 1;
            }
        }
        // 2,000 are expected; six standard deviations are 255. This fails by chance once in ten million runs.
        assert!(seen.iter().flatten().all(|count| (1_745..=2_255).contains(count)), "{seen:?}");
    }

    #[test]
    fn backup_codes_are_ten_and_are_read_as_they_are_written() {
        let codes = backup_codes(&SystemEntropy);
        let different: HashSet<&str> = codes.iter().map(ExposeSecret::expose_secret).collect();
        assert_eq!((codes.len(), different.len()), (BACKUP_CODES, BACKUP_CODES));
        for code in different {
            assert_eq!((code.len(), code.as_bytes()[5]), (11, b'-'));
            let Some(TypedCode::Backup(read)) = TypedCode::parse(code) else { panic!("{code}") };
            assert_eq!(read.expose_secret(), &code.replace('-', ""));
        }
    }

    #[test]
    fn user_codes_have_no_favourites() {
        // 240 and above would make the first letters likelier: they are thrown away.
        let entropy = Written(Mutex::new(vec![0, 19, 20, 239, 240, 255, 1, 2, 3, 4]));
        assert_eq!(user_code(&entropy).shown(), "BZBZ-CDFG");
    }

    #[test]
    fn a_hash_tells_keys_owners_and_codes_apart() {
        let of = |key: u8, owner: &str, code: &str| hash(&[key; 32], owner, &SecretString::from(code));
        assert_eq!(of(1, "ann", "123456"), of(1, "ann", "123456"));
        for other in [of(2, "ann", "123456"), of(1, "bob", "123456"), of(1, "ann", "123457"), of(1, "ann!1", "23456")] {
            assert_ne!(of(1, "ann", "123456"), other);
        }
    }

    #[test]
    fn every_letter_of_a_backup_code_is_as_likely() {
        // A byte is taken modulo 32, which divides 256.
        let entropy = Written(Mutex::new((0..10).map(|place| 31 + 32 * (place % 7)).collect()));
        let letters: HashSet<char> = super::backup_code(&entropy).expose_secret().chars().filter(|c| *c != '-').collect();
        assert_eq!(letters.len(), 1);
        let entropy = Written(Mutex::new((0..10).collect()));
        let letters: HashSet<char> = super::backup_code(&entropy).expose_secret().chars().filter(|c| *c != '-').collect();
        assert_eq!(letters.len(), 10);
    }

    #[test]
    fn a_hash_is_stored_in_hexadecimal() {
        let code = SecretString::from("123456");
        assert_eq!(super::hash_text(&[1; 32], "ann", &code), hex::encode(hash(&[1; 32], "ann", &code)));
    }
}
