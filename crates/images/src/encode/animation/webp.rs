//! Animated WebP (RFC 9649, 2.7): a header, how often it is played, and a chunk for each frame.
//!
//! A frame takes the place of what is below it and stays, so the canvas is always the frame that was added
//! last. Its rectangle is an image of its own, as [`super::super::webp`] encodes it.

use super::{
    super::{failed, webp},
    NOTHING,
};
use crate::{
    Deadline, Error,
    decode::Plays,
    pixels::{Pixels, Rect},
    riff,
};

/// The bits of the header.
const HAS_ALPHA: u8 = 1 << 4;
const IS_ANIMATION: u8 = 1 << 1;
/// The bit of a frame.
const TAKES_PLACES: u8 = 1 << 1;
/// Where the bits of the header are.
const FLAGS: usize = 20;
/// The longest duration that there is a place for.
const MAX_DURATION: u32 = 0xff_ffff;

/// A file that is being written.
pub(crate) struct WebpAnimation {
    file: Vec<u8>,
    quality: u8,
    last: Option<Pixels>,
    has_alpha: bool,
}

impl WebpAnimation {
    pub(super) fn new((width, height): (u32, u32), plays: Plays, quality: u8) -> Result<Self, Error> {
        let mut file = b"RIFF\0\0\0\0WEBP".to_vec();
        let header = [&[IS_ANIMATION, 0, 0, 0][..], &number(width.saturating_sub(1)), &number(height.saturating_sub(1))];
        riff::push(&mut file, *b"VP8X", &header.concat()).map_err(failed)?;
        let times = match plays {
            Plays::Forever => 0,
            Plays::Times(times) => times.max(1),
        };
        // The colour behind it, which no browser shows, is none.
        let header = [&[0; 4][..], &times.to_le_bytes()];
        riff::push(&mut file, *b"ANIM", &header.concat()).map_err(failed)?;
        Ok(Self { file, quality, last: None, has_alpha: false })
    }

    pub(super) fn add(&mut self, frame: Pixels, duration: u32, deadline: &Deadline) -> Result<(), Error> {
        let rect = match &self.last {
            Some(last) => frame.difference(last).map_or(NOTHING, from_even),
            None => frame.bounds(),
        };
        let image = if rect == frame.bounds() { self.encode(&frame, deadline)? } else { self.encode(&frame.part(rect), deadline)? };
        let side = |length: usize| u32::try_from(length).map(number).map_err(failed);
        let head = [side(rect.left / 2)?, side(rect.top / 2)?, side(rect.width - 1)?, side(rect.height - 1)?];
        let head = [head.as_flattened(), &number(duration.min(MAX_DURATION)), &[TAKES_PLACES]];
        let mut chunk = head.concat();
        // Of the file that the encoder wrote, the image and its transparency, without a header of the file.
        for (name, content) in riff::of_file(&image).filter(|(name, _)| name != b"VP8X") {
            riff::push(&mut chunk, name, content).map_err(failed)?;
        }
        riff::push(&mut self.file, *b"ANMF", &chunk).map_err(failed)?;
        self.last = Some(frame);
        Ok(())
    }

    fn encode(&mut self, image: &Pixels, deadline: &Deadline) -> Result<Vec<u8>, Error> {
        let is_opaque = image.is_opaque || image.pixels().iter().all(|[.., alpha]| *alpha == u8::MAX);
        self.has_alpha |= !is_opaque;
        webp::encode(image, self.quality, deadline)
    }

    pub(super) fn finish(mut self) -> Result<Vec<u8>, Error> {
        let size = u32::try_from(self.file.len().saturating_sub(8)).map_err(failed)?;
        let places =
            [(4..8, &size.to_le_bytes()[..]), (FLAGS..FLAGS + 1, &[IS_ANIMATION | if self.has_alpha { HAS_ALPHA } else { 0 }])];
        for (place, bytes) in places {
            self.file.get_mut(place).ok_or_else(|| failed("no header"))?.copy_from_slice(bytes);
        }
        Ok(self.file)
    }
}

/// The rectangle that begins at an even position, as those of frames have to.
fn from_even(Rect { left, top, width, height }: Rect) -> Rect {
    Rect { left: left - left % 2, top: top - top % 2, width: width + left % 2, height: height + top % 2 }
}

/// A number of 24 bits.
fn number(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}
