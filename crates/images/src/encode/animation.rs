//! Encoding animations. A file grows frame by frame, and of each frame it gets the smallest rectangle that
//! has what differs from the frame before.

mod gif;
mod palette;
mod webp;

use super::QUALITY;
use crate::{
    Deadline, Error,
    decode::Plays,
    pixels::{Pixels, Rect},
};
use domain::content::image::{AnimationFormat, Filters};
use gif::GifAnimation;
use webp::WebpAnimation;

/// What a frame draws that differs nowhere from the one before: it needs a pixel to have a duration.
const NOTHING: Rect = Rect { left: 0, top: 0, width: 1, height: 1 };

/// An animation that is being written.
pub(crate) enum Animation {
    Gif(GifAnimation),
    Webp(WebpAnimation),
}

impl Animation {
    /// An animation without frames yet, all of which will have this size.
    pub(crate) fn new(format: AnimationFormat, size: (u32, u32), plays: Plays, filters: &Filters) -> Result<Self, Error> {
        Ok(match format {
            AnimationFormat::Gif => Self::Gif(GifAnimation::new(size, plays)?),
            AnimationFormat::Webp => Self::Webp(WebpAnimation::new(size, plays, filters.quality.unwrap_or(QUALITY))?),
        })
    }

    /// Adds a frame that is shown for `duration` milliseconds.
    pub(crate) fn add(&mut self, frame: Pixels, duration: u32, deadline: &Deadline) -> Result<(), Error> {
        match self {
            Self::Gif(file) => file.add(frame, duration),
            Self::Webp(file) => file.add(frame, duration, deadline),
        }
    }

    /// The file.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Error> {
        match self {
            Self::Gif(file) => file.finish(),
            Self::Webp(file) => file.finish(),
        }
    }
}
