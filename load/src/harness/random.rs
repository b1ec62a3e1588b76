//! Choices that look random and are the same in every run, so that two runs send the same requests.

/// A sequence of numbers (`SplitMix64`).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of this user.
    pub(crate) fn of(user: u32) -> Self {
        Self(u64::from(user).wrapping_mul(0xA076_1D64_78BD_642F))
    }

    /// A number below this one; zero when there is none.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let mixed = mixed ^ (mixed >> 31);
        u32::try_from(mixed % u64::from(bound).max(1)).unwrap_or_default()
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let bound = u32::try_from(items.len()).unwrap_or(u32::MAX);
        items.get(self.below(bound) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_are_spread_and_the_same_in_every_run() {
        let mut counts = [0; 8];
        let mut random = Random::of(3);
        (0..8_000).for_each(|_| counts[random.below(8) as usize] += 1);
        assert!(counts.iter().all(|count| (800..1_200).contains(count)), "{counts:?}");
        let (mut one, mut same, mut other) = (Random::of(1), Random::of(1), Random::of(2));
        let firsts = [one.below(1 << 30), same.below(1 << 30), other.below(1 << 30)];
        assert!(firsts[0] == firsts[1] && firsts[0] != firsts[2]);
        assert_eq!((one.below(0), one.pick::<u8>(&[])), (0, None));
    }
}
