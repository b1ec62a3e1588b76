//! Patterns of fields: regular expressions as JavaScript reads them without flags (ECMA-262, section 22.2
//! with Annex B.1.2), searched in UTF-16 code units as by `RegExp.prototype.test`.
//!
//! ```text
//! Pattern::parse(source):  parse (Node) -> compile (Program)      both bounded
//! pattern.is_in(text, budget):  Machine runs the program          bounded by the steps of the budget
//! ```
//!
//! Patterns and texts come from callers, and the usual engines need exponential time for some of them: the
//! crate `regress`, which reads JavaScript's syntax, has no bound. This machine remembers which choices have
//! failed at which place and so never makes one twice: a pattern without backreferences and lookaround takes
//! time in proportion to its own length and that of the text. Backreferences make that impossible; then,
//! as always, the steps of the [`Budget`] are the bound.

mod class;
mod compile;
mod machine;
mod parse;
#[cfg(test)]
mod tests;

use compile::Program;

/// The longest pattern, in UTF-16 code units.
const MAX_LENGTH: usize = 2_000;

/// Why a pattern cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// JavaScript would throw a `SyntaxError`.
    #[error("is no regular expression of JavaScript")]
    Syntax,
    /// It is longer, deeper, or repeats more than is compiled here.
    #[error("is too large")]
    TooLarge,
}

/// The budget of a validation is used up: it is not known whether the pattern would match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

/// The most steps of one match, so that others have some left.
const MAX_STEPS: u64 = 1_000_000;
/// What a compiled instruction costs, for the memory that it takes.
const STEPS_PER_INSTRUCTION: u64 = 10;

/// How many steps all patterns of a validation may take together.
#[derive(Debug, Clone)]
pub struct Budget {
    steps: u64,
}

impl Budget {
    /// A budget of this many steps; a step takes about ten nanoseconds.
    pub fn new(steps: u64) -> Self {
        Self { steps }
    }

    /// Takes steps from the budget. What it has not leaves nothing.
    fn take(&mut self, steps: u64) -> Result<(), Exhausted> {
        let is_enough = self.steps >= steps;
        self.steps = self.steps.saturating_sub(steps);
        if is_enough { Ok(()) } else { Err(Exhausted) }
    }
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Pattern {
    program: Program,
}

impl Pattern {
    /// Compiles the source of a pattern, as `new RegExp(source)` does.
    pub fn parse(source: &str, budget: &mut Budget) -> Result<Self, BadPattern> {
        let units: Vec<u16> = source.encode_utf16().collect();
        if units.len() > MAX_LENGTH || budget.steps == 0 {
            return Err(BadPattern::TooLarge);
        }
        let program = compile::compile(&parse::parse(&units)?)?;
        let instructions = u64::try_from(program.instructions.len()).unwrap_or(u64::MAX);
        // The pattern is usable even when it took what was left.
        budget.take(instructions.saturating_mul(STEPS_PER_INSTRUCTION)).unwrap_or_default();
        Ok(Self { program })
    }

    /// Whether the pattern matches somewhere in a text.
    pub fn is_in(&self, text: &str, budget: &mut Budget) -> Result<bool, Exhausted> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let most = budget.steps.min(MAX_STEPS);
        let mut own = Budget::new(most);
        let found = machine::search(&self.program, &units, &mut own);
        budget.steps = budget.steps.saturating_sub(most - own.steps);
        found
    }
}
