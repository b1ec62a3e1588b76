//! Colours: every result is in sRGB, which all browsers take an image without a profile for.

use super::pixels::Pixels;
use qcms::{DataType, Intent, Profile, Transform};

/// The largest colour profile that is read. Profiles of cameras and screens have a few kilobytes.
pub(crate) const MAX_PROFILE: usize = 1 << 20;

/// Where the header of a profile names its colour space (ICC.1, 7.2).
const COLOR_SPACE: std::ops::Range<usize> = 16..20;

/// What converts images from a profile.
pub(crate) struct ToSrgb(Transform);

impl ToSrgb {
    /// The conversion from a profile. There is none from one that cannot be read, or that is for other
    /// channels than red, green and blue.
    pub(crate) fn of(profile: &[u8]) -> Option<Self> {
        let profile = Some(profile).filter(|profile| profile.get(COLOR_SPACE) == Some(b"RGB "))?;
        let profile = Profile::new_from_slice(profile, false)?;
        let mut srgb = Profile::new_sRGB();
        srgb.precache_output_transform();
        Transform::new(&profile, &srgb, DataType::RGBA8, Intent::Perceptual).map(Self)
    }

    /// Converts an image.
    pub(crate) fn apply(&self, pixels: &mut Pixels) {
        self.0.apply(&mut pixels.data);
    }
}
