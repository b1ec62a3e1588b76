//! WebP, by libwebp. The calls of C are here and in `encode::webp`.
#![expect(unsafe_code, reason = "libwebp is C, and its well-kept Rust interface is the functions themselves")]

use super::{Decoded, Request, broken, exif, riff};
use crate::{Error, color::MAX_PROFILE, pixels::Pixels, turn::Turn};
use libwebp_sys::{VP8StatusCode, WebPBitstreamFeatures, WebPDecodeRGBAInto, WebPGetFeatures};
use std::mem::MaybeUninit;

pub(super) fn decode(bytes: &[u8], request: &Request<'_>) -> Result<Decoded, Error> {
    let features = features(bytes).ok_or_else(|| broken("no WebP"))?;
    if features.has_animation != 0 {
        return Err(broken("an animated WebP shows no single frame"));
    }
    let side = |number: i32| u32::try_from(number).map_err(broken);
    let (width, height) = request.check_size(side(features.width)?, side(features.height)?)?;
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
    let orientation = riff::chunk(bytes, *b"EXIF").and_then(exif::orientation);
    let icc = riff::chunk(bytes, *b"ICCP").filter(|profile| profile.len() <= MAX_PROFILE).map(<[u8]>::to_vec);
    Ok(Decoded { pixels, size: (width, height), turn: Turn::upright(orientation.unwrap_or(1)), icc })
}

/// Whether it has frames.
pub(super) fn is_animated(bytes: &[u8]) -> bool {
    features(bytes).is_some_and(|features| features.has_animation != 0)
}

/// The header.
fn features(bytes: &[u8]) -> Option<WebPBitstreamFeatures> {
    let mut features = MaybeUninit::<WebPBitstreamFeatures>::zeroed();
    // SAFETY: the pointer and the length are those of a slice. The structure is plain numbers, for which zeros are valid.
    unsafe {
        let status = WebPGetFeatures(bytes.as_ptr(), bytes.len(), features.as_mut_ptr());
        (status == VP8StatusCode::VP8_STATUS_OK).then(|| features.assume_init())
    }
}
