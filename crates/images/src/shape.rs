//! Everything between decoding and encoding.

use super::{Deadline, Error, color::ToSrgb, filters, pixels::Pixels, resize, round_corner, turn::Turn};
use domain::content::image::{Fill, Placement, Region, Rotation, Transformation};

/// What is done to an original, to each of its frames alike.
pub(crate) struct Shape<'a> {
    transformation: &'a Transformation,
    size: (u32, u32),
    turn: Turn,
    placement: Placement,
    color: Option<ToSrgb>,
    /// The part that is used, in the pixels of the first frame: `smart` must not jump from frame to frame.
    used: Option<Region>,
}

impl<'a> Shape<'a> {
    /// The shape of the result of an original of this size, with what turns it upright, and its colour
    /// profile.
    pub(crate) fn new(transformation: &'a Transformation, size: (u32, u32), turn: Turn, icc: Option<&[u8]>) -> Self {
        let placement = transformation.place(turn.size(size));
        Self { transformation, size, turn, placement, color: icc.and_then(ToSrgb::of), used: None }
    }

    /// The part of a frame that is used, at its size, not turned upright yet.
    pub(crate) fn resize(&mut self, pixels: &Pixels) -> Result<Pixels, Error> {
        let is_smart = self.transformation.smart && self.transformation.filters.focal.is_none();
        let find = || resize::used(pixels, self.size, self.turn, &self.placement, is_smart);
        let used = *self.used.get_or_insert_with(find);
        resize::resize(pixels, used, self.turn.size((self.placement.width, self.placement.height)))
    }

    /// What follows that: colours, filters, canvas and corners.
    pub(crate) fn finish(&self, mut pixels: Pixels, deadline: &Deadline) -> Result<Pixels, Error> {
        let filters = &self.transformation.filters;
        if let Some(color) = &self.color {
            color.apply(&mut pixels);
        }
        pixels = self.turn.apply(pixels);
        if filters.grayscale {
            filters::grayscale(&mut pixels);
        }
        if filters.brightness != 0 {
            filters::brightness(&mut pixels, filters.brightness);
        }
        if let Some(blur) = filters.blur {
            filters::blur(&mut pixels, blur, deadline)?;
        }
        pixels = Turn::flips(self.transformation.flips_x, self.transformation.flips_y).apply(pixels);
        if let Some(canvas) = self.placement.canvas {
            let color = match filters.fill {
                Some(Fill::Color(color)) => color.0,
                _ => [0; 4],
            };
            pixels = pixels.laid_upon(canvas.width, canvas.height, color);
        }
        pixels = match filters.rotation {
            Rotation::None => pixels,
            Rotation::Quarter => Turn::QUARTER.apply(pixels),
            Rotation::Half => Turn::HALF.apply(pixels),
            Rotation::ThreeQuarters => Turn::THREE_QUARTERS.apply(pixels),
        };
        if let Some(corner) = filters.round_corner {
            round_corner::round(&mut pixels, corner);
        }
        Ok(pixels)
    }
}
