//! Which part of an original becomes how large a result.

use super::{MAX_SIDE, Transformation, filters::pixels};
use std::fmt;

/// A rectangle in pixels of the original: `{left}x{top}:{right}x{bottom}`. It has at least one pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Area {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let corner = |text: &str| {
            let (x, y) = text.split_once('x')?;
            Some((pixels(x).filter(|_| !x.is_empty())?, pixels(y).filter(|_| !y.is_empty())?))
        };
        let (first, second) = text.split_once(':')?;
        let ((left, top), (right, bottom)) = (corner(first)?, corner(second)?);
        Some(Self { left, top, right, bottom }).filter(|area| area.left < area.right && area.top < area.bottom)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}:{}x{}", self.left, self.top, self.right, self.bottom)
    }
}

/// A part of an image. Its borders may lie within pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    pub left: f64,
    /// The upper border.
    pub top: f64,
    /// The width, more than 0.
    pub width: f64,
    /// The height, more than 0.
    pub height: f64,
}

/// What an image is laid upon that does not fill its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas {
    pub width: u32,
    pub height: u32,
}

/// How an original is brought to its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The part of the original that may be used.
    pub base: Region,
    /// The part of it that is used, in the proportions of the result. It may be moved within `base` where the
    /// result is to show what has most detail.
    pub crop: Region,
    /// The width that this part gets.
    pub width: u32,
    /// The height that it gets.
    pub height: u32,
    /// What it is laid upon, in the middle.
    pub canvas: Option<Canvas>,
}

impl Placement {
    /// How many pixels the result has.
    pub fn pixels(&self) -> u64 {
        let (width, height) = self.canvas.map_or((self.width, self.height), |canvas| (canvas.width, canvas.height));
        u64::from(width) * u64::from(height)
    }
}

impl Transformation {
    /// How an original of this width and height is brought to its size.
    pub fn place(&self, (width, height): (u32, u32)) -> Placement {
        let base = self.base(f64::from(width.max(1)), f64::from(height.max(1)));
        let (wanted_width, wanted_height) = (f64::from(self.width), f64::from(self.height));
        let whole = |scale: f64, canvas| {
            // Neither side may be too large.
            let most = f64::from(MAX_SIDE);
            let scale = scale.min(most / base.width).min(most / base.height);
            Placement { base, crop: base, width: side(base.width * scale), height: side(base.height * scale), canvas }
        };
        let keeps_size = self.filters.no_upscale || self.fits_in;
        let limited = |scale: f64| if keeps_size { scale.min(1.0) } else { scale };
        match (self.width, self.height) {
            (0, 0) => whole(1.0, None),
            (_, 0) => whole(limited(wanted_width / base.width), None),
            (0, _) => whole(limited(wanted_height / base.height), None),
            _ if self.fits_in => {
                let canvas = self.filters.fill.map(|_| Canvas { width: self.width, height: self.height });
                whole(limited((wanted_width / base.width).min(wanted_height / base.height)), canvas)
            }
            _ => self.cover(base, wanted_width, wanted_height),
        }
    }

    /// The part of the original that may be used: the crop, as far as it lies within the original.
    fn base(&self, width: f64, height: f64) -> Region {
        let whole = Region { left: 0.0, top: 0.0, width, height };
        let Some(crop) = self.crop else { return whole };
        let (left, top) = (f64::from(crop.left), f64::from(crop.top));
        let (right, bottom) = (f64::from(crop.right).min(width), f64::from(crop.bottom).min(height));
        if left < right && top < bottom { Region { left, top, width: right - left, height: bottom - top } } else { whole }
    }

    /// The largest part of the base that has the proportions of a size, around the focal point or in the
    /// middle.
    fn cover(&self, base: Region, mut width: f64, mut height: f64) -> Placement {
        if self.filters.no_upscale {
            (width, height) = (width.min(base.width), height.min(base.height));
        }
        let scale = (width / base.width).max(height / base.height);
        let (crop_width, crop_height) = ((width / scale).min(base.width), (height / scale).min(base.height));
        let middle = |from: u32, to: u32| f64::midpoint(f64::from(from), f64::from(to));
        let (x, y) = match self.filters.focal {
            Some(focal) => (middle(focal.left, focal.right), middle(focal.top, focal.bottom)),
            None => (base.left + base.width / 2.0, base.top + base.height / 2.0),
        };
        let begin = |middle: f64, part: f64, from: f64, all: f64| (middle - part / 2.0).clamp(from, (from + all - part).max(from));
        let crop = Region {
            left: begin(x, crop_width, base.left, base.width),
            top: begin(y, crop_height, base.top, base.height),
            width: crop_width,
            height: crop_height,
        };
        Placement { base, crop, width: side(width), height: side(height), canvas: None }
    }
}

/// A side in whole pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 1 and the largest side")]
fn side(length: f64) -> u32 {
    length.round().clamp(1.0, f64::from(MAX_SIDE)) as u32
}
