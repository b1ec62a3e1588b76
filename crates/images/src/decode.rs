//! Decoding originals.

mod exif;
mod gif;
mod jpeg;
mod png;
mod riff;
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
    /// Its size.
    pub(crate) size: (u32, u32),
    /// What turns it upright.
    pub(crate) turn: Turn,
    /// Its colour profile.
    pub(crate) icc: Option<Vec<u8>>,
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

/// Whether an original has more than one frame. PNG is taken as a still image.
pub(crate) fn is_animated(source: SourceFormat, bytes: &[u8]) -> bool {
    match source {
        SourceFormat::Gif => gif::is_animated(bytes),
        SourceFormat::Webp => webp::is_animated(bytes),
        SourceFormat::Jpeg | SourceFormat::Png => false,
    }
}

/// The media type of an original.
pub(crate) const fn content_type(source: SourceFormat) -> &'static str {
    match source {
        SourceFormat::Gif => "image/gif",
        SourceFormat::Jpeg => "image/jpeg",
        SourceFormat::Png => "image/png",
        SourceFormat::Webp => "image/webp",
    }
}

/// The error of a decoder.
fn broken(why: impl std::fmt::Display) -> Error {
    Error::Broken(why.to_string())
}
