//! Fills the memory: which block is computed from which others (RFC 9106, section 3.4).

use super::{
    Cost, KIND,
    block::{Compress, Words},
};

/// The slices of a lane. Blocks of other lanes are read only from slices that are finished.
const SLICES: usize = 4;
/// How many references one block of addresses has.
const ADDRESSES: usize = 128;

/// The position of a segment.
#[derive(Clone, Copy)]
struct Segment {
    pass: usize,
    slice: usize,
    lane: usize,
}

/// Fills the blocks; the first two of each lane are there already. `None` when the cost does not fit the memory.
pub(super) fn fill(compress: Compress, cost: Cost, blocks: &mut [Words]) -> Option<()> {
    for pass in 0..cost.iterations as usize {
        for slice in 0..SLICES {
            for lane in 0..cost.parallelism as usize {
                fill_segment(compress, cost, Segment { pass, slice, lane }, blocks)?;
            }
        }
    }
    Some(())
}

fn fill_segment(compress: Compress, cost: Cost, position: Segment, blocks: &mut [Words]) -> Option<()> {
    let lanes = cost.parallelism as usize;
    let lane_length = blocks.len().checked_div(lanes)?;
    let segment_length = lane_length / SLICES;
    let Segment { pass, slice, lane } = position;
    // In the first half of the first pass the references must not depend on the password (that is the «i» of Argon2id).
    let mut addresses = (pass == 0 && slice < SLICES / 2).then(|| Addresses::new(compress, cost, position, blocks.len()));
    let is_first = pass == 0 && slice == 0;
    for index in if is_first { 2 } else { 0 }..segment_length {
        let current = lane * lane_length + slice * segment_length + index;
        let previous = if slice == 0 && index == 0 { current + lane_length - 1 } else { current - 1 };
        let random = match &mut addresses {
            Some(addresses) => addresses.at(index)?,
            None => blocks.get(previous)?[0],
        };
        let (low, high) = (low(random), low(random >> 32));
        let reference_lane = if is_first { lane } else { high as usize % lanes };
        let finished = if pass == 0 { slice * segment_length } else { lane_length - segment_length };
        let area = if reference_lane == lane { finished + index - 1 } else { finished - usize::from(index == 0) };
        let oldest = if pass == 0 || slice == SLICES - 1 { 0 } else { (slice + 1) * segment_length };
        let reference = reference_lane * lane_length + (oldest + area - 1 - back(low, area)?) % lane_length;
        let [previous, reference, current] = blocks.get_disjoint_mut([previous, reference, current]).ok()?;
        compress(previous, reference, current, pass > 0);
    }
    Some(())
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is wanted")]
fn low(word: u64) -> u32 {
    word as u32
}

/// How far back a reference goes within `area`: near blocks are more likely than far ones.
fn back(random: u32, area: usize) -> Option<usize> {
    let random = u64::from(random);
    let squared = (random * random) >> 32;
    usize::try_from((u64::try_from(area).ok()? * squared) >> 32).ok()
}

/// The references that do not depend on the password.
struct Addresses {
    compress: Compress,
    input: Words,
    block: Words,
    made: Option<usize>,
}

impl Addresses {
    fn new(compress: Compress, cost: Cost, position: Segment, blocks: usize) -> Self {
        let mut input = [0; 128];
        let head =
            [position.pass as u64, position.lane as u64, position.slice as u64, blocks as u64, cost.iterations.into(), KIND.into()];
        input.iter_mut().zip(head).for_each(|(word, i)| *word = i);
        Self { compress, input, block: [0; 128], made: None }
    }

    fn at(&mut self, index: usize) -> Option<u64> {
        let number = index / ADDRESSES;
        if self.made != Some(number) {
            let (zero, mut half) = ([0; 128], [0; 128]);
            self.input[6] = number as u64 + 1;
            (self.compress)(&zero, &self.input, &mut half, false);
            (self.compress)(&zero, &half, &mut self.block, false);
            self.made = Some(number);
        }
        self.block.get(index % ADDRESSES).copied()
    }
}
