//! Transformations of images, in the notation of Storyblok's image service.
//!
//! ```text
//! …/photo.jpg/m/10x20:300x400/fit-in/-800x600/smart/filters:quality(70):format(webp)
//!               |             |      |        |     |
//!               crop          |      |        |     filters, in any order
//!               no cropping --+      |        |
//!               size, `-` flips -----+        +---- the crop keeps what has most detail
//! ```
//!
//! Every part can be left out, and 0 stands for a side that follows from the other. The text of a
//! [`Transformation`] (`Display`) is the same for all spellings of the same picture, so it is what results
//! are kept under. What is not known or cannot be read is an error that names it.

mod filters;
mod geometry;
mod parse;
mod target;
#[cfg(test)]
mod tests;

pub use filters::{Blur, Color, Fill, Filters, Rotation, RoundCorner};
pub use geometry::{Area, Canvas, Placement, Region};
pub use parse::TransformationError;
pub use target::{AnimationFormat, ImageTarget};

use std::fmt;
use strum::{EnumString, IntoStaticStr};

/// The most pixels of a side of a result, as Storyblok documents it. A larger side that is asked for is cut
/// to this.
pub const MAX_SIDE: u32 = 4_000;

/// The formats that images are encoded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Format {
    /// AV1 Image File Format.
    Avif,
    #[strum(to_string = "jpeg", serialize = "jpg")]
    Jpeg,
    Png,
    Webp,
}

impl Format {
    /// Its media type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Avif => "image/avif",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }
}

/// What an original is, by its media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Original {
    /// It can be decoded.
    Raster(SourceFormat),
    /// An image that is served as it is, whatever is asked for: SVG scales by itself, and the others are not
    /// decoded here.
    Untouched,
    Other,
}

/// The formats that can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceFormat {
    Gif,
    Jpeg,
    Png,
    Webp,
}

impl Original {
    /// The original of a media type.
    pub fn of(content_type: &str) -> Self {
        match content_type {
            "image/gif" => Self::Raster(SourceFormat::Gif),
            "image/jpeg" => Self::Raster(SourceFormat::Jpeg),
            "image/png" => Self::Raster(SourceFormat::Png),
            "image/webp" => Self::Raster(SourceFormat::Webp),
            image if image.starts_with("image/") => Self::Untouched,
            _ => Self::Other,
        }
    }
}

/// What is done to an image.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the notation")]
pub struct Transformation {
    /// The part of the original that is used.
    pub crop: Option<Area>,
    /// Whether the whole image is to fit into the size, instead of filling it.
    pub fits_in: bool,
    /// The width in pixels; 0 follows from the height, and from the original when that is 0 as well.
    pub width: u32,
    /// The height in pixels; 0 follows from the width.
    pub height: u32,
    /// Whether it is mirrored left to right.
    pub flips_x: bool,
    /// Whether it is mirrored top to bottom.
    pub flips_y: bool,
    /// Whether the part with most detail is kept when the image is cropped to its size.
    pub smart: bool,
    pub filters: Filters,
}

impl Transformation {
    /// Reads the path behind `/m`, decoded.
    pub fn parse(path: &str) -> Result<Self, TransformationError> {
        parse::transformation(path)
    }

    /// The same with a format, for the key of its result.
    #[must_use]
    pub fn in_format(mut self, format: Format) -> Self {
        self.filters.format = Some(format);
        self
    }
}

/// The canonical path behind `/m/`.
impl fmt::Display for Transformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |flips| if flips { "-" } else { "" };
        let mut parts = Vec::new();
        if let Some(crop) = self.crop {
            parts.push(crop.to_string());
        }
        if self.fits_in {
            parts.push("fit-in".to_owned());
        }
        if (self.width, self.height, self.flips_x, self.flips_y) != (0, 0, false, false) {
            parts.push(format!("{}{}x{}{}", sign(self.flips_x), self.width, sign(self.flips_y), self.height));
        }
        if self.smart {
            parts.push("smart".to_owned());
        }
        let filters = self.filters.to_string();
        if !filters.is_empty() {
            parts.push(format!("filters:{filters}"));
        }
        f.write_str(&parts.join("/"))
    }
}
