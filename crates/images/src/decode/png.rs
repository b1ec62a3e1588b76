//! PNG. Of an animated one, the image that programs show which know no animation.

use super::{Decoded, Request, broken, exif};
use crate::{Error, color::MAX_PROFILE, pixels::Pixels, turn::Turn};
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;

/// How many bytes the decoder may use beside the pixels: for text, profiles and rows.
const MEMORY: usize = 16 << 20;

pub(super) fn decode(bytes: &[u8], request: &Request<'_>) -> Result<Decoded, Error> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MEMORY });
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let header = decoder.read_header_info().map_err(broken)?;
    let size = request.check_size(header.width, header.height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let info = reader.info();
    let icc = info.icc_profile.as_ref().filter(|profile| profile.len() <= MAX_PROFILE).map(|profile| profile.to_vec());
    let orientation = info.exif_metadata.as_ref().and_then(|exif| exif::orientation(exif));
    let is_interlaced = info.interlaced;
    let frames = info.animation_control.map_or(1, |animation| animation.num_frames);
    let (color, depth) = reader.output_color_type();
    if depth != BitDepth::Eight {
        return Err(broken("a depth of colours that is not expanded"));
    }
    let mut data = Vec::with_capacity(size.0 as usize * size.1 as usize * 4);
    if is_interlaced {
        let length = reader.output_buffer_size().ok_or_else(|| broken("too many bytes"))?;
        let mut all = vec![0; length];
        reader.next_frame(&mut all).map_err(broken)?;
        expand(color, &all, &mut data);
    } else {
        for _ in 0..size.1 {
            request.deadline.check()?;
            let row = reader.next_row().map_err(broken)?.ok_or_else(|| broken("rows are missing"))?;
            expand(color, row.data(), &mut data);
        }
    }
    if data.len() != size.0 as usize * size.1 as usize * 4 {
        return Err(broken("pixels are missing"));
    }
    let mut pixels =
        Pixels { width: size.0, height: size.1, data, is_opaque: matches!(color, ColorType::Grayscale | ColorType::Rgb) };
    pixels.look_for_transparency();
    Ok(Decoded { pixels, size, turn: Turn::upright(orientation.unwrap_or(1)), icc, frames })
}

/// Adds samples as pixels.
fn expand(color: ColorType, samples: &[u8], data: &mut Vec<u8>) {
    match color {
        ColorType::Grayscale | ColorType::Indexed => data.extend(samples.iter().flat_map(|gray| [*gray, *gray, *gray, u8::MAX])),
        ColorType::GrayscaleAlpha => {
            data.extend(samples.as_chunks().0.iter().flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]));
        }
        ColorType::Rgb => data.extend(samples.as_chunks().0.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, u8::MAX])),
        ColorType::Rgba => data.extend_from_slice(samples),
    }
}
