//! Escapes and classes.

use super::{BadPattern, Class, Node, Parser, ascii, names};

/// What an escape stands for.
enum Escaped {
    Unit(u16),
    Class(Class),
}

impl Parser<'_> {
    /// What follows a backslash outside of a class, and whether it may be repeated.
    pub(super) fn escape(&mut self) -> Result<(Node, bool), BadPattern> {
        let edge = |negated| Ok((Node::WordEdge { negated }, false));
        if self.takes("b") {
            return edge(false);
        }
        if self.takes("B") {
            return edge(true);
        }
        if let Some(number) = self.back_number() {
            self.has_back = true;
            return Ok((Node::Back(number), true));
        }
        if self.groups.are_named() && self.takes("k") {
            if !self.takes("<") {
                return Err(BadPattern::Syntax);
            }
            let name = names::take_name(self.units, &mut self.at)?;
            let number = self.groups.number(&name).ok_or(BadPattern::Syntax)?;
            self.has_back = true;
            return Ok((Node::Back(number), true));
        }
        let class = match self.unit_or_class(false)? {
            Escaped::Unit(unit) => Class::unit(unit),
            Escaped::Class(class) => class,
        };
        Ok((Node::One(class), true))
    }

    /// The number of a group, which a backreference names in decimal. Larger numbers are octal escapes.
    fn back_number(&mut self) -> Option<usize> {
        let begin = self.at;
        let number = if self.peek() == Some('0') { None } else { self.number() };
        let number = number.and_then(|number| usize::try_from(number).ok()).filter(|number| *number <= self.groups.count);
        if number.is_none() {
            self.at = begin;
        }
        number
    }

    /// What is between `[` and `]`.
    pub(super) fn class(&mut self) -> Result<Class, BadPattern> {
        let is_negated = self.takes("^");
        let mut ranges = Vec::new();
        while let Some(first) = self.class_part()? {
            // A hyphen at the end, or behind a class like \d, is only a hyphen.
            let is_range = self.peek() == Some('-') && self.units.get(self.at + 1).is_some_and(|unit| ascii(*unit) != ']');
            if !is_range {
                add(&mut ranges, first);
                continue;
            }
            self.at += 1;
            let Some(last) = self.class_part()? else { return Err(BadPattern::Syntax) };
            match (first, last) {
                (Escaped::Unit(from), Escaped::Unit(to)) if from <= to => ranges.push((from, to)),
                (Escaped::Unit(_), Escaped::Unit(_)) => return Err(BadPattern::Syntax),
                (first, last) => {
                    add(&mut ranges, first);
                    add(&mut ranges, Escaped::Unit(u16::from(b'-')));
                    add(&mut ranges, last);
                }
            }
        }
        let class = Class::of(ranges);
        Ok(if is_negated { class.negated() } else { class })
    }

    /// The next part of a class; `None` at its end.
    fn class_part(&mut self) -> Result<Option<Escaped>, BadPattern> {
        let Some(unit) = self.take() else { return Err(BadPattern::Syntax) };
        match ascii(unit) {
            ']' => Ok(None),
            '\\' if self.takes("b") => Ok(Some(Escaped::Unit(0x08))),
            '\\' => self.unit_or_class(true).map(Some),
            _ => Ok(Some(Escaped::Unit(unit))),
        }
    }

    /// An escape that stands for a unit, or for a set of them.
    fn unit_or_class(&mut self, is_in_class: bool) -> Result<Escaped, BadPattern> {
        let begin = self.at;
        let Some(unit) = self.take() else { return Err(BadPattern::Syntax) };
        let of = |unit: u8| Ok(Escaped::Unit(u16::from(unit)));
        match ascii(unit) {
            'd' => Ok(Escaped::Class(Class::digits())),
            'D' => Ok(Escaped::Class(Class::digits().negated())),
            's' => Ok(Escaped::Class(Class::spaces())),
            'S' => Ok(Escaped::Class(Class::spaces().negated())),
            'w' => Ok(Escaped::Class(Class::words())),
            'W' => Ok(Escaped::Class(Class::words().negated())),
            'f' => of(0x0c),
            'n' => of(0x0a),
            'r' => of(0x0d),
            't' => of(0x09),
            'v' => of(0x0b),
            '0'..='7' => {
                self.at = begin;
                Ok(Escaped::Unit(self.octal()))
            }
            'x' => Ok(Escaped::Unit(self.hexadecimal(2).unwrap_or(unit))),
            'u' => Ok(Escaped::Unit(self.hexadecimal(4).unwrap_or(unit))),
            'c' => Ok(Escaped::Unit(self.control(is_in_class).unwrap_or_else(|| {
                // The backslash stands for itself, and the c is read next.
                self.at = begin;
                u16::from(b'\\')
            }))),
            'k' if self.groups.are_named() => Err(BadPattern::Syntax),
            _ => Ok(Escaped::Unit(unit)),
        }
    }

    /// Up to three octal digits, at most `\377`.
    fn octal(&mut self) -> u16 {
        let mut value = 0;
        for _ in 0..3 {
            let digit = self.peek().and_then(|c| c.to_digit(8)).and_then(|digit| u16::try_from(digit).ok());
            let Some(next) = digit.map(|digit| value * 8 + digit).filter(|next| *next <= 0o377) else { break };
            value = next;
            self.at += 1;
        }
        value
    }

    /// So many hexadecimal digits; nothing is taken when there are fewer.
    fn hexadecimal(&mut self, length: usize) -> Option<u16> {
        let digits = self.units.get(self.at..self.at + length)?;
        let mut value = 0_u16;
        for unit in digits {
            let digit = ascii(*unit).to_digit(16).and_then(|digit| u16::try_from(digit).ok())?;
            value = value.checked_mul(16)?.checked_add(digit)?;
        }
        self.at += length;
        Some(value)
    }

    /// The letter of `\cJ`; in a class also a digit or an underscore.
    fn control(&mut self, is_in_class: bool) -> Option<u16> {
        let unit = self.peek_unit()?;
        let letter = ascii(unit);
        let is_control = letter.is_ascii_alphabetic() || (is_in_class && (letter.is_ascii_digit() || letter == '_'));
        if !is_control {
            return None;
        }
        self.at += 1;
        Some(unit % 32)
    }
}

fn add(ranges: &mut Vec<(u16, u16)>, part: Escaped) {
    match part {
        Escaped::Unit(unit) => ranges.push((unit, unit)),
        Escaped::Class(class) => ranges.extend(class.ranges()),
    }
}
