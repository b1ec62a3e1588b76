//! Bringing an image to its size.

use super::{Error, pixels::Pixels, smart, turn::Turn};
use domain::content::image::{Placement, Region};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer, images::Image, images::ImageRef};

/// The part of an original's pixels that is used. The original has this size and is not turned upright yet; a
/// decoder may have returned fewer pixels than it has.
pub(crate) fn used(pixels: &Pixels, size: (u32, u32), turn: Turn, placement: &Placement, smart: bool) -> Region {
    let upright = turn.size(size);
    let scale = |all: u32, part: u32| f64::from(part) / f64::from(all.max(1));
    let (scale_x, scale_y) = (scale(size.0, pixels.width), scale(size.1, pixels.height));
    let in_pixels = |region: Region| {
        let region = turn.origin(region, upright);
        let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
        let (left, top) = ((region.left * scale_x).clamp(0.0, width), (region.top * scale_y).clamp(0.0, height));
        Region { left, top, width: (region.width * scale_x).min(width - left), height: (region.height * scale_y).min(height - top) }
    };
    let crop = in_pixels(placement.crop);
    if smart { smart::most_detailed(pixels, in_pixels(placement.base), crop) } else { crop }
}

/// A part of an image, at a size.
pub(crate) fn resize(pixels: &Pixels, crop: Region, (width, height): (u32, u32)) -> Result<Pixels, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Encoder(format!("resize: {error}"));
    let is_whole = (crop.width - f64::from(pixels.width)).abs() < 0.01 && (crop.height - f64::from(pixels.height)).abs() < 0.01;
    if is_whole && (width, height) == (pixels.width, pixels.height) {
        return Ok(pixels.clone());
    }
    let source = ImageRef::new(pixels.width, pixels.height, &pixels.data, PixelType::U8x4).map_err(|error| failed(&error))?;
    let mut target = Image::new(width, height, PixelType::U8x4);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(!pixels.is_opaque).crop(
        crop.left,
        crop.top,
        crop.width,
        crop.height,
    );
    Resizer::new().resize(&source, &mut target, &options).map_err(|error| failed(&error))?;
    Ok(Pixels { width, height, data: target.into_vec(), is_opaque: pixels.is_opaque })
}
