//! From the parts of a pattern to a program for the machine. Counted repetitions become copies.

use super::{
    BadPattern,
    class::Class,
    parse::{Node, Parsed, Repeat},
};
use std::ops::Range;

/// The most instructions of a program.
const MAX_INSTRUCTIONS: usize = 20_000;
/// The most copies that all counted repetitions make together; a copy of nothing has no instructions.
const MAX_COPIES: usize = 20_000;

/// One step of the machine. Numbers are those of instructions, unless they say otherwise.
#[derive(Debug, Clone)]
pub(super) enum Instruction {
    /// Passes over one unit of the set, forwards or backwards.
    One {
        class: Class,
        back: bool,
    },
    /// Goes on at the first, and at the second when that fails. Each has a number of its own, by which the
    /// machine remembers it.
    Fork {
        number: usize,
        first: usize,
        second: usize,
    },
    Jump(usize),
    Start,
    End,
    WordEdge {
        negated: bool,
    },
    /// Runs the instructions behind it up to [`Instruction::Matched`], and goes on at `next`.
    Look {
        negated: bool,
        next: usize,
    },
    /// The end of the program, and of each [`Instruction::Look`].
    Matched,
    /// Keeps the place in this slot.
    Save(usize),
    /// Empties these slots.
    Clear(Range<usize>),
    /// Fails when the place is the one in this slot: a repetition that passes over nothing does not count.
    Progress(usize),
    /// Passes over the text between two slots, forwards or backwards.
    Back {
        slots: (usize, usize),
        back: bool,
    },
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) instructions: Vec<Instruction>,
    /// How many slots its instructions name.
    pub(super) slots: usize,
    /// How many forks it has.
    pub(super) forks: usize,
    /// Whether a choice that has failed at a place fails there always. Backreferences make it depend on what
    /// was found before.
    pub(super) remembers: bool,
}

/// Compiles a pattern.
pub(super) fn compile(parsed: &Parsed) -> Result<Program, BadPattern> {
    let mut compiler = Compiler {
        instructions: Vec::new(),
        // Two for each group; number 0 would be the whole match.
        slots: (parsed.captures + 1) * 2,
        forks: 0,
        copies: 0,
        back: false,
        captures: parsed.has_back,
    };
    compiler.node(&parsed.root)?;
    compiler.push(Instruction::Matched)?;
    let Compiler { instructions, slots, forks, .. } = compiler;
    Ok(Program { instructions, slots: if parsed.has_back { slots } else { 0 }, forks, remembers: !parsed.has_back })
}

struct Compiler {
    instructions: Vec<Instruction>,
    slots: usize,
    forks: usize,
    copies: usize,
    /// Whether the text is read backwards: behind a place.
    back: bool,
    /// Whether the texts of groups are kept.
    captures: bool,
}

impl Compiler {
    fn push(&mut self, instruction: Instruction) -> Result<usize, BadPattern> {
        if self.instructions.len() >= MAX_INSTRUCTIONS {
            return Err(BadPattern::TooLarge);
        }
        self.instructions.push(instruction);
        Ok(self.instructions.len() - 1)
    }

    /// A fork whose ways are set later.
    fn fork(&mut self) -> Result<usize, BadPattern> {
        let number = self.forks;
        self.forks += 1;
        self.push(Instruction::Fork { number, first: 0, second: 0 })
    }

    fn set(&mut self, at: usize, instruction: Instruction) {
        if let Some(place) = self.instructions.get_mut(at) {
            *place = instruction;
        }
    }

    /// Sets the ways of a fork: into what it repeats or chooses, and past it.
    fn set_fork(&mut self, at: usize, into: usize, past: usize, greedy: bool) {
        if let Some(Instruction::Fork { first, second, .. }) = self.instructions.get_mut(at) {
            (*first, *second) = if greedy { (into, past) } else { (past, into) };
        }
    }

    fn here(&self) -> usize {
        self.instructions.len()
    }

    fn node(&mut self, node: &Node) -> Result<(), BadPattern> {
        let back = self.back;
        match node {
            Node::One(class) => self.push(Instruction::One { class: class.clone(), back }).map(drop),
            Node::Sequence(terms) if back => terms.iter().rev().try_for_each(|term| self.node(term)),
            Node::Sequence(terms) => terms.iter().try_for_each(|term| self.node(term)),
            Node::Choice(ways) => self.choice(ways),
            Node::Capture(number, inner) => self.capture(*number, inner),
            Node::Repeat(repeat) => self.repeat(repeat),
            Node::Start => self.push(Instruction::Start).map(drop),
            Node::End => self.push(Instruction::End).map(drop),
            Node::WordEdge { negated } => self.push(Instruction::WordEdge { negated: *negated }).map(drop),
            Node::Look { behind, negated, inner } => self.look(*behind, *negated, inner),
            Node::Back(number) => self.push(Instruction::Back { slots: slots_of(*number), back }).map(drop),
        }
    }

    fn choice(&mut self, ways: &[Node]) -> Result<(), BadPattern> {
        let Some((last, others)) = ways.split_last() else { return Ok(()) };
        let mut ends = Vec::with_capacity(others.len());
        for way in others {
            let fork = self.fork()?;
            self.node(way)?;
            ends.push(self.push(Instruction::Jump(0))?);
            self.set_fork(fork, fork + 1, self.here(), true);
        }
        self.node(last)?;
        for end in ends {
            self.set(end, Instruction::Jump(self.here()));
        }
        Ok(())
    }

    fn capture(&mut self, number: usize, inner: &Node) -> Result<(), BadPattern> {
        if !self.captures {
            return self.node(inner);
        }
        let (start, end) = slots_of(number);
        let (before, after) = if self.back { (end, start) } else { (start, end) };
        self.push(Instruction::Save(before))?;
        self.node(inner)?;
        self.push(Instruction::Save(after)).map(drop)
    }

    fn repeat(&mut self, repeat: &Repeat) -> Result<(), BadPattern> {
        for _ in 0..repeat.min {
            self.body(repeat)?;
        }
        let Some(max) = repeat.max else { return self.endless(repeat) };
        let mut forks = Vec::new();
        for _ in repeat.min..max {
            forks.push(self.fork()?);
            self.body(repeat)?;
        }
        for fork in forks {
            self.set_fork(fork, fork + 1, self.here(), repeat.greedy);
        }
        Ok(())
    }

    fn endless(&mut self, repeat: &Repeat) -> Result<(), BadPattern> {
        let fork = self.fork()?;
        if self.captures {
            let slot = self.slots;
            self.slots += 1;
            self.push(Instruction::Save(slot))?;
            self.body(repeat)?;
            self.push(Instruction::Progress(slot))?;
        } else {
            // The machine comes back to this fork at this place, and remembers that.
            self.body(repeat)?;
        }
        self.push(Instruction::Jump(fork))?;
        self.set_fork(fork, fork + 1, self.here(), repeat.greedy);
        Ok(())
    }

    fn body(&mut self, repeat: &Repeat) -> Result<(), BadPattern> {
        self.copies += 1;
        if self.copies > MAX_COPIES {
            return Err(BadPattern::TooLarge);
        }
        if self.captures && !repeat.captures.is_empty() {
            let (first, _) = slots_of(repeat.captures.start + 1);
            let (_, last) = slots_of(repeat.captures.end);
            self.push(Instruction::Clear(first..last + 1))?;
        }
        self.node(&repeat.inner)
    }

    fn look(&mut self, behind: bool, negated: bool, inner: &Node) -> Result<(), BadPattern> {
        let look = self.push(Instruction::Look { negated, next: 0 })?;
        let outer = std::mem::replace(&mut self.back, behind);
        self.node(inner)?;
        self.back = outer;
        self.push(Instruction::Matched)?;
        self.set(look, Instruction::Look { negated, next: self.here() });
        Ok(())
    }
}

/// Where begin and end of a group's text are kept.
fn slots_of(number: usize) -> (usize, usize) {
    (number * 2, number * 2 + 1)
}
