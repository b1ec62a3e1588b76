//! What the frames of an animation are drawn upon, one after the other.
//!
//! ```text
//! frame n: what the frame before left is disposed of -> its rectangle is drawn -> the canvas is what is seen for its duration
//! ```
//!
//! GIF and WebP agree on this. Where a frame clears its rectangle, the canvas becomes transparent: both
//! formats have a colour for that, which no browser uses.

use crate::pixels::{Pixel, Pixels, Rect};

/// What happens to the rectangle of a frame before the next one is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disposal {
    Keep,
    Clear,
    /// It becomes what it was before. GIF only.
    Restore,
}

/// The canvas.
pub(super) struct Canvas {
    pixels: Pixels,
    before_next: Before,
}

/// What is to be done before the next frame is drawn.
enum Before {
    Nothing,
    Clear(Rect),
    Restore(Vec<u8>),
}

impl Canvas {
    /// A transparent canvas.
    pub(super) fn new((width, height): (u32, u32)) -> Self {
        Self { pixels: Pixels::filled(width, height, [0; 4]), before_next: Before::Nothing }
    }

    /// Whether a rectangle lies within it.
    pub(super) fn contains(&self, rect: Rect) -> bool {
        rect.left + rect.width <= self.pixels.width as usize && rect.top + rect.height <= self.pixels.height as usize
    }

    /// Draws a frame. Its pixels lie over those of the canvas, or take their places; what is outside of the
    /// canvas is left out.
    pub(super) fn draw<Row: Iterator<Item = Pixel>>(
        &mut self,
        rect: Rect,
        rows: impl Iterator<Item = Row>,
        mix: impl Fn(Pixel, Pixel) -> Pixel,
        disposal: Disposal,
    ) -> &Pixels {
        match std::mem::replace(&mut self.before_next, Before::Nothing) {
            Before::Nothing => {}
            Before::Clear(rect) => self.pixels.rows_mut(rect).for_each(|row| row.fill([0; 4])),
            Before::Restore(data) => self.pixels.data = data,
        }
        self.before_next = match disposal {
            Disposal::Keep => Before::Nothing,
            Disposal::Clear => Before::Clear(rect),
            Disposal::Restore => Before::Restore(self.pixels.data.clone()),
        };
        for (below, row) in self.pixels.rows_mut(rect).zip(rows) {
            for (below, top) in below.iter_mut().zip(row) {
                *below = mix(top, *below);
            }
        }
        self.pixels.is_opaque = false;
        self.pixels.look_for_transparency();
        &self.pixels
    }

    /// What is seen.
    pub(super) fn into_pixels(self) -> Pixels {
        self.pixels
    }
}
