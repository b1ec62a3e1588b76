//! Memory that a worker keeps.

use super::block::Words;
use memmap2::MmapMut;
use std::io;

/// What the kernel calls a huge page, on every processor that we run on.
const LARGE_PAGE: usize = 2 << 20;

/// Blocks of 1 KiB, taken from the kernel once: fresh pages for every hash cost a fifth of it. On large pages, where they are to be had, the
/// processor finds them faster still.
pub(in crate::passwords) struct Memory {
    map: MmapMut,
    starts_at: usize,
    length: usize,
}

impl Memory {
    /// For this many blocks. The pages come when they are first written.
    pub(in crate::passwords) fn new(blocks: usize) -> io::Result<Self> {
        let length = blocks.saturating_mul(size_of::<Words>());
        let map = MmapMut::map_anon(length.saturating_add(LARGE_PAGE))?;
        #[cfg(target_os = "linux")]
        if let Err(error) = map.advise(memmap2::Advice::HugePage) {
            // A kernel that was built without them: everything works, a little slower.
            tracing::debug!(%error, "no large pages for password hashing");
        }
        let starts_at = map.as_ptr().align_offset(LARGE_PAGE).min(LARGE_PAGE);
        Ok(Self { map, starts_at, length })
    }

    /// The first of them. `None` when there are not as many.
    pub(in crate::passwords) fn blocks(&mut self, count: usize) -> Option<&mut [Words]> {
        let bytes = self.map.get_mut(self.starts_at..)?.get_mut(..self.length)?;
        bytemuck::try_cast_slice_mut(bytes).ok()?.get_mut(..count)
    }

    /// How many there are.
    pub(in crate::passwords) fn count(&self) -> usize {
        self.length / size_of::<Words>()
    }
}
