//! Paths into the content of a story: `seo.title`, `body.0.name`. Other than at Storyblok, `body.*.name`
//! names any element of an array.

use crate::shared::{Fault, FieldCode};

/// How many steps a path may have.
const MAX_SEGMENTS: usize = 12;
/// How long a step may be, in characters.
const MAX_LENGTH: usize = 200;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// A key of an object, or the index of an array.
    Key(String),
    /// Any element of an array.
    Any,
}

/// A path, with at least one step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FieldPath(Vec<Segment>);

impl FieldPath {
    /// Parses a path. 422 that names the parameter when a step is empty or too long, or when there are too
    /// many steps.
    pub fn parse(parameter: &str, text: &str) -> Result<Self, Fault> {
        let segments: Vec<Segment> =
            text.split('.').map(|part| if part == "*" { Segment::Any } else { Segment::Key(part.to_owned()) }).collect();
        let is_bad = |value: &Segment| matches!(value, Segment::Key(key) if key.is_empty() || key.chars().count() > MAX_LENGTH);
        if segments.len() > MAX_SEGMENTS || segments.iter().any(is_bad) || segments.first() == Some(&Segment::Any) {
            return Err(Fault::invalid(parameter, FieldCode::Invalid, format!("has an invalid path: {text}")));
        }
        Ok(Self(segments))
    }

    /// The steps.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The keys, when no step is [`Segment::Any`].
    pub fn keys(&self) -> Option<Vec<&str>> {
        self.0.iter().map(|value| if let Segment::Key(key) = value { Some(key.as_str()) } else { None }).collect()
    }

    /// The key of a path of one step, which is a field of the root block.
    pub fn root_key(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Segment::Key(key)] => Some(key),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldPath, Segment};

    #[test]
    fn paths_are_bounded() {
        let path = FieldPath::parse("p", "body.*.name").unwrap();
        assert_eq!(path.segments()[1], Segment::Any);
        assert_eq!(path.keys(), None);
        assert_eq!(FieldPath::parse("p", "body.0").unwrap().keys().unwrap(), ["body", "0"]);
        for bad in ["", "a..b", "*", "*.a", &["a"; 13].join("."), &"x".repeat(201)] {
            assert!(FieldPath::parse("p", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_path_may_have_twelve_steps_of_200_characters() {
        for good in ["a.b.c.d.e.f.g.h.i.j.k.l".to_owned(), "ü".repeat(200), format!("{0}.{0}", "x".repeat(200))] {
            assert!(FieldPath::parse("p", &good).is_ok(), "{good}");
        }
    }

    #[test]
    fn a_field_of_the_root_block_is_a_path_of_one_key() {
        assert_eq!(FieldPath::parse("p", "a").unwrap().root_key(), Some("a"));
        assert_eq!(FieldPath::parse("p", "a.b").unwrap().root_key(), None);
    }
}
