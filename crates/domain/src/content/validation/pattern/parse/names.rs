//! The groups of a pattern, which backreferences name before the parser has come to them.

use super::{BadPattern, ascii};

/// The groups of a pattern.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups {
    /// How many there are.
    pub(super) count: usize,
    /// Names with the numbers of their groups.
    names: Vec<(Vec<u16>, usize)>,
}

impl Groups {
    /// Whether a group has a name: then `\k` names one, and is not the letter.
    pub(super) fn are_named(&self) -> bool {
        !self.names.is_empty()
    }

    /// The number of the group with this name.
    pub(super) fn number(&self, name: &[u16]) -> Option<usize> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }
}

/// Counts the groups of a pattern and reads their names.
pub(super) fn scan(units: &[u16]) -> Result<Groups, BadPattern> {
    let mut groups = Groups::default();
    let (mut at, mut is_in_class) = (0, false);
    let is = |at: usize, wanted: char| units.get(at).is_some_and(|unit| ascii(*unit) == wanted);
    while let Some(unit) = units.get(at) {
        at += 1;
        match ascii(*unit) {
            '\\' => at += 1,
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            '(' if !is_in_class && !is(at, '?') => groups.count += 1,
            '(' if !is_in_class && is(at + 1, '<') && !is(at + 2, '=') && !is(at + 2, '!') => {
                groups.count += 1;
                at += 2;
                let name = take_name(units, &mut at)?;
                if groups.number(&name).is_some() {
                    return Err(BadPattern::Syntax);
                }
                groups.names.push((name, groups.count));
            }
            _ => {}
        }
    }
    Ok(groups)
}

/// A name up to its closing `>`: letters, digits, `$`, `_` and what is not ASCII, no digit first.
pub(super) fn take_name(units: &[u16], at: &mut usize) -> Result<Vec<u16>, BadPattern> {
    let rest = units.get(*at..).unwrap_or_default();
    let length = rest.iter().position(|unit| ascii(*unit) == '>').ok_or(BadPattern::Syntax)?;
    let name = rest.get(..length).unwrap_or_default();
    let is_part = |unit: &u16| *unit > 0x7f || matches!(ascii(*unit), 'a'..='z' | 'A'..='Z' | '0'..='9' | '$' | '_');
    let begins_well = name.first().is_some_and(|unit| !ascii(*unit).is_ascii_digit());
    if !begins_well || !name.iter().all(is_part) {
        return Err(BadPattern::Syntax);
    }
    *at += length + 1;
    Ok(name.to_vec())
}
