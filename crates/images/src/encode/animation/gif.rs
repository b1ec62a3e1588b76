//! Animated GIF.
//!
//! A pixel is a colour of the frame's palette, or transparent: then what was there before stays. So a frame
//! can only cover, and what is to become transparent has to be cleared by the frame before. That is why each
//! frame is written when the next one is known.
//!
//! ```text
//! the canvas, and a frame to be written, and the next one
//!     the next one covers all that the frame shows -> the frame stays, and only what differs from the canvas is written
//!     it shows less                                -> the frame has the size of the canvas, which is cleared after it
//! ```
//!
//! Pixels are compared before they get a colour of a palette: what does not change keeps the colour that it
//! has, and does not flicker.

use super::{NOTHING, palette::Palette};
use crate::{
    Error,
    decode::Plays,
    encode::failed,
    pixels::{Pixel, Pixels},
};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;

/// The unit of durations, in milliseconds.
const TICK: u32 = 10;
/// The most colours of a palette.
const COLORS: usize = 256;
/// From here on a pixel is opaque.
const OPAQUE: u8 = 128;

/// A file that is being written.
pub(crate) struct GifAnimation {
    encoder: Encoder<Vec<u8>>,
    /// What is seen before the frame that is to be written.
    canvas: Pixels,
    /// That frame, and how long it is shown.
    waiting: Option<(Pixels, u32)>,
}

impl GifAnimation {
    pub(super) fn new((width, height): (u32, u32), plays: Plays) -> Result<Self, Error> {
        let side = |length: u32| u16::try_from(length).map_err(failed);
        let mut encoder = Encoder::new(Vec::new(), side(width)?, side(height)?, &[]).map_err(failed)?;
        let repeat = match plays {
            Plays::Forever => Repeat::Infinite,
            Plays::Times(times) => Repeat::Finite(times.saturating_sub(1)),
        };
        encoder.set_repeat(repeat).map_err(failed)?;
        Ok(Self { encoder, canvas: Pixels::filled(width, height, [0; 4]), waiting: None })
    }

    pub(super) fn add(&mut self, mut frame: Pixels, duration: u32) -> Result<(), Error> {
        for pixel in frame.pixels_mut() {
            let [red, green, blue, alpha] = *pixel;
            *pixel = if alpha < OPAQUE { [0; 4] } else { [red, green, blue, u8::MAX] };
        }
        if let Some((waiting, its_duration)) = self.waiting.take() {
            let shows_less = waiting.pixels().iter().zip(frame.pixels()).any(|([.., alpha], [.., next])| alpha > next);
            self.write(waiting, its_duration, shows_less)?;
        }
        self.waiting = Some((frame, duration));
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Vec<u8>, Error> {
        if let Some((waiting, duration)) = self.waiting.take() {
            self.write(waiting, duration, false)?;
        }
        self.encoder.into_inner().map_err(failed)
    }

    fn write(&mut self, frame: Pixels, duration: u32, is_cleared: bool) -> Result<(), Error> {
        let rect = if is_cleared { frame.bounds() } else { frame.difference(&self.canvas).unwrap_or(NOTHING) };
        // What is transparent is so on the canvas as well.
        let color = |(pixel, below): (&Pixel, &Pixel)| {
            let [red, green, blue, _] = *pixel;
            (pixel != below).then_some([red, green, blue])
        };
        let colors: Vec<Option<[u8; 3]>> = frame.within(rect).zip(self.canvas.within(rect)).map(color).collect();
        let keeps_some = colors.contains(&None);
        let palette = Palette::of(colors.iter().copied().flatten(), COLORS - usize::from(keeps_some));
        let transparent = u8::try_from(palette.colors.len()).unwrap_or(u8::MAX);
        let buffer = colors.iter().map(|color| color.map_or(transparent, |color| palette.index(color))).collect();
        let mut table = palette.colors.into_flattened();
        if keeps_some {
            table.extend([0; 3]);
        }
        let side = |length: usize| u16::try_from(length).map_err(failed);
        let written = Frame {
            delay: u16::try_from(duration / TICK).unwrap_or(u16::MAX),
            dispose: if is_cleared { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: keeps_some.then_some(transparent),
            left: side(rect.left)?,
            top: side(rect.top)?,
            width: side(rect.width)?,
            height: side(rect.height)?,
            palette: Some(table),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        };
        self.encoder.write_frame(&written).map_err(failed)?;
        self.canvas = if is_cleared { Pixels::filled(frame.width, frame.height, [0; 4]) } else { frame };
        Ok(())
    }
}
