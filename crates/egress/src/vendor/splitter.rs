//! Splits a response into its records while it arrives, so that no more than one record is held as bytes.
//!
//! A response is an object with one or more lists, or with one object, each under a name:
//! `{"components":[…],"component_groups":[…]}`. Other members are skipped and never held. The splitter finds
//! where records begin and end; the caller parses each one, and so finds what is no JSON in it.
//!
//! A record is bounded in bytes, in depth, and in what it takes as a tree: a list of empty lists takes a
//! hundred times the memory of its text.

use super::Error;

/// The deepest nesting of a record. One level more is more than [`serde_json`] reads.
const MAX_DEPTH: usize = 127;
/// The longest name that is compared.
const MAX_NAME: usize = 64;
/// The most bytes that stay allocated between records.
const KEPT_BYTES: usize = 64 * 1024;

/// What a value takes in a list or an object, in bytes: its slot of 72, or of 104 with its key, in a vector
/// that has grown.
const NEXT: usize = 128;
/// What a list takes besides: room for four values.
const LIST: usize = 288;
/// What an object takes besides: room for three members, and its index.
const OBJECT: usize = 400;
/// What the text of a key takes.
const NAME: usize = 24;

/// The bounds of one record.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of JSON.
    pub bytes: usize,
    /// Bytes of memory as a tree, an estimate.
    pub weight: usize,
}

/// The shape of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A list of records.
    List,
    /// One record, an object.
    Object,
}

/// A member that holds records.
#[derive(Debug, Clone, Copy)]
pub struct RecordMember {
    pub name: &'static str,
    /// Its shape. A member of another shape counts as missing.
    pub shape: Shape,
}

/// The splitter.
#[derive(Debug)]
pub struct Splitter {
    wanted: &'static [RecordMember],
    limits: Limits,
    state: State,
    /// The name of the member that is read, as far as it is compared.
    name: Vec<u8>,
    is_escaped: bool,
    scan: Scan,
    /// The text of the record that is read.
    text: Vec<u8>,
    /// Which members were found.
    found: Vec<bool>,
    /// How many bytes were read.
    read: u64,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Begin,
    FirstName,
    Name,
    InName,
    Colon,
    Value,
    FirstItem(usize),
    Item(usize),
    Inside(Part),
    AfterItem(usize),
    AfterMember,
    End,
}

/// What the value is that is read.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// An item of this list.
    Item(usize),
    Object(usize),
    /// Nothing that is wanted.
    Skipped,
}

/// A record that was found.
#[derive(Debug)]
pub struct FoundRecord<'a> {
    /// The index of its member.
    pub member: usize,
    pub text: &'a [u8],
    /// What it takes as a tree, in bytes, an estimate.
    pub weight: usize,
    /// How many bytes are before it.
    pub begin: u64,
}

impl Splitter {
    /// A splitter of one response.
    pub fn new(wanted: &'static [RecordMember], limits: Limits) -> Self {
        Self {
            wanted,
            limits,
            state: State::Begin,
            name: Vec::new(),
            is_escaped: false,
            scan: Scan::default(),
            text: Vec::new(),
            found: vec![false; wanted.len()],
            read: 0,
        }
    }

    /// Reads the next bytes. `give` gets each record that is complete.
    pub fn push(&mut self, mut bytes: &[u8], give: &mut impl FnMut(FoundRecord<'_>) -> Result<(), Error>) -> Result<(), Error> {
        while let Some((first, rest)) = bytes.split_first() {
            let left = match self.state {
                State::Inside(part) => {
                    let used = self.read_value(part, bytes, give)?;
                    bytes.get(used..).unwrap_or_default()
                }
                State::InName => {
                    self.read_name(*first);
                    rest
                }
                _ if first.is_ascii_whitespace() => rest,
                _ => {
                    if self.is_between(*first)? {
                        rest
                    } else {
                        bytes
                    }
                }
            };
            self.read += (bytes.len() - left.len()) as u64;
            bytes = left;
        }
        Ok(())
    }

    /// Ends the response. Returns which members were there; [`Error::Unreadable`] if it was cut off.
    pub fn finish(self) -> Result<Vec<bool>, Error> {
        if matches!(self.state, State::End) { Ok(self.found) } else { Err(Error::Unreadable) }
    }

    /// How many bytes are allocated for the record that is read.
    pub fn allocated(&self) -> usize {
        self.text.capacity()
    }

    /// Reads a byte outside of values and names. Returns whether it is used up; it is not if it begins a
    /// value.
    fn is_between(&mut self, byte: u8) -> Result<bool, Error> {
        let begins_value = !matches!(byte, b',' | b':' | b']' | b'}');
        let (next, is_used) = match (self.state, byte) {
            (State::Begin, b'{') => (State::FirstName, true),
            (State::FirstName | State::Name, b'"') => {
                self.name.clear();
                (State::InName, true)
            }
            (State::FirstName | State::AfterMember, b'}') => (State::End, true),
            (State::AfterMember, b',') => (State::Name, true),
            (State::Colon, b':') => (State::Value, true),
            (State::Value, byte) if begins_value => self.member(byte),
            (State::FirstItem(_) | State::AfterItem(_), b']') => (State::AfterMember, true),
            (State::FirstItem(list) | State::Item(list), _) if begins_value => (State::Inside(Part::Item(list)), false),
            (State::AfterItem(list), b',') => (State::Item(list), true),
            _ => return Err(Error::Unreadable),
        };
        self.state = next;
        Ok(is_used)
    }

    /// How a member goes on whose value begins with this byte.
    fn member(&mut self, byte: u8) -> (State, bool) {
        let place = self.wanted.iter().position(|wanted| wanted.name.as_bytes() == self.name);
        let shape = place.and_then(|place| self.wanted.get(place)).map(|wanted| wanted.shape);
        // The second member of one name is skipped.
        let found = place.and_then(|place| self.found.get_mut(place)).filter(|found| !**found);
        match (place, shape, byte, found) {
            (Some(place), Some(Shape::List), b'[', Some(found)) => {
                *found = true;
                (State::FirstItem(place), true)
            }
            (Some(place), Some(Shape::Object), b'{', Some(found)) => {
                *found = true;
                (State::Inside(Part::Object(place)), false)
            }
            _ => (State::Inside(Part::Skipped), false),
        }
    }

    fn read_name(&mut self, byte: u8) {
        match byte {
            b'"' if !self.is_escaped => self.state = State::Colon,
            _ => {
                self.is_escaped = byte == b'\\' && !self.is_escaped;
                if self.name.len() < MAX_NAME {
                    self.name.push(byte);
                }
            }
        }
    }

    /// Reads on within a value. Returns how many bytes belong to it.
    fn read_value(
        &mut self,
        part: Part,
        bytes: &[u8],
        give: &mut impl FnMut(FoundRecord<'_>) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let end = self.scan.end(bytes)?;
        let used = end.unwrap_or(bytes.len());
        let place = match part {
            Part::Item(place) | Part::Object(place) => Some(place),
            Part::Skipped => None,
        };
        if place.is_some() {
            self.keep(bytes.get(..used).unwrap_or_default())?;
        }
        if end.is_none() {
            return Ok(used);
        }
        if let Some(place) = place {
            let begin = self.read + used as u64 - self.text.len() as u64;
            give(FoundRecord { member: place, text: &self.text, weight: self.scan.weight + self.text.len(), begin })?;
            self.text.clear();
            self.text.shrink_to(KEPT_BYTES);
        }
        self.scan = Scan::default();
        self.state = if let Part::Item(list) = part { State::AfterItem(list) } else { State::AfterMember };
        Ok(used)
    }

    /// Adds bytes to the record, within its bounds.
    fn keep(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let length = self.text.len() + bytes.len();
        if length > self.limits.bytes || length + self.scan.weight > self.limits.weight {
            return Err(Error::RecordTooLarge);
        }
        if length > self.text.capacity() {
            // The allocation doubles, but not beyond the bound.
            let capacity = (self.text.capacity() * 2).min(self.limits.bytes).max(length);
            self.text.reserve_exact(capacity - self.text.len());
        }
        self.text.extend_from_slice(bytes);
        Ok(())
    }
}

/// Finds the end of a value, and estimates what it takes as a tree.
#[derive(Debug, Default)]
struct Scan {
    depth: usize,
    has_begun: bool,
    in_string: bool,
    is_escaped: bool,
    weight: usize,
}

impl Scan {
    /// Where the value ends in these bytes, if it does.
    fn end(&mut self, bytes: &[u8]) -> Result<Option<usize>, Error> {
        for (place, byte) in bytes.iter().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => {
                        self.in_string = false;
                        if self.depth == 0 {
                            return Ok(Some(place + 1));
                        }
                    }
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'[' | b'{' => {
                    self.depth += 1;
                    self.weight += if *byte == b'[' { LIST } else { OBJECT };
                    if self.depth > MAX_DEPTH {
                        return Err(Error::TooDeep);
                    }
                }
                // The end of the list or object around a number.
                b']' | b'}' | b',' if self.depth == 0 => return Ok(Some(place)),
                b']' | b'}' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Ok(Some(place + 1));
                    }
                }
                b',' => self.weight += NEXT,
                b':' => self.weight += NAME,
                _ if byte.is_ascii_whitespace() && self.depth == 0 && self.has_begun => return Ok(Some(place)),
                _ => {}
            }
            self.has_begun = true;
        }
        Ok(None)
    }
}

/// What the text of a value takes as a tree, in bytes.
pub fn weight(text: &[u8]) -> Result<usize, Error> {
    let mut scan = Scan::default();
    scan.end(text)?;
    Ok(scan.weight + text.len())
}

#[cfg(test)]
mod tests;
