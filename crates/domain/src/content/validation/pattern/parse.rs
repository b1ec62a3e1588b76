//! The syntax of patterns: ECMA-262, section 22.2.1, with the additions of Annex B.1.2.

mod escape;
mod names;

use super::{BadPattern, class::Class};
use names::Groups;

/// The deepest nesting of groups.
const MAX_DEPTH: usize = 100;
/// The most often that a counted repetition repeats.
const MAX_COUNT: u32 = 10_000;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// One unit of a set.
    One(Class),
    /// One after the other.
    Sequence(Vec<Node>),
    /// The first that matches.
    Choice(Vec<Node>),
    /// A group whose text backreferences can name.
    Capture(usize, Box<Node>),
    Repeat(Box<Repeat>),
    /// `^`
    Start,
    /// `$`
    End,
    /// `\b`, or `\B` when it is negated.
    WordEdge {
        negated: bool,
    },
    Look {
        behind: bool,
        negated: bool,
        inner: Box<Node>,
    },
    /// The text of the group, or nothing as long as that has none.
    Back(usize),
}

/// A quantified part.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Repeat {
    pub(super) inner: Node,
    pub(super) min: u32,
    /// `None` is no limit.
    pub(super) max: Option<u32>,
    pub(super) greedy: bool,
    /// The groups in it, which each repetition empties.
    pub(super) captures: std::ops::Range<usize>,
}

/// A parsed pattern.
#[derive(Debug, Clone)]
pub(super) struct Parsed {
    pub(super) root: Node,
    /// How many groups it has.
    pub(super) captures: usize,
    /// Whether it has a backreference, so that the texts of groups matter.
    pub(super) has_back: bool,
}

/// Parses a pattern.
pub(super) fn parse(units: &[u16]) -> Result<Parsed, BadPattern> {
    let groups = names::scan(units)?;
    let mut parser = Parser { units, at: 0, groups, opened: 0, depth: 0, has_back: false };
    let root = parser.choice()?;
    if parser.at < units.len() {
        return Err(BadPattern::Syntax);
    }
    Ok(Parsed { root, captures: parser.groups.count, has_back: parser.has_back })
}

struct Parser<'a> {
    units: &'a [u16],
    at: usize,
    /// The groups of the whole pattern.
    groups: Groups,
    /// How many of them have been opened so far.
    opened: usize,
    depth: usize,
    has_back: bool,
}

/// A unit as an ASCII character; `\0` stands for those that are none and have no meaning in the syntax.
fn ascii(unit: u16) -> char {
    u8::try_from(unit).ok().filter(u8::is_ascii).map_or('\0', char::from)
}

impl Parser<'_> {
    fn peek_unit(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    fn peek(&self) -> Option<char> {
        self.peek_unit().map(ascii)
    }

    fn take(&mut self) -> Option<u16> {
        let unit = self.peek_unit()?;
        self.at += 1;
        Some(unit)
    }

    /// Takes this text if it comes next.
    fn takes(&mut self, text: &str) -> bool {
        let follows = text.bytes().enumerate().all(|(ahead, byte)| self.units.get(self.at + ahead) == Some(&u16::from(byte)));
        if follows {
            self.at += text.len();
        }
        follows
    }

    fn choice(&mut self) -> Result<Node, BadPattern> {
        let mut ways = vec![self.sequence()?];
        while self.takes("|") {
            ways.push(self.sequence()?);
        }
        Ok(if ways.len() == 1 { ways.swap_remove(0) } else { Node::Choice(ways) })
    }

    fn sequence(&mut self) -> Result<Node, BadPattern> {
        let mut terms = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            terms.push(self.term()?);
        }
        Ok(Node::Sequence(terms))
    }

    fn term(&mut self) -> Result<Node, BadPattern> {
        let first = self.opened;
        let begin = self.at;
        let Some(unit) = self.take() else { return Err(BadPattern::Syntax) };
        let (node, may_repeat) = match ascii(unit) {
            '^' => (Node::Start, false),
            '$' => (Node::End, false),
            '(' => self.group()?,
            '.' => (Node::One(Class::dot()), true),
            '[' => (Node::One(self.class()?), true),
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(BadPattern::Syntax),
            '{' => {
                self.at = begin;
                if self.braces()?.is_some() {
                    return Err(BadPattern::Syntax);
                }
                self.at = begin + 1;
                (Node::One(Class::unit(unit)), true)
            }
            _ => (Node::One(Class::unit(unit)), true),
        };
        match self.quantifier()? {
            None => Ok(node),
            Some(_) if !may_repeat => Err(BadPattern::Syntax),
            Some((min, max)) => {
                let greedy = !self.takes("?");
                Ok(Node::Repeat(Box::new(Repeat { inner: node, min, max, greedy, captures: first..self.opened })))
            }
        }
    }

    /// What follows an opening parenthesis, and whether it may be repeated: of the assertions only those that
    /// look ahead.
    fn group(&mut self) -> Result<(Node, bool), BadPattern> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(BadPattern::TooLarge);
        }
        let look = [("?=", false, false), ("?!", false, true), ("?<=", true, false), ("?<!", true, true)]
            .into_iter()
            .find(|(sign, ..)| self.takes(sign));
        let group = if let Some((_, behind, negated)) = look {
            (Node::Look { behind, negated, inner: Box::new(self.choice()?) }, !behind)
        } else if self.takes("?:") {
            (self.choice()?, true)
        } else {
            if self.takes("?<") {
                names::take_name(self.units, &mut self.at)?;
            } else if self.peek() == Some('?') {
                return Err(BadPattern::Syntax);
            }
            self.opened += 1;
            let number = self.opened;
            (Node::Capture(number, Box::new(self.choice()?)), true)
        };
        self.depth -= 1;
        if self.takes(")") { Ok(group) } else { Err(BadPattern::Syntax) }
    }

    /// The least and the most of a quantifier, if there is one.
    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, BadPattern> {
        for (sign, bounds) in [("*", (0, None)), ("+", (1, None)), ("?", (0, Some(1)))] {
            if self.takes(sign) {
                return Ok(Some(bounds));
            }
        }
        self.braces()
    }

    /// `{2}`, `{2,}`, `{2,5}`. Other braces are plain text.
    fn braces(&mut self) -> Result<Option<(u32, Option<u32>)>, BadPattern> {
        let begin = self.at;
        let bounds = self.bounds();
        match bounds {
            None => self.at = begin,
            Some((min, Some(max))) if max < min => return Err(BadPattern::Syntax),
            Some((min, max)) if min > MAX_COUNT || max.is_some_and(|max| max > MAX_COUNT) => return Err(BadPattern::TooLarge),
            Some(_) => {}
        }
        Ok(bounds)
    }

    fn bounds(&mut self) -> Option<(u32, Option<u32>)> {
        if !self.takes("{") {
            return None;
        }
        let min = self.number()?;
        let max = if self.takes(",") { if self.peek() == Some('}') { None } else { Some(self.number()?) } } else { Some(min) };
        self.takes("}").then_some((min, max))
    }

    /// A decimal number; one that is too large for the type stays its largest.
    fn number(&mut self) -> Option<u32> {
        let begin = self.at;
        let mut number = 0_u32;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        (self.at > begin).then_some(number)
    }
}
