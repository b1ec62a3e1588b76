//! GIF.

use super::{Decoded, Request, broken};
use crate::{
    Error,
    pixels::{Pixel, Pixels},
    turn::Turn,
};
use gif::{ColorOutput, DecodeOptions, Decoder, MemoryLimit};

/// Decodes the first frame on its canvas.
pub(super) fn decode(bytes: &[u8], request: &Request<'_>) -> Result<Decoded, Error> {
    let mut decoder = open(bytes, ColorOutput::RGBA, request.limits.pixels)?;
    let size = request.check_size(u32::from(decoder.width()), u32::from(decoder.height()))?;
    let frame = decoder.read_next_frame().map_err(broken)?.ok_or_else(|| broken("it has no frame"))?;
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let mut pixels = Pixels::filled(size.0, size.1, [0; 4]);
    let rows: &[Pixel] = frame.buffer.as_chunks().0;
    let canvas = pixels.data.as_chunks_mut().0.chunks_exact_mut(size.0 as usize).skip(top);
    for (to, from) in canvas.zip(rows.chunks_exact(usize::from(frame.width.max(1)))) {
        to.iter_mut().skip(left).zip(from).for_each(|(to, from): (&mut Pixel, &Pixel)| *to = *from);
    }
    pixels.look_for_transparency();
    Ok(Decoded { pixels, size, turn: Turn::default(), icc: None })
}

/// Whether there is a second frame. No pixel is decoded for it.
pub(super) fn is_animated(bytes: &[u8]) -> bool {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    let Ok(mut decoder) = options.read_info(bytes) else { return false };
    (0..2).all(|_| matches!(decoder.next_frame_info(), Ok(Some(_))))
}

fn open(bytes: &[u8], output: ColorOutput, pixels: u64) -> Result<Decoder<&[u8]>, Error> {
    let mut options = DecodeOptions::new();
    options.set_color_output(output);
    let memory = pixels.saturating_mul(4).try_into().ok();
    options.set_memory_limit(memory.map_or(MemoryLimit::Unlimited, MemoryLimit::Bytes));
    options.read_info(bytes).map_err(broken)
}
