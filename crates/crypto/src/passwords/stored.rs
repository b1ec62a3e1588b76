//! Stored hashes: our own (argon2id), and imported ones, which stay until the owner's next login.
//!
//! Every stored hash has passed the strict parser in [`read`], which bounds its cost: the crates that compute
//! hashes are less strict, and some would compute for minutes.

mod read;

use super::{cost::Cost, memory::HashMemory};
use argon2::{Algorithm as Argon2Kind, Version};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use pbkdf2::pbkdf2_hmac;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use std::{fmt, num::NonZeroU32};
use strum::IntoStaticStr;
use subtle::ConstantTimeEq;

/// The length of the salt of a new hash, in bytes.
pub(super) const SALT: usize = 16;
/// The length of a new hash, in bytes.
pub(super) const HASH: usize = 32;
/// How many bytes of a password bcrypt reads, with the zero byte that ends it.
const BCRYPT_READS: usize = 72;
/// The least memory of an imported argon2 hash; the operator may choose less for new hashes.
const MIN_IMPORTED_MEMORY_KIB: u32 = 4096;

/// The algorithm of a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "kebab-case")]
pub enum Algorithm {
    /// `$argon2id$`.
    Argon2id,
    /// `$argon2i$`.
    Argon2i,
    /// `$2a$`, `$2b$`, `$2y$`.
    Bcrypt,
    /// `$pbkdf2-sha1$`.
    Pbkdf2Sha1,
    /// `$pbkdf2-sha256$`.
    Pbkdf2Sha256,
    /// `$pbkdf2-sha512$`.
    Pbkdf2Sha512,
}

/// Why a hash is refused; the message of the error `badHash`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadHash {
    /// The prefix is not supported.
    Unsupported,
    /// The prefix is supported, but what follows does not have its form.
    Malformed(&'static str),
    /// The form is right, but the hash is too weak or too costly.
    OutOfBounds(&'static str),
    /// The label names another algorithm than the prefix.
    Mislabelled,
}

impl fmt::Display for BadHash {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => to.write_str(
                "is of no supported kind: $argon2id$, $argon2i$, $2a$, $2b$, $2y$, $pbkdf2-sha1$, $pbkdf2-sha256$ or $pbkdf2-sha512$",
            ),
            Self::Malformed(what) => write!(to, "is malformed: {what}"),
            Self::OutOfBounds(what) => write!(to, "is out of bounds: {what}"),
            Self::Mislabelled => to.write_str("is labelled as another algorithm than its prefix says"),
        }
    }
}

impl std::error::Error for BadHash {}

/// Checks a hash that is to be imported and the label that it came with, if it had one. It is stored
/// unchanged.
pub fn import(value: &str, label: Option<&str>) -> Result<Algorithm, BadHash> {
    let stored = Stored::parse(value)?;
    if let Scheme::Argon2 { cost, .. } = stored.scheme
        && cost.memory_kib < MIN_IMPORTED_MEMORY_KIB
    {
        return Err(BadHash::OutOfBounds("argon2 takes at least m=4096"));
    }
    let algorithm = stored.algorithm();
    // A bcrypt hash may also be called by its revision.
    let is_revision = |label: &str| algorithm == Algorithm::Bcrypt && value.get(1..3) == Some(label);
    match label {
        Some(label) if label != algorithm.into_str() && !is_revision(label) => Err(BadHash::Mislabelled),
        _ => Ok(algorithm),
    }
}

/// A hash that was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) scheme: Scheme,
    pub(super) salt: Vec<u8>,
    pub(super) digest: Vec<u8>,
}

/// How a hash was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Argon2 { kind: Argon2Kind, version: Version, cost: Cost },
    Bcrypt { cost: u32 },
    Pbkdf2 { prf: Prf, rounds: NonZeroU32 },
}

/// The hash function whose HMAC PBKDF2 repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prf {
    Sha1,
    Sha256,
    Sha512,
}

impl Prf {
    /// The length of its output, in bytes.
    pub(super) fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha512 => 64,
        }
    }

    /// Fills `out` with the key that is derived from a password (RFC 8018, section 5.2).
    pub(super) fn derive(self, password: &[u8], salt: &[u8], rounds: NonZeroU32, out: &mut [u8]) {
        let derive = match self {
            Self::Sha1 => pbkdf2_hmac::<Sha1>,
            Self::Sha256 => pbkdf2_hmac::<Sha256>,
            Self::Sha512 => pbkdf2_hmac::<Sha512>,
        };
        derive(password, salt, rounds.get(), out);
    }
}

impl Stored {
    /// Parses a hash.
    pub(super) fn parse(text: &str) -> Result<Self, BadHash> {
        read::read(text)
    }

    /// Hashes a password.
    pub(super) fn make(cost: Cost, password: &[u8], salt: [u8; SALT], memory: &mut HashMemory) -> Option<Self> {
        let mut stored = Self::dummy(cost);
        stored.salt = salt.to_vec();
        stored.digest = stored.derive(password, memory)?;
        Some(stored)
    }

    /// A hash that takes as long to compare with as a new one, and that no known password has.
    pub(super) fn dummy(cost: Cost) -> Self {
        let scheme = Scheme::Argon2 { kind: Argon2Kind::Argon2id, version: Version::V0x13, cost };
        Self { scheme, salt: vec![0; SALT], digest: vec![0; HASH] }
    }

    /// Whether it has the algorithm and the cost of a new hash.
    pub(super) fn is_current(&self, cost: Cost) -> bool {
        self.scheme == Self::dummy(cost).scheme && self.salt.len() == SALT && self.digest.len() == HASH
    }

    /// Whether comparing with it may take less time than comparing with a new hash of this cost.
    pub(super) fn may_be_cheaper(&self, cost: Cost) -> bool {
        let work = |cost: Cost| u64::from(cost.memory_kib) * u64::from(cost.iterations);
        match self.scheme {
            Scheme::Argon2 { cost: own, .. } => work(own) < work(cost),
            Scheme::Bcrypt { .. } | Scheme::Pbkdf2 { .. } => true,
        }
    }

    /// Whether it is the hash of the password, byte for byte. `None` when the computation was refused.
    pub(super) fn verify(&self, password: &[u8], memory: &mut HashMemory) -> Option<bool> {
        // An empty password is refused whatever was imported. bcrypt stops reading at a zero byte, so the
        // rest of the password would not count.
        let is_bcrypt = matches!(self.scheme, Scheme::Bcrypt { .. });
        let is_refused = password.is_empty() || (is_bcrypt && password.contains(&0));
        let is_equal = bool::from(self.derive(password, memory)?.ct_eq(&self.digest));
        Some(is_equal && !is_refused)
    }

    /// The hash of a password, as long as the stored one.
    fn derive(&self, password: &[u8], memory: &mut HashMemory) -> Option<Vec<u8>> {
        let mut out = vec![0; self.digest.len()];
        match self.scheme {
            Scheme::Argon2 { kind, version, cost } => cost.derive((kind, version), password, &self.salt, memory, &mut out)?,
            Scheme::Pbkdf2 { prf, rounds } => prf.derive(password, &self.salt, rounds, &mut out),
            Scheme::Bcrypt { cost } => {
                // The password and a zero byte, of both the first 72 bytes, as other implementations of
                // bcrypt do it.
                let key: Vec<u8> = password.iter().copied().chain([0]).take(BCRYPT_READS).collect();
                let salt = self.salt.as_slice().try_into().ok()?;
                out = bcrypt::bcrypt(cost, salt, &key).get(..out.len())?.to_vec();
            }
        }
        Some(out)
    }

    fn algorithm(&self) -> Algorithm {
        match self.scheme {
            Scheme::Argon2 { kind: Argon2Kind::Argon2i, .. } => Algorithm::Argon2i,
            Scheme::Argon2 { .. } => Algorithm::Argon2id,
            Scheme::Bcrypt { .. } => Algorithm::Bcrypt,
            Scheme::Pbkdf2 { prf: Prf::Sha1, .. } => Algorithm::Pbkdf2Sha1,
            Scheme::Pbkdf2 { prf: Prf::Sha256, .. } => Algorithm::Pbkdf2Sha256,
            Scheme::Pbkdf2 { prf: Prf::Sha512, .. } => Algorithm::Pbkdf2Sha512,
        }
    }

    /// The text that is stored for a new hash. `None` for an algorithm that new hashes do not have.
    pub(super) fn write(&self) -> Option<String> {
        let Scheme::Argon2 { kind: Argon2Kind::Argon2id, version: Version::V0x13, cost } = self.scheme else { return None };
        let Cost { memory_kib, iterations, parallelism } = cost;
        let (salt, hash) = (STANDARD_NO_PAD.encode(&self.salt), STANDARD_NO_PAD.encode(&self.digest));
        Some(format!("$argon2id$v=19$m={memory_kib},t={iterations},p={parallelism}${salt}${hash}"))
    }
}
