//! Encoding results.

mod animation;
mod avif;
mod jpeg;
mod png;
mod webp;

pub(crate) use animation::Animation;

use super::{Deadline, Error, pixels::Pixels};
use domain::content::image::{Color, Fill, Filters, Format};

/// The quality of a JPEG or a WebP when none is asked for.
const QUALITY: u8 = 80;
/// The same of an AVIF, whose scale is another one: this looks about as good.
const AVIF_QUALITY: u8 = 60;

/// Encodes an image. Where the format has no transparency, its fill or white shows through it.
pub(crate) fn encode(mut pixels: Pixels, format: Format, filters: &Filters, deadline: &Deadline) -> Result<Vec<u8>, Error> {
    pixels.look_for_transparency();
    let quality = filters.quality;
    match format {
        Format::Avif => avif::encode(&pixels, quality.unwrap_or(AVIF_QUALITY)),
        Format::Jpeg => {
            let color = match filters.fill {
                Some(Fill::Color(color)) => color,
                _ => Color::WHITE,
            };
            pixels.flatten(color.0);
            jpeg::encode(&pixels, quality.unwrap_or(QUALITY), deadline)
        }
        Format::Png => png::encode(&pixels, deadline),
        Format::Webp => webp::encode(&pixels, quality.unwrap_or(QUALITY), deadline),
    }
}

/// The error of an encoder.
fn failed(why: impl std::fmt::Display) -> Error {
    Error::Encoder(why.to_string())
}
