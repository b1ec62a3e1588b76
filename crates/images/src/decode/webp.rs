//! WebP, by libwebp. The calls of C are here and in `encode::webp`.
#![expect(unsafe_code, reason = "libwebp is C, and its well-kept Rust interface is the functions themselves")]

mod animation;

use super::{Animation, Decoded, Request, broken, exif};
use crate::{Error, color::MAX_PROFILE, pixels::Pixels, riff, turn::Turn};
use libwebp_sys::{VP8StatusCode, WebPBitstreamFeatures, WebPDecodeRGBAInto, WebPGetFeatures};
use std::mem::MaybeUninit;

/// Decodes an image, or the first frame of an animation on its canvas.
pub(super) fn decode(bytes: &[u8], request: &Request<'_>) -> Result<Decoded, Error> {
    let features = features(bytes).ok_or_else(|| broken("no WebP"))?;
    let size = size(&features, request)?;
    let pixels = if features.has_animation == 0 { still(bytes, &features)? } else { animation::first_frame(bytes, size)? };
    Ok(Decoded { pixels, size, turn: turn(bytes), icc: profile(bytes), frames: 1 })
}

/// Its frames, if it has more than one. They are counted, and none is decoded yet.
pub(super) fn animation<'a>(bytes: &'a [u8], request: &Request<'_>) -> Result<Option<Animation<'a>>, Error> {
    let features = features(bytes).ok_or_else(|| broken("no WebP"))?;
    let size = size(&features, request)?;
    if features.has_animation == 0 {
        return Ok(None);
    }
    Ok(animation::open(bytes, size).map(|opened| Animation { turn: turn(bytes), icc: profile(bytes), ..opened }))
}

/// The pixels of an image that does not move.
fn still(bytes: &[u8], features: &WebPBitstreamFeatures) -> Result<Pixels, Error> {
    let side = |number: i32| u32::try_from(number).map_err(broken);
    let (width, height) = (side(features.width)?, side(features.height)?);
    let stride = width as usize * 4;
    let mut data = vec![0_u8; stride * height as usize];
    let row_bytes = i32::try_from(stride).map_err(broken)?;
    // SAFETY: the two pointers are those of slices of the given lengths, which live until the call is over.
    let decoded = unsafe { WebPDecodeRGBAInto(bytes.as_ptr(), bytes.len(), data.as_mut_ptr(), data.len(), row_bytes) };
    if decoded.is_null() {
        return Err(broken("its pixels cannot be decoded"));
    }
    let mut pixels = Pixels { width, height, data, is_opaque: features.has_alpha == 0 };
    pixels.look_for_transparency();
    Ok(pixels)
}

/// The size, which is not too large.
fn size(features: &WebPBitstreamFeatures, request: &Request<'_>) -> Result<(u32, u32), Error> {
    let side = |number: i32| u32::try_from(number).map_err(broken);
    request.check_size(side(features.width)?, side(features.height)?)
}

fn turn(bytes: &[u8]) -> Turn {
    Turn::upright(riff::find(bytes, *b"EXIF").and_then(exif::orientation).unwrap_or(1))
}

fn profile(bytes: &[u8]) -> Option<Vec<u8>> {
    riff::find(bytes, *b"ICCP").filter(|profile| profile.len() <= MAX_PROFILE).map(<[u8]>::to_vec)
}

/// The header.
fn features(bytes: &[u8]) -> Option<WebPBitstreamFeatures> {
    let mut features = MaybeUninit::<WebPBitstreamFeatures>::zeroed();
    // SAFETY: the pointer and the length are those of a slice. The structure is plain numbers, for which
    // zeros are valid.
    unsafe {
        let status = WebPGetFeatures(bytes.as_ptr(), bytes.len(), features.as_mut_ptr());
        (status == VP8StatusCode::VP8_STATUS_OK).then(|| features.assume_init())
    }
}
