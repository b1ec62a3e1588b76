//! The memory of a worker.

use argon2::Block;

/// Blocks of 1 KiB, which a worker keeps from one hash to the next: new pages for every hash take a fifth of
/// its time.
pub(super) struct HashMemory {
    blocks: Vec<Block>,
    most: usize,
}

impl HashMemory {
    /// Memory for as many blocks as this, which is taken with the first hash.
    pub(super) fn new(most: usize) -> Self {
        Self { blocks: Vec::new(), most }
    }

    /// The first `count` blocks. `None` when there are fewer.
    pub(super) fn blocks(&mut self, count: usize) -> Option<&mut [Block]> {
        if count > self.most {
            return None;
        }
        self.blocks.resize(self.most, Block::new());
        self.blocks.get_mut(..count)
    }
}

#[cfg(test)]
mod tests {
    use super::HashMemory;
    use crate::passwords::cost::Cost;
    use argon2::{Algorithm, Block, Version};

    fn hash(memory: &mut HashMemory, cost: Cost) -> String {
        let mut out = [0; 32];
        cost.derive((Algorithm::Argon2id, Version::V0x13), b"password", b"somesalt", memory, &mut out).unwrap();
        hex::encode(out)
    }

    fn is_blank(memory: &mut HashMemory) -> bool {
        memory.blocks(64).unwrap().iter().flat_map(Block::as_ref).all(|word| *word == 0)
    }

    /// From the reference implementation: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32`.
    #[test]
    fn kept_and_own_memory_give_the_hash_of_the_reference_implementation() {
        let cost = Cost::new(65_536, 2, 1).unwrap();
        let mut kept = HashMemory::new(65_600);
        for memory in [&mut HashMemory::new(0), &mut kept] {
            assert_eq!(hash(memory, cost), "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7");
        }
        assert_eq!(hash(&mut kept, cost), hash(&mut HashMemory::new(65_536), cost), "whatever it held before");
    }

    #[test]
    fn there_are_no_more_blocks_than_it_was_made_for() {
        let mut memory = HashMemory::new(64);
        assert_eq!((memory.blocks(64).map(|blocks| blocks.len()), memory.blocks(65).is_none()), (Some(64), true));
    }

    #[test]
    fn a_single_pass_leaves_nothing_behind() {
        let mut memory = HashMemory::new(64);
        hash(&mut memory, Cost::new(64, 2, 1).unwrap());
        assert!(!is_blank(&mut memory));
        hash(&mut memory, Cost::new(64, 1, 1).unwrap());
        assert!(is_blank(&mut memory));
    }
}
