//! AVIF, by rav1e. One call that cannot be stopped: the largest result takes some seconds.
//!
//! rav1e is called by itself and not through ravif, which has it look for the best deringing filter (CDEF) at
//! this speed: a quarter of the time, for a quarter of a decibel at the quality that results have by default.

use super::failed;
use crate::{
    Error,
    pixels::{Pixel, Pixels},
};
use avif_serialize::{Aviffy, constants};
use rav1e::prelude::{
    BlockSize, ChromaSampling, ColorDescription, ColorPrimaries, Config, Context, EncoderConfig, EncoderStatus, MatrixCoefficients,
    PartitionRange, PixelRange, Rational, SceneDetectionSpeed, SpeedSettings, TransferCharacteristics, Tune,
};
use std::borrow::Cow;

/// rav1e's, of 1 to 10. Slower ones save few bytes for the time that they take.
const SPEED: u8 = 9;

/// What the colours are, for decoders.
const SRGB: ColorDescription = ColorDescription {
    color_primaries: ColorPrimaries::BT709,
    transfer_characteristics: TransferCharacteristics::SRGB,
    matrix_coefficients: MatrixCoefficients::BT601,
};

pub(super) fn encode(pixels: &Pixels, quality: u8) -> Result<Vec<u8>, Error> {
    let color = av1(pixels, quality, ChromaSampling::Cs444, &planes(&filled(pixels)))?;
    let alpha = || pixels.pixels().iter().map(|[.., alpha]| *alpha).collect();
    let alpha = (!pixels.is_opaque).then(|| av1(pixels, quality, ChromaSampling::Cs400, &[alpha()])).transpose()?;
    let mut file = Aviffy::new();
    file.set_matrix_coefficients(constants::MatrixCoefficients::Bt601).set_full_color_range(true);
    Ok(file.to_vec(&color, alpha.as_deref(), pixels.width, pixels.height, 8))
}

/// A still picture of these planes, each as large as the image.
fn av1(pixels: &Pixels, quality: u8, chroma_sampling: ChromaSampling, planes: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let quantizer = quantizer(quality);
    let still = EncoderConfig {
        width,
        height,
        time_base: Rational::new(1, 1),
        chroma_sampling,
        pixel_range: PixelRange::Full,
        color_description: (chroma_sampling != ChromaSampling::Cs400).then_some(SRGB),
        still_picture: true,
        min_key_frame_interval: 0,
        max_key_frame_interval: 0,
        low_latency: false,
        quantizer: usize::from(quantizer),
        min_quantizer: quantizer,
        tune: Tune::Psychovisual,
        speed_settings: speed_settings(),
        ..EncoderConfig::default()
    };
    let mut encoder: Context<u8> = Config::new().with_encoder_config(still).with_threads(1).new_context().map_err(failed)?;
    let mut frame = encoder.new_frame();
    for (plane, samples) in frame.planes.iter_mut().zip(planes) {
        plane.copy_from_raw_u8(samples, width, 1);
    }
    encoder.send_frame(frame).map_err(failed)?;
    encoder.flush();
    loop {
        match encoder.receive_packet() {
            Ok(packet) => return Ok(packet.data),
            Err(EncoderStatus::Encoded) => {}
            Err(status) => return Err(failed(status)),
        }
    }
}

/// What is good for one frame, which is like no other.
fn speed_settings() -> SpeedSettings {
    let mut settings = SpeedSettings::from_preset(SPEED);
    settings.multiref = false;
    settings.rdo_lookahead_frames = 1;
    settings.scene_detection_mode = SceneDetectionSpeed::None;
    settings.cdef = false;
    settings.fast_deblock = false;
    settings.partition.partition_range = PartitionRange::new(BlockSize::BLOCK_16X16, BlockSize::BLOCK_16X16);
    settings.prediction.fine_directional_intra = false;
    settings.motion.use_satd_subpel = false;
    settings
}

/// rav1e's scale from 0, without loss, to 255, for a quality of 1 to 100: the one that ravif and cavif have,
/// by which 80 looks about as 80 does in a JPEG.
fn quantizer(quality: u8) -> u8 {
    let quality = f32::from(quality.clamp(1, 100)) / 100.0;
    let coarseness = if quality >= 0.82 {
        (1.0 - quality) * 2.6
    } else if quality > 0.25 {
        0.875 - quality / 2.0
    } else {
        1.0 - quality
    };
    rounded(coarseness * 255.0)
}

/// Brightness, blue and red of the pixels (YCbCr by BT.601, full range).
fn planes(pixels: &[Pixel]) -> [Vec<u8>; 3] {
    let [mut brightness, mut blueness, mut redness] = [(); 3].map(|()| Vec::with_capacity(pixels.len()));
    for [red, green, blue, _] in pixels {
        let [red, green, blue] = [red, green, blue].map(|sample| f32::from(*sample));
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue;
        brightness.push(rounded(luma));
        blueness.push(rounded((blue - luma) / 1.772 + 128.0));
        redness.push(rounded((red - luma) / 1.402 + 128.0));
    }
    [brightness, blueness, redness]
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` keeps what is beyond the ends at them")]
fn rounded(sample: f32) -> u8 {
    sample.round() as u8
}

/// The pixels, where invisible ones have the colour of a visible one beside them: an edge between them would
/// cost bytes, and leave its traces on what is visible.
fn filled(pixels: &Pixels) -> Cow<'_, [Pixel]> {
    if pixels.is_opaque {
        return Cow::Borrowed(pixels.pixels());
    }
    let mut all = pixels.pixels().to_vec();
    let width = pixels.width as usize;
    for row in all.chunks_exact_mut(width) {
        let Some(mut beside) = row.iter().copied().find(|pixel| is_visible(*pixel)) else { continue };
        for pixel in row {
            let [red, green, blue, _] = beside;
            match pixel {
                [.., 0] => *pixel = [red, green, blue, 0],
                _ => beside = *pixel,
            }
        }
    }
    fill(all.chunks_exact_mut(width));
    fill(all.chunks_exact_mut(width).rev());
    Cow::Owned(all)
}

/// Gives invisible rows what the row before has.
fn fill<'a>(rows: impl Iterator<Item = &'a mut [Pixel]>) {
    let mut before: Option<&mut [Pixel]> = None;
    for row in rows {
        if row.iter().copied().any(is_visible) {
            before = Some(row);
        } else if let Some(before) = &before {
            for (pixel, [red, green, blue, _]) in row.iter_mut().zip(before.iter()) {
                *pixel = [*red, *green, *blue, 0];
            }
        }
    }
}

fn is_visible([.., alpha]: Pixel) -> bool {
    alpha > 0
}

#[cfg(test)]
mod tests {
    use super::{encode, filled, planes, quantizer};
    use crate::pixels::{Pixel, Pixels};
    use proptest::prelude::*;

    #[test]
    fn a_better_quality_is_a_finer_quantizer() {
        let all: Vec<u8> = (1..=100).map(quantizer).collect();
        assert!(all.is_sorted_by(|one, next| one >= next), "{all:?}");
        assert_eq!((quantizer(0), quantizer(1), quantizer(100)), (252, 252, 0));
    }

    #[test]
    fn colours_become_brightness_blue_and_red() {
        let pixels = [[255, 255, 255, 255], [0, 0, 0, 255], [255, 0, 0, 255], [0, 0, 255, 255]];
        assert_eq!(planes(&pixels), [vec![255, 0, 76, 29], vec![128, 128, 85, 255], vec![128, 128, 255, 107]]);
    }

    #[test]
    fn invisible_pixels_have_the_colour_of_what_is_beside_them() {
        let [red, blue, nothing] = [[255, 0, 0, 255], [0, 0, 255, 9], [1, 2, 3, 0]];
        let [hidden_red, hidden_blue] = [[255, 0, 0, 0], [0, 0, 255, 0]];
        let mut pixels = Pixels::filled(3, 4, nothing);
        for (pixel, color) in pixels.pixels_mut().iter_mut().skip(3).zip([nothing, red, nothing, nothing, nothing, nothing, blue]) {
            *pixel = color;
        }
        let rows = [[hidden_red; 3], [hidden_red, red, hidden_red], [hidden_blue; 3], [blue, hidden_blue, hidden_blue]];
        assert_eq!(filled(&pixels).as_ref(), rows.concat());
    }

    fn image(width: u32, visible: &[bool], behind: &[Pixel]) -> Pixels {
        let height = u32::try_from(visible.len()).unwrap() / width;
        let mut pixels = Pixels::filled(width, height, [0; 4]);
        for ((pixel, visible), [red, green, blue, _]) in pixels.pixels_mut().iter_mut().zip(visible).zip(behind) {
            *pixel = if *visible { [200, 100, 50, 255] } else { [*red, *green, *blue, 0] };
        }
        pixels
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// The colours of invisible pixels change no byte, and an image of any size is encoded.
        #[test]
        fn invisible_pixels_cost_nothing(width in 1_u32..40, seen in prop::collection::vec(any::<bool>(), 40..400), noise: [Pixel; 7]) {
            let seen = &seen[..seen.len() / width as usize * width as usize];
            prop_assume!(seen.contains(&true));
            let black = vec![[0; 4]; seen.len()];
            let noise: Vec<Pixel> = noise.iter().copied().cycle().take(seen.len()).collect();
            let [one, other] = [black, noise].map(|behind| encode(&image(width, seen, &behind), 60).unwrap());
            prop_assert_eq!(one, other);
        }
    }
}
