//! JPEG.

use super::{Decoded, Request, broken, exif};
use crate::{
    Error,
    color::MAX_PROFILE,
    pixels::{Pixels, byte},
    turn::Turn,
};
use mozjpeg::{ColorSpace, Decompress, Marker};

/// The beginning of the markers that contain a colour profile (ICC.1, annex B.4), before their number and how
/// many there are.
const PROFILE: &[u8] = b"ICC_PROFILE\0";
/// How many rows are decoded between two looks at the deadline.
const ROWS: usize = 64;

/// Decodes at the smallest scale that has enough pixels.
pub(super) fn decode(bytes: &[u8], request: &Request<'_>) -> Result<Decoded, Error> {
    let mut header = Decompress::with_markers(&[Marker::APP(1), Marker::APP(2)]).from_mem(bytes).map_err(broken)?;
    let pixels_of = |number: usize| u32::try_from(number).map_err(broken);
    let size = request.check_size(pixels_of(header.width())?, pixels_of(header.height())?)?;
    let orientation = header.markers().find_map(|marker| match marker.marker {
        Marker::APP(1) if marker.data.starts_with(b"Exif\0\0") => exif::orientation(marker.data),
        _ => None,
    });
    let turn = Turn::upright(orientation.unwrap_or(1));
    let icc = profile(header.markers().map(|marker| marker.data));
    let eighths = scale(size, turn, request);
    header.scale(eighths);
    // Where the image is scaled down afterwards, the better way to scale up its colours shows nowhere.
    header.do_fancy_upsampling(eighths == 8 && !is_smaller(size, turn, request));
    let is_cmyk = matches!(header.color_space(), ColorSpace::JCS_CMYK | ColorSpace::JCS_YCCK);
    let space = if is_cmyk { ColorSpace::JCS_CMYK } else { ColorSpace::JCS_EXT_RGBA };
    let mut started = header.to_colorspace(space).map_err(broken)?;
    let (width, height) = (pixels_of(started.width())?, pixels_of(started.height())?);
    let mut data = vec![0_u8; started.width() * started.height() * 4];
    for rows in data.chunks_mut(started.width() * 4 * ROWS) {
        request.deadline.check()?;
        started.read_scanlines_into(rows).map_err(broken)?;
    }
    // What follows the last row does not matter.
    drop(started.finish());
    let mut pixels = Pixels { width, height, data, is_opaque: true };
    if is_cmyk {
        from_cmyk(&mut pixels);
    }
    Ok(Decoded { pixels, size, turn, icc: icc.filter(|_| !is_cmyk), frames: 1 })
}

/// By how much the image is scaled down at least, for its result.
fn reduction(size: (u32, u32), turn: Turn, request: &Request<'_>) -> f64 {
    let placement = request.transformation.place(turn.size(size));
    (placement.crop.width / f64::from(placement.width)).min(placement.crop.height / f64::from(placement.height))
}

/// The scale in eighths. Only these four are computed with vector instructions.
fn scale(size: (u32, u32), turn: Turn, request: &Request<'_>) -> u8 {
    match reduction(size, turn, request) {
        by if by >= 8.0 => 1,
        by if by >= 4.0 => 2,
        by if by >= 2.0 => 4,
        _ => 8,
    }
}

fn is_smaller(size: (u32, u32), turn: Turn, request: &Request<'_>) -> bool {
    reduction(size, turn, request) > 1.2
}

/// The colour profile, put together of its parts.
fn profile<'a>(markers: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let mut parts: Vec<(u8, &[u8])> =
        markers.filter_map(|data| data.strip_prefix(PROFILE)).filter_map(|data| Some((*data.first()?, data.get(2..)?))).collect();
    parts.sort_by_key(|(number, _)| *number);
    let profile: Vec<u8> = parts.into_iter().flat_map(|(_, part)| part).copied().take(MAX_PROFILE + 1).collect();
    Some(profile).filter(|profile| !profile.is_empty() && profile.len() <= MAX_PROFILE)
}

/// Converts inks to colours. Adobe's programs store the inks inverted, and all others follow them.
fn from_cmyk(pixels: &mut Pixels) {
    for pixel in pixels.pixels_mut() {
        let [cyan, magenta, yellow, black] = pixel.map(u32::from);
        let mix = |ink: u32| byte((ink * black + 127) / 255);
        *pixel = [mix(cyan), mix(magenta), mix(yellow), u8::MAX];
    }
}
