//! Animated WebP: the chunks of its frames (RFC 9649, 2.7.1.1), each of which has an image of its own.

use super::{features, still};
use crate::{
    Error,
    decode::{
        Animation, Frame, Frames, Plays, broken,
        canvas::{Canvas, Disposal},
    },
    pixels::{Pixel, Pixels, Rect, over},
    riff,
    turn::Turn,
};

/// The name of a chunk with a frame.
const FRAME: [u8; 4] = *b"ANMF";
/// The bits of a frame's last byte before its image.
const CLEARS: u8 = 1;
const TAKES_PLACES: u8 = 1 << 1;

/// The frames on a canvas, if there is more than one.
pub(super) fn open(bytes: &[u8], size: (u32, u32)) -> Option<Animation<'_>> {
    let count = u32::try_from(chunks(bytes).count()).unwrap_or(u32::MAX);
    let times = riff::find(bytes, *b"ANIM").and_then(|header| header.get(4..6)).and_then(|times| times.try_into().ok());
    let plays = match times.map_or(0, u16::from_le_bytes) {
        0 => Plays::Forever,
        times => Plays::Times(times),
    };
    let source = Box::new(WebpFrames { chunks: Box::new(chunks(bytes)), canvas: Canvas::new(size) });
    // A frame lies within its canvas.
    let pixels = (u64::from(size.0) * u64::from(size.1)).saturating_mul(u64::from(count));
    Some(Animation { size, turn: Turn::default(), icc: None, count, pixels, plays, source }).filter(|found| found.count > 1)
}

/// The first frame on its canvas.
pub(super) fn first_frame(bytes: &[u8], size: (u32, u32)) -> Result<Pixels, Error> {
    let mut frames = WebpFrames { chunks: Box::new(chunks(bytes)), canvas: Canvas::new(size) };
    frames.next()?;
    Ok(frames.canvas.into_pixels())
}

fn chunks(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    riff::of_file(bytes).filter(|(name, _)| *name == FRAME).map(|(_, content)| content)
}

/// The frames, decoded one after the other.
struct WebpFrames<'a> {
    chunks: Box<dyn Iterator<Item = &'a [u8]> + 'a>,
    canvas: Canvas,
}

impl Frames for WebpFrames<'_> {
    fn next(&mut self) -> Result<Frame<'_>, Error> {
        let chunk = self.chunks.next().ok_or_else(|| broken("it has no frame"))?;
        let (head, image) = chunk.split_first_chunk::<16>().ok_or_else(|| broken("a frame without a header"))?;
        let [x, y, width, height, duration] = [0, 3, 6, 9, 12].map(|at| number(head, at));
        let rect = Rect { left: x * 2, top: y * 2, width: width + 1, height: height + 1 };
        let features = features(image).ok_or_else(|| broken("a frame without an image"))?;
        let is_as_it_says = [(features.width, rect.width), (features.height, rect.height)]
            .iter()
            .all(|(side, said)| usize::try_from(*side) == Ok(*said));
        if !is_as_it_says || !self.canvas.contains(rect) {
            return Err(broken("a frame of another size than it says"));
        }
        let pixels = still(image, &features)?;
        let [.., flags] = *head;
        let disposal = if flags & CLEARS == 0 { Disposal::Keep } else { Disposal::Clear };
        let mix = if flags & TAKES_PLACES == 0 { over } else { |top: Pixel, _: Pixel| top };
        let rows = pixels.rows().map(|row| row.iter().copied());
        let duration = u32::try_from(duration).unwrap_or(u32::MAX);
        Ok(Frame { pixels: self.canvas.draw(rect, rows, mix, disposal), duration })
    }
}

/// A number of 24 bits.
fn number(head: &[u8; 16], at: usize) -> usize {
    head.iter().skip(at).take(3).rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}
