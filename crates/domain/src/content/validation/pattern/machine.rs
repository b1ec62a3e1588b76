//! Runs a program over a text, with a stack of its own: neither the pattern nor the text can exhaust the
//! stack of the thread.

use super::{
    Budget, Exhausted,
    class::is_word,
    compile::{Instruction, Program},
};

/// The most places that are remembered, in bits: 2 MB. A longer text of a larger pattern is not examined.
const MAX_MEMORY: usize = 16 << 20;

/// Whether the program matches somewhere in the text.
pub(super) fn search(program: &Program, text: &[u16], budget: &mut Budget) -> Result<bool, Exhausted> {
    let places = text.len() + 1;
    let bits = if program.remembers { program.forks.checked_mul(places).ok_or(Exhausted)? } else { 0 };
    if bits > MAX_MEMORY {
        return Err(Exhausted);
    }
    let words = bits.div_ceil(64);
    budget.take(u64::try_from(words / 8).unwrap_or(u64::MAX))?;
    let slots = vec![None; program.slots];
    let mut machine =
        Machine { program, text, budget, stack: Vec::new(), slots, failed: vec![0; words], entered: Vec::new(), depth: 0 };
    for start in 0..places {
        if machine.run(0, start)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is done when a way fails.
enum Undo {
    /// The other way of a fork.
    GoOn { at: usize, place: usize },
    /// A slot gets its former place.
    Slot { slot: usize, place: Option<usize> },
}

struct Machine<'a> {
    program: &'a Program,
    text: &'a [u16],
    budget: &'a mut Budget,
    stack: Vec<Undo>,
    slots: Vec<Option<usize>>,
    /// A bit for each fork and place that was entered. A way that comes there again would fail again.
    failed: Vec<u64>,
    /// The bits that were set while something was looked ahead or behind for.
    entered: Vec<usize>,
    /// How many of such looks are within each other.
    depth: usize,
}

impl Machine<'_> {
    /// Whether the instructions from here on match at a place. What they changed is undone when they do not.
    fn run(&mut self, mut at: usize, mut place: usize) -> Result<bool, Exhausted> {
        let program = self.program;
        let base = self.stack.len();
        loop {
            self.budget.take(1)?;
            let next = match program.instructions.get(at) {
                // A program ends with this.
                None | Some(Instruction::Matched) => return Ok(true),
                Some(Instruction::One { class, back }) => {
                    self.unit(place, *back).filter(|(unit, _)| class.contains(*unit)).map(|(_, after)| (at + 1, after))
                }
                Some(Instruction::Fork { number, first, second }) => self.enter(*number, place).then(|| {
                    self.stack.push(Undo::GoOn { at: *second, place });
                    (*first, place)
                }),
                Some(Instruction::Jump(to)) => Some((*to, place)),
                Some(Instruction::Start) => (place == 0).then_some((at + 1, place)),
                Some(Instruction::End) => (place == self.text.len()).then_some((at + 1, place)),
                Some(Instruction::WordEdge { negated }) => (self.is_edge(place) != *negated).then_some((at + 1, place)),
                Some(Instruction::Look { negated, next }) => self.look(at + 1, place, *negated)?.then_some((*next, place)),
                Some(Instruction::Save(slot)) => {
                    self.set(*slot, Some(place));
                    Some((at + 1, place))
                }
                Some(Instruction::Clear(slots)) => {
                    slots.clone().for_each(|slot| self.set(slot, None));
                    Some((at + 1, place))
                }
                Some(Instruction::Progress(slot)) => (self.slot(*slot) != Some(place)).then_some((at + 1, place)),
                Some(Instruction::Back { slots, back }) => self.repeated(*slots, place, *back)?.map(|after| (at + 1, after)),
            };
            match next.or_else(|| self.undo(base)) {
                Some(way) => (at, place) = way,
                None => return Ok(false),
            }
        }
    }

    /// Goes back to the last fork whose other way is open, above this height of the stack.
    fn undo(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.stack.len() > base {
            match self.stack.pop()? {
                Undo::GoOn { at, place } => return Some((at, place)),
                Undo::Slot { slot, place } => {
                    if let Some(value) = self.slots.get_mut(slot) {
                        *value = place;
                    }
                }
            }
        }
        None
    }

    /// Looks ahead or behind. What a look has found is kept, and is undone with what was before it.
    fn look(&mut self, at: usize, place: usize, negated: bool) -> Result<bool, Exhausted> {
        let (base, entered) = (self.stack.len(), self.entered.len());
        self.depth += 1;
        let found = self.run(at, place)?;
        self.depth -= 1;
        if !found {
            return Ok(negated);
        }
        // These ways did not fail, so that the next look may take them.
        for bit in self.entered.drain(entered..) {
            if let Some(word) = self.failed.get_mut(bit / 64) {
                *word &= !(1 << (bit % 64));
            }
        }
        if negated {
            while self.undo(base).is_some() {}
            return Ok(false);
        }
        let mut height = base;
        for index in base..self.stack.len() {
            if matches!(self.stack.get(index), Some(Undo::Slot { .. })) {
                self.stack.swap(height, index);
                height += 1;
            }
        }
        self.stack.truncate(height);
        Ok(true)
    }

    /// Whether this fork is tried at this place for the first time.
    fn enter(&mut self, fork: usize, place: usize) -> bool {
        let bit = fork * (self.text.len() + 1) + place;
        let Some(word) = self.failed.get_mut(bit / 64) else { return true };
        let mask = 1 << (bit % 64);
        let is_first = *word & mask == 0;
        *word |= mask;
        if is_first && self.depth > 0 {
            self.entered.push(bit);
        }
        is_first
    }

    fn slot(&self, slot: usize) -> Option<usize> {
        self.slots.get(slot).copied().flatten()
    }

    fn set(&mut self, slot: usize, place: Option<usize>) {
        if let Some(value) = self.slots.get_mut(slot) {
            self.stack.push(Undo::Slot { slot, place: *value });
            *value = place;
        }
    }

    /// The next unit, and the place behind it.
    fn unit(&self, place: usize, back: bool) -> Option<(u16, usize)> {
        if back {
            let before = place.checked_sub(1)?;
            self.text.get(before).map(|unit| (*unit, before))
        } else {
            self.text.get(place).map(|unit| (*unit, place + 1))
        }
    }

    fn is_edge(&self, place: usize) -> bool {
        let is_word_at = |place: Option<usize>| place.and_then(|place| self.text.get(place)).is_some_and(|unit| is_word(*unit));
        is_word_at(place.checked_sub(1)) != is_word_at(Some(place))
    }

    /// The place behind another copy of a group's text; a group without one is found everywhere.
    fn repeated(&mut self, (start, end): (usize, usize), place: usize, back: bool) -> Result<Option<usize>, Exhausted> {
        let (Some(start), Some(end)) = (self.slot(start), self.slot(end)) else { return Ok(Some(place)) };
        let length = end.saturating_sub(start);
        self.budget.take(u64::try_from(length / 8).unwrap_or(u64::MAX))?;
        let other = if back {
            place.checked_sub(length).map(|from| (from, place, from))
        } else {
            Some((place, place + length, place + length))
        };
        let is_same = |(from, to, _): &(usize, usize, usize)| {
            self.text.get(*from..*to).is_some_and(|other| Some(other) == self.text.get(start..end))
        };
        Ok(other.filter(is_same).map(|(_, _, after)| after))
    }
}
