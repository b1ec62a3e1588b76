//! Parses stored hashes, by this grammar:
//!
//! ```text
//! argon2 = "$argon2" ("id" / "i") ["$v=" ("19" / "16")] "$m=" N ",t=" N ",p=" N "$" base64 "$" base64
//! bcrypt = "$2" ("a" / "b" / "y") "$" 2 digits "$" 22 characters, 31 characters
//! pbkdf2 = "$pbkdf2-" ("sha1" / "sha256" / "sha512") "$" ["i="] N "$" base64 "$" base64
//! ```
//!
//! The base64 of argon2 has no padding. That of PBKDF2 may have it, and may have `.` for `+`. The unused bits
//! of the last character may be set: some encoders leave them so.

use super::{BadHash, Prf, Scheme, Stored};
use crate::passwords::cost::Cost;
use BadHash::{Malformed, OutOfBounds, Unsupported};
use argon2::{Algorithm as Argon2Kind, Version};
use base64::{
    Engine,
    alphabet::{self, Alphabet},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use std::{num::NonZeroU32, ops::RangeInclusive, str::Split};

const MAX_LENGTH: usize = 512;
const DIGEST: RangeInclusive<usize> = 16..=128;
const ARGON2_SALT: RangeInclusive<usize> = 8..=64;
const PBKDF2_MIN_SALT: usize = 8;
const PBKDF2_MAX_ROUNDS: u32 = 10_000_000;
const BCRYPT_COST: RangeInclusive<u32> = 4..=15;
const BCRYPT_SALT_CHARACTERS: usize = 22;
const BCRYPT_CHARACTERS: usize = 53;

const BARE: GeneralPurpose = lenient(&alphabet::STANDARD, DecodePaddingMode::RequireNone);
const PADDED_OR_NOT: GeneralPurpose = lenient(&alphabet::STANDARD, DecodePaddingMode::Indifferent);
const BCRYPT: GeneralPurpose = lenient(&alphabet::BCRYPT, DecodePaddingMode::RequireNone);

const fn lenient(alphabet: &Alphabet, padding: DecodePaddingMode) -> GeneralPurpose {
    GeneralPurpose::new(
        alphabet,
        GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true).with_decode_padding_mode(padding),
    )
}

/// Parses a hash.
pub(super) fn read(text: &str) -> Result<Stored, BadHash> {
    if text.chars().nth(MAX_LENGTH).is_some() {
        return Err(OutOfBounds("at most 512 characters are taken"));
    }
    let mut parts = text.strip_prefix('$').ok_or(Unsupported)?.split('$');
    let prefix = parts.next().unwrap_or_default();
    let stored = match prefix {
        "argon2id" => argon2(Argon2Kind::Argon2id, &mut parts),
        "argon2i" => argon2(Argon2Kind::Argon2i, &mut parts),
        "2a" | "2b" | "2y" => bcrypt(&mut parts),
        "pbkdf2-sha1" => pbkdf2(Prf::Sha1, &mut parts),
        "pbkdf2-sha256" => pbkdf2(Prf::Sha256, &mut parts),
        "pbkdf2-sha512" => pbkdf2(Prf::Sha512, &mut parts),
        _ => Err(Unsupported),
    }?;
    if parts.next().is_some() { Err(Malformed("it has too many parts")) } else { Ok(stored) }
}

fn argon2(kind: Argon2Kind, parts: &mut Split<'_, char>) -> Result<Stored, BadHash> {
    let first = part(parts)?;
    // Hashes of version 1.0 may have no version.
    let (version, costs) = match first {
        "v=19" => (Version::V0x13, part(parts)?),
        "v=16" => (Version::V0x10, part(parts)?),
        _ => (Version::V0x10, first),
    };
    let mut costs = costs.split(',');
    let mut next = |name: &str| costs.next().and_then(|cost| cost.strip_prefix(name)).and_then(number);
    let (Some(memory), Some(iterations), Some(parallelism)) = (next("m="), next("t="), next("p=")) else {
        return Err(Malformed("argon2 takes a version of 16 or 19, then m, t and p in this order"));
    };
    if costs.next().is_some() {
        return Err(Malformed("argon2 takes no parameters but m, t and p"));
    }
    let cost = Cost::new(memory, iterations, parallelism)
        .map_err(|_| OutOfBounds("argon2 takes m from 8*p to 1048576, t from 1 to 16 and p from 1 to 16"))?;
    let (salt, digest) = (decoded(BARE, part(parts)?)?, decoded(BARE, part(parts)?)?);
    if !ARGON2_SALT.contains(&salt.len()) {
        return Err(OutOfBounds("argon2 takes a salt of 8 to 64 bytes"));
    }
    Ok(Stored { scheme: Scheme::Argon2 { kind, version, cost }, salt, digest: within_bounds(digest)? })
}

fn bcrypt(parts: &mut Split<'_, char>) -> Result<Stored, BadHash> {
    let cost = part(parts)?;
    let is_two_digits = cost.len() == 2 && cost.bytes().all(|byte| byte.is_ascii_digit());
    let cost: u32 = cost.parse().ok().filter(|_| is_two_digits).ok_or(Malformed("bcrypt takes a cost of two digits"))?;
    if !BCRYPT_COST.contains(&cost) {
        return Err(OutOfBounds("bcrypt takes a cost from 04 to 15"));
    }
    let wrong_body = Malformed("bcrypt takes 53 characters of its base64 after the cost");
    let body = part(parts)?;
    if body.len() != BCRYPT_CHARACTERS {
        return Err(wrong_body);
    }
    let (salt, digest) = body.split_at_checked(BCRYPT_SALT_CHARACTERS).ok_or(wrong_body)?;
    let decode = |value| BCRYPT.decode(value).map_err(|_| wrong_body);
    Ok(Stored { scheme: Scheme::Bcrypt { cost }, salt: decode(salt)?, digest: decode(digest)? })
}

fn pbkdf2(prf: Prf, parts: &mut Split<'_, char>) -> Result<Stored, BadHash> {
    let rounds = part(parts)?;
    let rounds =
        number(rounds.strip_prefix("i=").unwrap_or(rounds)).ok_or(Malformed("PBKDF2 takes rounds as a number or i=number"))?;
    let rounds =
        NonZeroU32::new(rounds).filter(|n| n.get() <= PBKDF2_MAX_ROUNDS).ok_or(OutOfBounds("PBKDF2 takes 1 to 10000000 rounds"))?;
    let adapted = |value: &str| decoded(PADDED_OR_NOT, &value.replace('.', "+"));
    let (salt, digest) = (adapted(part(parts)?)?, adapted(part(parts)?)?);
    if salt.len() < PBKDF2_MIN_SALT {
        return Err(OutOfBounds("PBKDF2 takes a salt of at least 8 bytes"));
    }
    let digest = within_bounds(digest)?;
    // Each block of the digest, as long as the output of the hash function, takes all rounds (RFC 8018,
    // section 5.2).
    let blocks = u32::try_from(digest.len().div_ceil(prf.length())).unwrap_or(u32::MAX);
    if rounds.get().saturating_mul(blocks) > PBKDF2_MAX_ROUNDS {
        return Err(OutOfBounds("PBKDF2 takes at most 10000000 rounds for all of the digest"));
    }
    Ok(Stored { scheme: Scheme::Pbkdf2 { prf, rounds }, salt, digest })
}

fn part<'a>(parts: &mut Split<'a, char>) -> Result<&'a str, BadHash> {
    parts.next().ok_or(Malformed("a part is missing"))
}

/// A decimal number without leading zeros.
fn number(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

fn decoded(base64: GeneralPurpose, text: &str) -> Result<Vec<u8>, BadHash> {
    base64.decode(text).map_err(|_| Malformed("salt or digest is not base64 of the kind that belongs to it"))
}

fn within_bounds(digest: Vec<u8>) -> Result<Vec<u8>, BadHash> {
    if DIGEST.contains(&digest.len()) { Ok(digest) } else { Err(OutOfBounds("a digest of 16 to 128 bytes is taken")) }
}
