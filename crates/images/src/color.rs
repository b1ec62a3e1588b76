//! Colours: every result is in sRGB, which all browsers take an image without a profile for.

use super::pixels::Pixels;
use qcms::{DataType, Intent, Profile, Transform};

/// The largest colour profile that is read. Profiles of cameras and screens have a few kilobytes.
pub(crate) const MAX_PROFILE: usize = 1 << 20;

/// Where the header of a profile names its colour space (ICC.1, 7.2).
const COLOR_SPACE: std::ops::Range<usize> = 16..20;

/// Converts an image from its profile. A profile that cannot be read, or that is for other channels than red, green and blue, is left out.
pub(crate) fn to_srgb(pixels: &mut Pixels, profile: &[u8]) {
    if profile.get(COLOR_SPACE) != Some(b"RGB ") {
        return;
    }
    let Some(profile) = Profile::new_from_slice(profile, false) else { return };
    let mut srgb = Profile::new_sRGB();
    srgb.precache_output_transform();
    if let Some(transform) = Transform::new(&profile, &srgb, DataType::RGBA8, Intent::Perceptual) {
        transform.apply(&mut pixels.data);
    }
}
