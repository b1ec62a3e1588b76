//! The memory of a worker.

use super::block::Words;
use memmap2::MmapMut;
use std::io;

/// The size of a huge page, on every processor that is supported.
const HUGE_PAGE: usize = 2 << 20;

/// Blocks of 1 KiB, allocated once: new pages for every hash take a fifth of its time. On huge pages, where the kernel has them, access is faster
/// still.
pub(in crate::passwords) struct Memory {
    map: MmapMut,
    starts_at: usize,
    length: usize,
}

impl Memory {
    /// Memory for this many blocks. Pages are allocated when they are first written.
    pub(in crate::passwords) fn new(blocks: usize) -> io::Result<Self> {
        let length = blocks.saturating_mul(size_of::<Words>());
        let map = MmapMut::map_anon(length.saturating_add(HUGE_PAGE))?;
        #[cfg(target_os = "linux")]
        if let Err(error) = map.advise(memmap2::Advice::HugePage) {
            // The kernel was built without them: everything works, a little slower.
            tracing::debug!(%error, "no huge pages for password hashing");
        }
        let starts_at = map.as_ptr().align_offset(HUGE_PAGE).min(HUGE_PAGE);
        Ok(Self { map, starts_at, length })
    }

    /// The first `count` blocks. `None` when there are fewer.
    pub(in crate::passwords) fn blocks(&mut self, count: usize) -> Option<&mut [Words]> {
        let bytes = self.map.get_mut(self.starts_at..)?.get_mut(..self.length)?;
        bytemuck::try_cast_slice_mut(bytes).ok()?.get_mut(..count)
    }

    /// How many blocks there are.
    pub(in crate::passwords) fn count(&self) -> usize {
        self.length / size_of::<Words>()
    }
}
