//! The cost of an argon2 hash, with upper bounds, so that a stored hash that was tampered with cannot exhaust
//! the machine.

use super::memory::HashMemory;
use argon2::{Algorithm, Argon2, Block, Params, Version};

const MAX_MEMORY_KIB: u32 = 1 << 20;
const MAX_ITERATIONS: u32 = 16;
const MAX_PARALLELISM: u32 = 16;

/// The cost of one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) memory_kib: u32,
    pub(super) iterations: u32,
    pub(super) parallelism: u32,
}

impl Cost {
    pub(super) fn new(memory_kib: u32, iterations: u32, parallelism: u32) -> Result<Self, String> {
        let cost = Self { memory_kib, iterations, parallelism };
        let too_much = memory_kib > MAX_MEMORY_KIB || iterations > MAX_ITERATIONS || parallelism > MAX_PARALLELISM;
        if too_much || cost.params(None).is_none() {
            return Err(format!(
                "argon2 with m={memory_kib} KiB, t={iterations}, p={parallelism} is out of bounds: m from 8*p to {MAX_MEMORY_KIB}, \
                 t from 1 to {MAX_ITERATIONS}, p from 1 to {MAX_PARALLELISM}"
            ));
        }
        Ok(cost)
    }

    fn params(self, length: Option<usize>) -> Option<Params> {
        Params::new(self.memory_kib, self.iterations, self.parallelism, length).ok()
    }

    /// How many blocks of 1 KiB a hash of this cost needs.
    pub(super) fn blocks(self) -> usize {
        self.params(None).map_or(0, |param| param.block_count())
    }

    /// Fills `out` with the hash. It is computed in `memory`; one that needs more than there is, an imported
    /// one, in memory of its own. `None` when the parameters are refused or memory runs out.
    pub(super) fn derive(
        self,
        kind: (Algorithm, Version),
        password: &[u8],
        salt: &[u8],
        memory: &mut HashMemory,
        out: &mut [u8],
    ) -> Option<()> {
        let argon2 = Argon2::new(kind.0, kind.1, self.params(Some(out.len()))?);
        let Some(blocks) = memory.blocks(self.blocks()) else { return argon2.hash_password_into(password, salt, out).ok() };
        argon2.hash_password_into_with_memory(password, salt, out, &mut *blocks).ok()?;
        if self.iterations == 1 {
            // One pass leaves the first blocks in memory, by which passwords could be tried at almost no
            // cost. A second pass overwrites them with blocks that depend on all others, so that the memory
            // reveals no more than the hash.
            blocks.fill(Block::new());
        }
        Some(())
    }
}
