//! GIF.

use super::{
    Animation, Decoded, Frame, Frames, Plays, Request, broken,
    canvas::{Canvas, Disposal},
};
use crate::{
    Error,
    pixels::{Pixel, Rect, over},
    turn::Turn,
};
use gif::{ColorOutput, DecodeOptions, Decoder, DisposalMethod, MemoryLimit, Repeat};

/// The unit of durations, in milliseconds.
const TICK: u32 = 10;

/// Decodes the first frame on its canvas.
pub(super) fn decode(bytes: &[u8], request: &Request<'_>) -> Result<Decoded, Error> {
    let mut frames = GifFrames::open(bytes, request)?;
    frames.next()?;
    let pixels = frames.canvas.into_pixels();
    Ok(Decoded { size: (pixels.width, pixels.height), pixels, turn: Turn::default(), icc: None, frames: 1 })
}

/// Its frames, if it has more than one. They are counted, and none is decoded yet.
pub(super) fn animation<'a>(bytes: &'a [u8], request: &Request<'_>) -> Result<Option<Animation<'a>>, Error> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut counted = options.read_info(bytes).map_err(broken)?;
    let size = request.check_size(u32::from(counted.width()), u32::from(counted.height()))?;
    let canvas = u64::from(size.0) * u64::from(size.1);
    let (mut count, mut pixels) = (0_u32, 0_u64);
    // What follows a broken frame is not there for browsers either.
    while let Ok(Some(frame)) = counted.next_frame_info() {
        request.deadline.check()?;
        count = count.saturating_add(1);
        pixels = pixels.saturating_add(canvas.max(u64::from(frame.width) * u64::from(frame.height)));
    }
    if count < 2 {
        return Ok(None);
    }
    let plays = match counted.repeat() {
        Repeat::Infinite => Plays::Forever,
        Repeat::Finite(again) => Plays::Times(again.saturating_add(1)),
    };
    let source = Box::new(GifFrames::open(bytes, request)?);
    Ok(Some(Animation { size, turn: Turn::default(), icc: None, count, pixels, plays, source }))
}

/// The frames, decoded one after the other.
struct GifFrames<'a> {
    decoder: Decoder<&'a [u8]>,
    canvas: Canvas,
}

impl<'a> GifFrames<'a> {
    fn open(bytes: &'a [u8], request: &Request<'_>) -> Result<Self, Error> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        // A frame may be larger than its canvas.
        let memory = request.limits.pixels.try_into().ok();
        options.set_memory_limit(memory.map_or(MemoryLimit::Unlimited, MemoryLimit::Bytes));
        let decoder = options.read_info(bytes).map_err(broken)?;
        let size = request.check_size(u32::from(decoder.width()), u32::from(decoder.height()))?;
        Ok(Self { decoder, canvas: Canvas::new(size) })
    }
}

impl Frames for GifFrames<'_> {
    fn next(&mut self) -> Result<Frame<'_>, Error> {
        let is_there = self.decoder.read_next_frame().map_err(broken)?.is_some();
        let frame = self.decoder.current_frame_info().filter(|_| is_there).ok_or_else(|| broken("it has no frame"))?;
        let colors = colors(self.decoder.palette().map_err(broken)?, frame.transparent);
        let rect = Rect {
            left: usize::from(frame.left),
            top: usize::from(frame.top),
            width: usize::from(frame.width),
            height: usize::from(frame.height),
        };
        let rows = frame.buffer.chunks_exact(rect.width.max(1));
        let rows = rows.map(|row| row.iter().map(|index| colors.get(usize::from(*index)).copied().unwrap_or_default()));
        let disposal = match frame.dispose {
            DisposalMethod::Any | DisposalMethod::Keep => Disposal::Keep,
            DisposalMethod::Background => Disposal::Clear,
            DisposalMethod::Previous => Disposal::Restore,
        };
        let duration = u32::from(frame.delay) * TICK;
        Ok(Frame { pixels: self.canvas.draw(rect, rows, over, disposal), duration })
    }
}

/// The pixels of a palette. An index that it does not have is transparent, too.
fn colors(palette: &[u8], transparent: Option<u8>) -> Vec<Pixel> {
    let colors = palette.as_chunks().0.iter().map(|[red, green, blue]| [*red, *green, *blue, u8::MAX]);
    let mut colors: Vec<Pixel> = colors.collect();
    if let Some(color) = transparent.and_then(|index| colors.get_mut(usize::from(index))) {
        *color = [0; 4];
    }
    colors
}
