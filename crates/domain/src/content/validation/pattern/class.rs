//! Sets of code units: `[a-z]`, `\d`, `.`.

/// A set of UTF-16 code units, as sorted ranges that do not touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Class(Vec<(u16, u16)>);

impl Class {
    /// The set of these ranges, both ends included.
    pub(super) fn of(mut ranges: Vec<(u16, u16)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u16, u16)> = Vec::with_capacity(ranges.len());
        for (from, to) in ranges {
            match merged.last_mut() {
                Some((_, end)) if from <= end.saturating_add(1) => *end = to.max(*end),
                _ => merged.push((from, to)),
            }
        }
        Self(merged)
    }

    /// The set of one unit.
    pub(super) fn unit(unit: u16) -> Self {
        Self(vec![(unit, unit)])
    }

    /// Everything else.
    pub(super) fn negated(&self) -> Self {
        let mut others = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some(0);
        for &(from, to) in &self.0 {
            if let Some(start) = next.filter(|start| *start < from) {
                others.push((start, from - 1));
            }
            next = to.checked_add(1);
        }
        others.extend(next.map(|start| (start, u16::MAX)));
        Self(others)
    }

    /// The ranges of the set.
    pub(super) fn ranges(&self) -> &[(u16, u16)] {
        &self.0
    }

    pub(super) fn contains(&self, unit: u16) -> bool {
        let after = self.0.partition_point(|(from, _)| *from <= unit);
        after.checked_sub(1).and_then(|at| self.0.get(at)).is_some_and(|(_, to)| unit <= *to)
    }

    /// `\d`
    pub(super) fn digits() -> Self {
        Self::of(vec![(0x30, 0x39)])
    }

    /// `\w`
    pub(super) fn words() -> Self {
        Self::of(vec![(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)])
    }

    /// `\s`: white space and line terminators.
    pub(super) fn spaces() -> Self {
        Self::of(vec![
            (0x09, 0x0d),
            (0x20, 0x20),
            (0xa0, 0xa0),
            (0x1680, 0x1680),
            (0x2000, 0x200a),
            (0x2028, 0x2029),
            (0x202f, 0x202f),
            (0x205f, 0x205f),
            (0x3000, 0x3000),
            (0xfeff, 0xfeff),
        ])
    }

    /// `.`: everything but line terminators.
    pub(super) fn dot() -> Self {
        Self::of(vec![(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)]).negated()
    }
}

/// Whether a unit is part of a word, for `\b`.
pub(super) fn is_word(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
