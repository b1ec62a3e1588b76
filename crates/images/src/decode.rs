//! Decoding originals.

mod canvas;
mod exif;
mod gif;
mod jpeg;
mod png;
mod webp;

use super::{Deadline, Error, Limits, pixels::Pixels, turn::Turn};
use domain::content::image::{SourceFormat, Transformation};

/// What a decoder has to know.
pub(crate) struct Request<'a> {
    pub(crate) limits: Limits,
    pub(crate) deadline: &'a Deadline,
    pub(crate) transformation: &'a Transformation,
}

impl Request<'_> {
    /// Refuses an image of too many pixels, or of none.
    fn check_size(&self, width: u32, height: u32) -> Result<(u32, u32), Error> {
        let limit = self.limits.pixels;
        if width == 0 || height == 0 {
            return Err(broken("it has no pixels"));
        }
        if u64::from(width) * u64::from(height) > limit {
            Err(Error::TooManyPixels { width, height, limit })
        } else {
            Ok((width, height))
        }
    }
}

/// A decoded original.
pub(crate) struct Decoded {
    /// Its pixels; fewer than it has where fewer are enough.
    pub(crate) pixels: Pixels,
    pub(crate) size: (u32, u32),
    /// What turns it upright.
    pub(crate) turn: Turn,
    pub(crate) icc: Option<Vec<u8>>,
    /// How many frames it has, in a format of which nothing here decodes more than the first (APNG); 1 in all
    /// others.
    pub(crate) frames: u32,
}

/// An original with more than one frame, before any of them is decoded.
pub(crate) struct Animation<'a> {
    /// The size of its canvas.
    pub(crate) size: (u32, u32),
    /// What turns it upright.
    pub(crate) turn: Turn,
    pub(crate) icc: Option<Vec<u8>>,
    /// How many frames it has.
    pub(crate) count: u32,
    /// How many pixels have to be looked at for all of them.
    pub(crate) pixels: u64,
    /// How often it is played.
    pub(crate) plays: Plays,
    pub(crate) source: Box<dyn Frames + 'a>,
}

/// How often an animation is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plays {
    /// Until it is out of sight.
    Forever,
    /// So often, and its last frame stays.
    Times(u16),
}

/// The frames of an animation, decoded one after the other: no more than the canvas and one frame is in
/// memory.
pub(crate) trait Frames {
    /// The next frame. Asked for more often than there are frames, it is an error.
    fn next(&mut self) -> Result<Frame<'_>, Error>;
}

/// A frame.
pub(crate) struct Frame<'a> {
    /// All that is seen while it is shown.
    pub(crate) pixels: &'a Pixels,
    /// For how many milliseconds that is.
    pub(crate) duration: u32,
}

/// Decodes an original; of an animated one the first frame.
pub(crate) fn decode(source: SourceFormat, bytes: &[u8], request: &Request<'_>) -> Result<Decoded, Error> {
    match source {
        SourceFormat::Gif => gif::decode(bytes, request),
        SourceFormat::Jpeg => jpeg::decode(bytes, request),
        SourceFormat::Png => png::decode(bytes, request),
        SourceFormat::Webp => webp::decode(bytes, request),
    }
}

/// The frames of an original that has more than one.
pub(crate) fn animation<'a>(source: SourceFormat, bytes: &'a [u8], request: &Request<'_>) -> Result<Option<Animation<'a>>, Error> {
    match source {
        SourceFormat::Gif => gif::animation(bytes, request),
        SourceFormat::Webp => webp::animation(bytes, request),
        SourceFormat::Jpeg | SourceFormat::Png => Ok(None),
    }
}

/// The error of a decoder.
fn broken(why: impl std::fmt::Display) -> Error {
    Error::Broken(why.to_string())
}
