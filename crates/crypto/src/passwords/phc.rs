//! Our own hashes as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`, base64 without padding. Read strictly, with upper
//! bounds (decisions 24), so that a row that was tampered with cannot exhaust the machine.

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use secrecy::{ExposeSecret, SecretString};

/// Bytes of a salt.
pub(super) const SALT: usize = 16;
/// Bytes of a hash.
pub(super) const HASH: usize = 32;
const MAX_LENGTH: usize = 512;
const MAX_MEMORY_KIB: u32 = 1 << 20;
const MAX_ITERATIONS: u32 = 16;
const MAX_PARALLELISM: u32 = 16;

/// What one hash costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    memory_kib: u32,
    iterations: u32,
    parallelism: u32,
}

impl Cost {
    pub(super) fn new(memory_kib: u32, iterations: u32, parallelism: u32) -> Result<Self, String> {
        let cost = Self { memory_kib, iterations, parallelism };
        let too_much = memory_kib > MAX_MEMORY_KIB || iterations > MAX_ITERATIONS || parallelism > MAX_PARALLELISM;
        if too_much || cost.params().is_none() {
            return Err(format!(
                "argon2 with m={memory_kib} KiB, t={iterations}, p={parallelism} is out of bounds: m from 8*p to {MAX_MEMORY_KIB}, \
                 t from 1 to {MAX_ITERATIONS}, p from 1 to {MAX_PARALLELISM}"
            ));
        }
        Ok(cost)
    }

    fn params(self) -> Option<Params> {
        Params::new(self.memory_kib, self.iterations, self.parallelism, Some(HASH)).ok()
    }

    /// Blocks of 1 KiB that a hash of this cost works on.
    pub(super) fn blocks(self) -> usize {
        self.params().map_or(0, |it| it.block_count())
    }

    /// Hashes into `memory`, which has at least [`Cost::blocks`]. `None` when it has not.
    pub(super) fn hash(self, password: &SecretString, salt: &[u8], memory: &mut [Block]) -> Option<[u8; HASH]> {
        let mut hash = [0; HASH];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, self.params()?)
            .hash_password_into_with_memory(password.expose_secret().as_bytes(), salt, &mut hash, memory)
            .ok()?;
        Some(hash)
    }
}

/// A hash as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) cost: Cost,
    pub(super) salt: Vec<u8>,
    pub(super) hash: [u8; HASH],
}

impl Stored {
    /// Reads what [`Stored::write`] wrote.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let mut parts = text.strip_prefix("$argon2id$v=19$")?.split('$');
        let (costs, salt, hash) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let mut costs = costs.split(',');
        let mut number = |name: &str| costs.next()?.strip_prefix(name)?.parse().ok();
        let (memory_kib, iterations, parallelism) = (number("m=")?, number("t=")?, number("p=")?);
        if costs.next().is_some() {
            return None;
        }
        let salt = STANDARD_NO_PAD.decode(salt).ok().filter(|it| (8..=64).contains(&it.len()))?;
        let hash = STANDARD_NO_PAD.decode(hash).ok()?.try_into().ok()?;
        Some(Self { cost: Cost::new(memory_kib, iterations, parallelism).ok()?, salt, hash })
    }

    /// The PHC string.
    pub(super) fn write(&self) -> String {
        let Cost { memory_kib, iterations, parallelism } = self.cost;
        let (salt, hash) = (STANDARD_NO_PAD.encode(&self.salt), STANDARD_NO_PAD.encode(self.hash));
        format!("$argon2id$v=19$m={memory_kib},t={iterations},p={parallelism}${salt}${hash}")
    }
}
