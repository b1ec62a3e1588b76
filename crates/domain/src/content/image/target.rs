//! What a result is encoded in.

use super::{Format, SourceFormat, Transformation};
use std::fmt;
use strum::IntoStaticStr;

/// The formats that animations are encoded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum AnimationFormat {
    Gif,
    Webp,
}

impl AnimationFormat {
    /// Its media type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

/// The formats of a result. Which of the two it gets is known when the original is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageTarget {
    /// That of an image, and of the first frame of an animation whose others are not wanted, or cost too
    /// much.
    pub still: Format,
    /// That of an animation. None where it is not to move, or where the original cannot.
    pub animation: Option<AnimationFormat>,
}

impl ImageTarget {
    /// A result that does not move.
    pub const fn still(format: Format) -> Self {
        Self { still: format, animation: None }
    }
}

/// The formats for the key of a result.
impl fmt::Display for ImageTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(animation) = self.animation {
            write!(f, "{}|", animation.into_str())?;
        }
        f.write_str(self.still.into_str())
    }
}

impl SourceFormat {
    /// The format of a still result when the transformation names none: WebP where the client takes it, and
    /// the original's otherwise. A GIF becomes a PNG.
    const fn negotiate(self, accepts_webp: bool) -> Format {
        match self {
            _ if accepts_webp => Format::Webp,
            Self::Jpeg => Format::Jpeg,
            Self::Gif | Self::Png => Format::Png,
            Self::Webp => Format::Webp,
        }
    }
}

impl Transformation {
    /// The formats of the result of an original. An animation stays one, unless a format is named that shows
    /// one frame only; a client that takes WebP, or names it, gets that.
    pub const fn target(&self, source: SourceFormat, accepts_webp: bool) -> ImageTarget {
        let still = match self.filters.format {
            Some(named) => named,
            None => source.negotiate(accepts_webp),
        };
        let animation = match source {
            _ if self.is_of_one_frame() => None,
            SourceFormat::Jpeg | SourceFormat::Png => None,
            SourceFormat::Gif if matches!(still, Format::Png) => Some(AnimationFormat::Gif),
            SourceFormat::Gif | SourceFormat::Webp => Some(AnimationFormat::Webp),
        };
        ImageTarget { still, animation }
    }

    /// Whether it names a format that shows one frame only.
    pub const fn is_of_one_frame(&self) -> bool {
        matches!(self.filters.format, Some(Format::Avif | Format::Jpeg | Format::Png))
    }
}
