//! Argon2id (RFC 9106, version 19), faster than the argon2 crate: in memory that a worker keeps, on huge pages where the kernel has them, and with the
//! widest vectors of the processor. Tests compare it with the crate, bit by bit; hashes of other kinds are left to the crate.

mod block;
mod fill;
mod memory;

use super::{cost::Cost, stored::HASH};
use blake2::{Blake2b256, Blake2b512, Digest};
use block::Words;
pub(super) use memory::Memory;
use secrecy::zeroize::Zeroizing;

/// Version 1.3, as it is encoded in the hash.
const VERSION: u32 = 0x13;
/// The type Argon2id, as it is encoded in the hash.
const KIND: u32 = 2;

/// The hash of a password. `None` when `memory` is too small for the cost.
pub(super) fn hash(cost: Cost, password: &[u8], salt: &[u8], memory: &mut Memory) -> Option<[u8; HASH]> {
    hash_with(block::best(), cost, password, salt, memory)
}

fn hash_with(compress: block::Compress, cost: Cost, password: &[u8], salt: &[u8], memory: &mut Memory) -> Option<[u8; HASH]> {
    let blocks = memory.blocks(cost.blocks())?;
    let seed = seed(cost, password, salt)?;
    let lane_length = blocks.len().checked_div(cost.parallelism as usize)?;
    for (lane, of_lane) in (0_u32..).zip(blocks.chunks_exact_mut(lane_length)) {
        for (number, block) in (0_u32..).zip(of_lane.iter_mut().take(2)) {
            *block = first(&seed, number, lane);
        }
    }
    fill::fill(compress, cost, blocks)?;

    let mut last = [0; 128];
    for lane in blocks.chunks_exact(lane_length) {
        last.iter_mut().zip(lane.last()?).for_each(|(all, word)| *all ^= word);
    }
    let mut digest = Blake2b256::new_with_prefix(u32::try_from(HASH).ok()?.to_le_bytes());
    for word in last {
        digest.update(u64::to_le_bytes(word));
    }
    if cost.iterations == 1 {
        // One pass leaves the first blocks in memory, by which passwords could be tried at almost no cost. A second pass overwrites them with blocks
        // that depend on all others, so that the memory reveals no more than the hash.
        blocks.fill([0; 128]);
    }
    Some(digest.finalize().into())
}

/// H0 of the RFC: the digest of all inputs.
fn seed(cost: Cost, password: &[u8], salt: &[u8]) -> Option<Zeroizing<[u8; 64]>> {
    let length = |value: usize| u32::try_from(value).ok();
    let mut digest = Blake2b512::new();
    for number in [cost.parallelism, length(HASH)?, cost.memory_kib, cost.iterations, VERSION, KIND, length(password.len())?] {
        Digest::update(&mut digest, number.to_le_bytes());
    }
    Digest::update(&mut digest, password);
    Digest::update(&mut digest, length(salt.len())?.to_le_bytes());
    Digest::update(&mut digest, salt);
    // The lengths of the secret and of the associated data: there are none.
    Digest::update(&mut digest, [0; 8]);
    Some(Zeroizing::new(digest.finalize().into()))
}

/// H' of the RFC: one of the first two blocks of a lane. It is a chain of digests; each gives its first half and the last one all of it.
fn first(seed: &[u8; 64], number: u32, lane: u32) -> Words {
    let mut digest = Blake2b512::new_with_prefix(1024_u32.to_le_bytes());
    Digest::update(&mut digest, seed);
    Digest::update(&mut digest, number.to_le_bytes());
    Digest::update(&mut digest, lane.to_le_bytes());
    let mut link: [u8; 64] = digest.finalize().into();
    let mut words = [0; 128];
    let (halves, _) = words.as_chunks_mut::<4>();
    let ends_at = halves.len().saturating_sub(2);
    for (index, half) in halves.iter_mut().enumerate() {
        let (now, later) = link.split_at(32);
        let bytes = if index > ends_at { later } else { now };
        half.iter_mut().zip(bytes.as_chunks::<8>().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        if index < ends_at {
            link = Blake2b512::digest(link).into();
        }
    }
    words
}

#[cfg(test)]
mod tests;
