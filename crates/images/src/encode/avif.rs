//! AVIF, by rav1e. One call that cannot be stopped: the largest result takes some seconds.

use super::failed;
use crate::{Error, pixels::Pixels};
use ravif::{BitDepth, Encoder, Img};
use rgb::{RGB8, RGBA8};

/// Of 1 to 10. Slower ones save few bytes for the time that they take.
const SPEED: u8 = 9;

pub(super) fn encode(pixels: &Pixels, quality: u8) -> Result<Vec<u8>, Error> {
    let quality = f32::from(quality.max(1));
    let encoder = Encoder::new()
        .with_quality(quality)
        .with_alpha_quality(quality)
        .with_speed(SPEED)
        .with_bit_depth(BitDepth::Eight)
        .with_num_threads(Some(1));
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let outcome = if pixels.is_opaque {
        let all: Vec<RGB8> = pixels.pixels().iter().map(|[red, green, blue, _]| RGB8::new(*red, *green, *blue)).collect();
        encoder.encode_rgb(Img::new(&all, width, height))
    } else {
        let all: Vec<RGBA8> =
            pixels.pixels().iter().map(|[red, green, blue, alpha]| RGBA8::new(*red, *green, *blue, *alpha)).collect();
        encoder.encode_rgba(Img::new(&all, width, height))
    };
    Ok(outcome.map_err(failed)?.avif_file)
}
