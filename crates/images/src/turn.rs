//! Turning and mirroring.

use super::pixels::{Pixel, Pixels};
use domain::content::image::Region;

/// One of the eight ways to lay a rectangle upon itself: first rows become columns, then it is mirrored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Turn {
    is_transposed: bool,
    flips_x: bool,
    flips_y: bool,
}

impl Turn {
    /// A quarter against the clock.
    pub(crate) const QUARTER: Self = Self { is_transposed: true, flips_x: false, flips_y: true };
    /// A half.
    pub(crate) const HALF: Self = Self { is_transposed: false, flips_x: true, flips_y: true };
    /// Three quarters against the clock.
    pub(crate) const THREE_QUARTERS: Self = Self { is_transposed: true, flips_x: true, flips_y: false };

    /// Mirrors.
    pub(crate) const fn flips(flips_x: bool, flips_y: bool) -> Self {
        Self { is_transposed: false, flips_x, flips_y }
    }

    /// What turns an image upright, by the number of its EXIF tag `Orientation`.
    pub(crate) const fn upright(orientation: u16) -> Self {
        let (is_transposed, flips_x, flips_y) = match orientation {
            2 => (false, true, false),
            3 => (false, true, true),
            4 => (false, false, true),
            5 => (true, false, false),
            6 => (true, true, false),
            7 => (true, true, true),
            8 => (true, false, true),
            _ => (false, false, false),
        };
        Self { is_transposed, flips_x, flips_y }
    }

    /// The size of an image of this size after the turn; and the reverse.
    pub(crate) const fn size(self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.is_transposed { (height, width) } else { (width, height) }
    }

    /// The part of the image that becomes a part of the turned one, which has this size.
    pub(crate) fn origin(self, region: Region, (width, height): (u32, u32)) -> Region {
        let Region { mut left, mut top, width: part_width, height: part_height } = region;
        if self.flips_x {
            left = f64::from(width) - left - part_width;
        }
        if self.flips_y {
            top = f64::from(height) - top - part_height;
        }
        if self.is_transposed {
            Region { left: top, top: left, width: part_height, height: part_width }
        } else {
            Region { left, top, width: part_width, height: part_height }
        }
    }

    /// The turned image.
    pub(crate) fn apply(self, pixels: Pixels) -> Pixels {
        if self == Self::default() {
            return pixels;
        }
        let (width, height) = self.size((pixels.width, pixels.height));
        let mut data: Vec<Pixel> = Vec::with_capacity(pixels.pixels().len());
        let all = pixels.pixels();
        let mut add = |number: usize| {
            if self.is_transposed {
                extend(&mut data, all.iter().skip(number).step_by(pixels.width as usize), self.flips_x);
            } else {
                let row = all.chunks_exact(pixels.width as usize).nth(number).unwrap_or_default();
                extend(&mut data, row.iter(), self.flips_x);
            }
        };
        if self.flips_y {
            (0..height as usize).rev().for_each(&mut add);
        } else {
            (0..height as usize).for_each(&mut add);
        }
        Pixels { width, height, data: data.into_flattened(), is_opaque: pixels.is_opaque }
    }
}

fn extend<'a>(data: &mut Vec<Pixel>, row: impl DoubleEndedIterator<Item = &'a Pixel> + ExactSizeIterator, is_reversed: bool) {
    if is_reversed {
        data.extend(row.rev());
    } else {
        data.extend(row);
    }
}
