//! Reading the path behind `/m`.

use super::{Area, MAX_SIDE, Transformation, filters::pixels};
use crate::shared::{Code, Fault};

/// The most characters of a name or an argument that an error repeats.
const MAX_SHOWN: usize = 60;

/// Why a path is no transformation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransformationError {
    /// A part or a filter that the image service does not have.
    #[error("The image service does not know «{0}»")]
    Unknown(String),
    /// A filter whose argument is wrong.
    #[error("The image service cannot read «{0}»")]
    Unreadable(String),
}

impl TransformationError {
    pub(super) fn unknown(name: &str) -> Self {
        Self::Unknown(shown(name))
    }

    pub(super) fn unreadable(text: String) -> Self {
        Self::Unreadable(shown(&text))
    }
}

impl From<TransformationError> for Fault {
    fn from(error: TransformationError) -> Self {
        let code = match error {
            TransformationError::Unknown(_) => Code::UnknownTransformation,
            TransformationError::Unreadable(_) => Code::InvalidTransformation,
        };
        Self::new(code, error.to_string())
    }
}

/// The beginning of a text, without what a terminal or a log could take for something else.
fn shown(text: &str) -> String {
    text.chars().take(MAX_SHOWN).map(|char| if char.is_control() { '\u{fffd}' } else { char }).collect()
}

/// Reads a whole path. The parts may come in any order, as clients write them.
pub(super) fn transformation(path: &str) -> Result<Transformation, TransformationError> {
    let mut read = Transformation::default();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        if let Some(filters) = segment.strip_prefix("filters") {
            let list = filters.strip_prefix(':').or(filters.is_empty().then_some(""));
            let mut rest = list.ok_or_else(|| TransformationError::unknown(segment))?;
            while !rest.is_empty() {
                let (name, arguments, left) = filter(rest)?;
                if !name.is_empty() {
                    read.filters.add(name, arguments)?;
                }
                rest = left;
            }
        } else if segment == "fit-in" {
            read.fits_in = true;
        } else if segment == "smart" {
            read.smart = true;
        } else if let Some(area) = Area::parse(segment) {
            read.crop = Some(area);
        } else if let Some(((flips_x, width), (flips_y, height))) = size(segment) {
            (read.flips_x, read.width) = (flips_x, width.min(MAX_SIDE));
            (read.flips_y, read.height) = (flips_y, height.min(MAX_SIDE));
        } else {
            return Err(TransformationError::unknown(segment));
        }
    }
    // Without a size there is nothing that it could fit into.
    read.fits_in &= (read.width, read.height) != (0, 0);
    read.smart &= read.width > 0 && read.height > 0 && !read.fits_in;
    Ok(read)
}

/// The first of some filters: its name, its arguments, and what follows.
fn filter(list: &str) -> Result<(&str, &str, &str), TransformationError> {
    let end = list.find(['(', ':']).unwrap_or(list.len());
    let (name, rest) = list.split_at_checked(end).unwrap_or((list, ""));
    let Some(opened) = rest.strip_prefix('(') else { return Ok((name.trim(), "", rest.strip_prefix(':').unwrap_or(rest))) };
    let unreadable = || TransformationError::unreadable(list.to_owned());
    let (arguments, rest) = opened.split_once(')').ok_or_else(unreadable)?;
    match rest.strip_prefix(':') {
        Some(left) => Ok((name.trim(), arguments.trim(), left)),
        None if rest.is_empty() => Ok((name.trim(), arguments.trim(), "")),
        None => Err(unreadable()),
    }
}

/// `{width}x{height}`, each with an optional `-`; a side without a number is 0.
fn size(segment: &str) -> Option<((bool, u32), (bool, u32))> {
    let side = |text: &str| {
        let (flips, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let number = if digits.is_empty() { Some(0) } else { pixels(digits).filter(|_| !digits.starts_with('-')) };
        number.map(|number| (flips, number))
    };
    let (width, height) = segment.split_once('x')?;
    Some((side(width)?, side(height)?))
}
