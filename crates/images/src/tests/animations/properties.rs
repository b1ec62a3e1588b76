//! What holds for all animations: frames are read as libwebp reads them, files show what was written into
//! them, and nothing that is uploaded breaks anything.

use super::{CLEAR, LIMITS, animation, read, rect, run};
use crate::{
    Error,
    decode::Plays,
    pixels::{Pixels, Rect},
    riff,
    tests::{BLUE, GREEN, RED, WHITE, encoded, libwebp},
};
use domain::content::image::{AnimationFormat, Format, SourceFormat};
use proptest::prelude::*;

/// A frame of an animated WebP, as its chunk has it.
#[derive(Debug, Clone)]
struct Chunk {
    rect: Rect,
    color: [u8; 4],
    duration: u16,
    flags: u8,
}

fn chunked((width, height): (usize, usize), chunks: &[Chunk]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes()[..3].to_vec();
    let mut file = b"RIFF\0\0\0\0WEBP".to_vec();
    riff::push(&mut file, *b"VP8X", &[vec![0x12, 0, 0, 0], number(width - 1), number(height - 1)].concat()).unwrap();
    riff::push(&mut file, *b"ANIM", &[0, 0, 0, 0, 5, 0]).unwrap();
    for Chunk { rect, color, duration, flags } in chunks {
        let places = [rect.left / 2, rect.top / 2, rect.width - 1, rect.height - 1, usize::from(*duration)].map(number);
        let mut content = [places.concat(), vec![*flags]].concat();
        let mut image = Pixels::filled(u32::try_from(rect.width).unwrap(), u32::try_from(rect.height).unwrap(), *color);
        image.look_for_transparency();
        let image = encoded(&image, Format::Webp);
        for (name, data) in riff::of_file(&image).filter(|(name, _)| name != b"VP8X") {
            riff::push(&mut content, name, data).unwrap();
        }
        riff::push(&mut file, *b"ANMF", &content).unwrap();
    }
    let size = u32::try_from(file.len() - 8).unwrap();
    file[4..8].copy_from_slice(&size.to_le_bytes());
    file
}

/// A rectangle within 24 by 16 pixels that begins at an even place.
fn rects() -> impl Strategy<Value = Rect> {
    (0_usize..12, 0_usize..8, 1_usize..=24, 1_usize..=16)
        .prop_map(|(x, y, width, height)| rect(x * 2, y * 2, width.min(24 - x * 2), height.min(16 - y * 2)))
}

/// Images of 24 by 16 pixels, each of which differs from the one before in a rectangle of one of the colours.
fn images(colors: &'static [[u8; 4]]) -> impl Strategy<Value = Vec<Pixels>> {
    let patch = (0_usize..24, 0_usize..16, 0_usize..24, 0_usize..16, prop::sample::select(colors));
    (prop::sample::select(colors), prop::collection::vec(patch, 1..6)).prop_map(|(color, patches)| {
        let mut image = Pixels::filled(24, 16, color);
        let mut images = vec![image.clone()];
        for (left, top, width, height, color) in patches {
            image.rows_mut(rect(left, top, width, height)).for_each(|row| row.fill(color));
            image.is_opaque = false;
            image.look_for_transparency();
            images.push(image.clone());
        }
        images
    })
}

/// The places up to two pixels away in an image of 24 by 16.
fn surroundings(at: usize) -> impl Iterator<Item = usize> {
    let (left, top) = (at % 24, at / 24);
    (top.saturating_sub(2)..=(top + 2).min(15))
        .flat_map(move |y| (left.saturating_sub(2)..=(left + 2).min(23)).map(move |x| y * 24 + x))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// All ways to blend and to clear, as libwebp shows them.
    #[test]
    fn frames_of_a_webp_are_those_that_libwebp_shows(
        chunks in prop::collection::vec(
            (rects(), any::<[u8; 3]>(), prop::sample::select(vec![0_u8, 90, 200, 255]), any::<u16>(), 0_u8..4)
                .prop_map(|(rect, [red, green, blue], alpha, duration, flags)| Chunk { rect, color: [red, green, blue, alpha], duration, flags }),
            2..7,
        ),
    ) {
        let file = chunked((24, 16), &chunks);
        let expected = libwebp::read(&file);
        let (plays, frames) = read(&file, SourceFormat::Webp);
        prop_assert_eq!((plays, expected.times), (Plays::Times(5), 5));
        prop_assert_eq!(frames.len(), expected.frames.len());
        for ((pixels, duration), (expected, its_duration)) in frames.iter().zip(&expected.frames) {
            prop_assert_eq!(i64::from(*duration), i64::from(*its_duration));
            for (found, expected) in pixels.pixels().iter().zip(expected.pixels()) {
                // libwebp rounds otherwise. The colour of what is not seen does not matter.
                let is_near = found[3].abs_diff(expected[3]) <= 2
                    && (expected[3] < 3 || found.iter().zip(expected).all(|(found, expected)| found.abs_diff(*expected) <= 4));
                prop_assert!(is_near, "{:?} instead of {:?}", found, expected);
            }
        }
    }

    /// A GIF of few colours shows exactly the images that it was made of.
    #[test]
    fn a_gif_shows_the_images_that_it_was_made_of(images in images(&[RED, GREEN, BLUE, WHITE, CLEAR])) {
        let (_, frames) = read(&animation(AnimationFormat::Gif, &images, 80), SourceFormat::Gif);
        prop_assert_eq!(frames.len(), images.len());
        for ((found, duration), expected) in frames.iter().zip(&images) {
            prop_assert_eq!(found.pixels(), expected.pixels());
            prop_assert_eq!(*duration, 40);
        }
    }

    /// A WebP shows them about so, to its own decoder. Colours of neighbours run into each other (two by two
    /// pixels share theirs), and stay where the next image changes nothing: compared are the places that
    /// never were beside another colour.
    #[test]
    fn a_webp_shows_the_images_that_it_was_made_of(images in images(&[[200, 60, 60, 255], [60, 60, 60, 255], [90, 90, 90, 120], CLEAR])) {
        let file = animation(AnimationFormat::Webp, &images, 100);
        let shown = libwebp::read(&file);
        prop_assert_eq!((shown.times, shown.frames.len()), (0, images.len()));
        let mut is_flat = [true; 24 * 16];
        for ((pixels, duration), expected) in shown.frames.iter().zip(&images) {
            prop_assert_eq!(*duration, 40);
            for (at, (found, expected_pixel)) in pixels.pixels().iter().zip(expected.pixels()).enumerate() {
                prop_assert!(found[3].abs_diff(expected_pixel[3]) <= 1, "transparency is kept without loss");
                is_flat[at] &= surroundings(at).all(|near| expected.pixels()[near] == *expected_pixel);
                let difference: u64 = (0..3).map(|at| u64::from(found[at].abs_diff(expected_pixel[at]))).sum();
                prop_assert!(!is_flat[at] || expected_pixel[3] == 0 || difference <= 24, "{} of 765 at {}", difference, at);
            }
        }
    }

    /// What strangers upload ends as a result or as an error.
    #[test]
    fn a_file_with_changed_bytes_is_a_result_or_an_error(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), is_gif in any::<bool>()) {
        let format = if is_gif { AnimationFormat::Gif } else { AnimationFormat::Webp };
        let mut file = animation(format, &[Pixels::filled(24, 16, RED), Pixels::filled(24, 16, GREEN)], 80);
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let source = if is_gif { SourceFormat::Gif } else { SourceFormat::Webp };
        let outcome = run(&file, source, "12x0", true, LIMITS);
        prop_assert!(!matches!(outcome, Err(Error::Encoder(_) | Error::OutOfTime)), "{:?}", outcome);
    }
}
