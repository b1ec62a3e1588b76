//! Images in memory, through all of [`transform`].

mod animations;
mod libwebp;

use super::{Deadline, Encoded, Error, Limits, color::ToSrgb, decode, pixels::Pixels, transform};
use domain::content::image::{Filters, Format, ImageTarget, SourceFormat, Transformation};
use std::time::Duration;

const LIMITS: Limits = Limits { pixels: 1_000_000 };

fn deadline() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

/// An image of four fields: red, green, blue and white.
fn fields(width: u32, height: u32) -> Pixels {
    let color = |x: u32, y: u32| match (x < width / 2, y < height / 2) {
        (true, true) => [255, 0, 0, 255],
        (false, true) => [0, 255, 0, 255],
        (true, false) => [0, 0, 255, 255],
        (false, false) => [255, 255, 255, 255],
    };
    let data = (0..height).flat_map(|y| (0..width).flat_map(move |x| color(x, y))).collect();
    Pixels { width, height, data, is_opaque: true }
}

fn encoded(pixels: &Pixels, format: Format) -> Vec<u8> {
    super::encode::encode(pixels.clone(), format, &Filters { quality: Some(95), ..Filters::default() }, &deadline()).unwrap()
}

fn source(format: Format) -> SourceFormat {
    match format {
        Format::Jpeg => SourceFormat::Jpeg,
        Format::Png => SourceFormat::Png,
        Format::Webp => SourceFormat::Webp,
        Format::Avif => panic!("AVIF is not decoded"),
    }
}

fn decoded(bytes: &[u8], format: Format) -> Pixels {
    let transformation = Transformation::default();
    let request = decode::Request { limits: LIMITS, deadline: &deadline(), transformation: &transformation };
    decode::decode(source(format), bytes, &request).unwrap().pixels
}

/// A PNG, transformed into a PNG.
fn png(original: &Pixels, path: &str) -> Pixels {
    let bytes = encoded(original, Format::Png);
    let transformation = Transformation::parse(path).unwrap();
    let result =
        transform(&bytes, SourceFormat::Png, &transformation, ImageTarget::still(Format::Png), LIMITS, &deadline()).unwrap();
    decoded(&result.bytes, Format::Png)
}

fn at(pixels: &Pixels, x: u32, y: u32) -> [u8; 4] {
    pixels.pixels()[(y * pixels.width + x) as usize]
}

#[track_caller]
fn assert_near(pixels: &Pixels, x: u32, y: u32, expected: [u8; 4]) {
    let found = at(pixels, x, y);
    let is_near = found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) <= 12);
    assert!(is_near, "({x}, {y}) of {}x{}: {found:?} instead of {expected:?}", pixels.width, pixels.height);
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];

#[test]
fn every_format_is_written_and_all_but_avif_are_read() {
    let original = fields(64, 48);
    for from in [Format::Jpeg, Format::Png, Format::Webp] {
        let bytes = encoded(&original, from);
        for to in [Format::Jpeg, Format::Png, Format::Webp, Format::Avif] {
            let half = Transformation::parse("32x0").unwrap();
            let Encoded { bytes, content_type, .. } =
                transform(&bytes, source(from), &half, ImageTarget::still(to), LIMITS, &deadline()).unwrap();
            assert_eq!(content_type, to.content_type());
            if to == Format::Avif {
                assert_eq!(bytes.get(4..12), Some(&b"ftypavif"[..]));
                continue;
            }
            let result = decoded(&bytes, to);
            assert_eq!((result.width, result.height), (32, 24), "{from:?} {to:?}");
            assert_near(&result, 6, 6, RED);
            assert_near(&result, 26, 6, GREEN);
            assert_near(&result, 6, 20, BLUE);
            assert_near(&result, 26, 20, WHITE);
        }
    }
}

#[test]
fn a_jpeg_is_decoded_at_a_smaller_scale_with_the_same_picture() {
    let bytes = encoded(&fields(800, 600), Format::Jpeg);
    for (path, size) in
        [("100x0", (100, 75)), ("90x0", (90, 68)), ("200x0", (200, 150)), ("100x100", (100, 100)), ("400x0", (400, 300))]
    {
        let transformation = Transformation::parse(path).unwrap();
        let result =
            transform(&bytes, SourceFormat::Jpeg, &transformation, ImageTarget::still(Format::Png), LIMITS, &deadline()).unwrap();
        let result = decoded(&result.bytes, Format::Png);
        assert_eq!((result.width, result.height), size);
        assert_near(&result, 5, 5, RED);
        assert_near(&result, size.0 - 5, 5, GREEN);
        assert_near(&result, 5, size.1 - 5, BLUE);
    }
}

#[test]
fn images_are_turned_and_mirrored() {
    let original = fields(40, 20);
    let corners = |path: &str| {
        let result = png(&original, path);
        let (right, bottom) = (result.width - 1, result.height - 1);
        (
            (result.width, result.height),
            [at(&result, 0, 0), at(&result, right, 0), at(&result, 0, bottom), at(&result, right, bottom)],
        )
    };
    assert_eq!(corners(""), ((40, 20), [RED, GREEN, BLUE, WHITE]));
    assert_eq!(corners("-0x0"), ((40, 20), [GREEN, RED, WHITE, BLUE]));
    assert_eq!(corners("0x-0"), ((40, 20), [BLUE, WHITE, RED, GREEN]));
    assert_eq!(corners("filters:rotate(90)"), ((20, 40), [GREEN, WHITE, RED, BLUE]));
    assert_eq!(corners("filters:rotate(180)"), ((40, 20), [WHITE, BLUE, GREEN, RED]));
    assert_eq!(corners("filters:rotate(270)"), ((20, 40), [BLUE, RED, WHITE, GREEN]));
}

#[test]
fn a_jpeg_is_shown_upright_whatever_its_orientation() {
    let upright = fields(64, 32);
    let jpeg = encoded(&upright, Format::Jpeg);
    for (orientation, corners) in [
        (1, [RED, GREEN, BLUE, WHITE]),
        (2, [GREEN, RED, WHITE, BLUE]),
        (3, [WHITE, BLUE, GREEN, RED]),
        (4, [BLUE, WHITE, RED, GREEN]),
        (5, [RED, BLUE, GREEN, WHITE]),
        (6, [BLUE, RED, WHITE, GREEN]),
        (7, [WHITE, GREEN, BLUE, RED]),
        (8, [GREEN, WHITE, RED, BLUE]),
    ] {
        let mut exif = b"\xff\xe1\0\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
        exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
        let mut bytes = jpeg[..2].to_vec();
        bytes.extend(&exif);
        bytes.extend(&jpeg[2..]);
        let (width, height) = if orientation > 4 { (32, 64) } else { (64, 32) };
        for (path, scale) in [("", 1), ("filters:strip_exif()", 1), (if orientation > 4 { "16x0" } else { "32x0" }, 2)] {
            let transformation = Transformation::parse(path).unwrap();
            let result =
                transform(&bytes, SourceFormat::Jpeg, &transformation, ImageTarget::still(Format::Jpeg), LIMITS, &deadline())
                    .unwrap();
            assert!(!result.bytes.windows(4).any(|bytes| bytes == b"Exif"));
            let result = decoded(&result.bytes, Format::Jpeg);
            assert_eq!((result.width, result.height), (width / scale, height / scale), "{orientation}");
            let (right, bottom) = (result.width - 3, result.height - 3);
            for ((x, y), color) in [(3, 3), (right, 3), (3, bottom), (right, bottom)].into_iter().zip(corners) {
                assert_near(&result, x, y, color);
            }
        }
        // The half on the left, cut out in the coordinates of the picture as it is seen.
        let left = Transformation::parse(&format!("0x0:{}x{height}", width / 2)).unwrap();
        let result = transform(&bytes, SourceFormat::Jpeg, &left, ImageTarget::still(Format::Png), LIMITS, &deadline()).unwrap();
        let result = decoded(&result.bytes, Format::Png);
        assert_near(&result, 3, 3, corners[0]);
        assert_near(&result, result.width - 4, result.height - 4, corners[2]);
    }
}

#[test]
fn filters_change_colours_as_they_say() {
    let original = fields(40, 40);
    let gray = png(&original, "filters:grayscale()");
    assert_eq!([at(&gray, 0, 0), at(&gray, 39, 0)], [[76, 76, 76, 255], [150, 150, 150, 255]]);
    let bright = png(&original, "filters:brightness(20)");
    assert_eq!([at(&bright, 0, 0), at(&bright, 39, 39)], [[255, 51, 51, 255], WHITE]);
    let dark = png(&original, "filters:brightness(-100)");
    assert_eq!(at(&dark, 39, 39), [0, 0, 0, 255]);
    let blurred = png(&original, "filters:blur(5)");
    assert_near(&blurred, 19, 10, [140, 115, 0, 255]);
    assert_eq!(at(&png(&original, "filters:blur(1,1)"), 0, 0), RED);
    let round = png(&original, "filters:round_corner(10,0,0,255)");
    assert_eq!([at(&round, 0, 0), at(&round, 39, 39), at(&round, 12, 12), at(&round, 10, 0)], [BLUE, BLUE, RED, RED]);
    let clear = png(&original, "filters:round_corner(10|5,0,0,255,1)");
    assert_eq!([at(&clear, 0, 0)[3], at(&clear, 0, 6)[3], at(&clear, 12, 0)[3]], [0, 255, 255]);
}

#[test]
fn a_blur_keeps_the_brightness_and_a_clear_pixel_gives_no_colour() {
    let original = Pixels::filled(30, 30, [10, 200, 30, 255]);
    assert_eq!(at(&png(&original, "filters:blur(150)"), 15, 15), [10, 200, 30, 255]);
    let mut half = Pixels::filled(40, 4, [255, 0, 0, 255]);
    half.is_opaque = false;
    for (x, pixel) in half.pixels_mut().iter_mut().enumerate() {
        if x % 40 >= 20 {
            *pixel = [0, 255, 0, 0];
        }
    }
    let [red, green, _, alpha] = at(&png(&half, "filters:blur(4)"), 20, 2);
    assert!(red > 250 && green < 5 && (60..200).contains(&alpha), "{red} {green} {alpha}");
}

#[test]
fn a_fill_lies_around_the_image_and_below_its_transparency() {
    let original = fields(40, 20);
    let filled = png(&original, "fit-in/40x40/filters:fill(00ff00)");
    assert_eq!((filled.width, filled.height), (40, 40));
    assert_eq!([at(&filled, 0, 0), at(&filled, 0, 10), at(&filled, 39, 39)], [GREEN, RED, GREEN]);
    let clear = png(&original, "fit-in/40x40/filters:fill(transparent)");
    assert_eq!([at(&clear, 0, 0), at(&clear, 0, 10)], [[0; 4], RED]);
    let small = png(&original, "fit-in/100x100");
    assert_eq!((small.width, small.height), (40, 20), "nothing is enlarged to fit in");
    let bytes = encoded(&Pixels::filled(8, 8, [0; 4]), Format::Png);
    for (path, color) in [("", WHITE), ("filters:fill(0000ff)", BLUE)] {
        let result = transform(
            &bytes,
            SourceFormat::Png,
            &Transformation::parse(path).unwrap(),
            ImageTarget::still(Format::Jpeg),
            LIMITS,
            &deadline(),
        )
        .unwrap();
        assert_near(&decoded(&result.bytes, Format::Jpeg), 4, 4, color);
    }
}

#[test]
fn a_crop_shows_the_focal_point_or_what_has_most_detail() {
    let mut original = Pixels::filled(200, 50, WHITE);
    for (number, pixel) in original.pixels_mut().iter_mut().enumerate() {
        let x = number % 200;
        if (150..200).contains(&x) && (x + number / 200) % 2 == 0 {
            *pixel = [0, 0, 0, 255];
        }
    }
    let darks = |path: &str| png(&original, path).pixels().iter().filter(|[red, ..]| *red < 128).count();
    assert_eq!(darks("50x50"), 0, "the middle");
    assert!(darks("50x50/filters:focal(170x10:180x20)") > 1_200);
    assert!(darks("50x50/smart") > 1_200);
    assert!(darks("150x0:200x50") > 1_200);
}

/// The profile of screens with wider colours than sRGB: its primaries, and a gamma of 2.2.
fn display_p3() -> Vec<u8> {
    let colorants = [("rXYZ", [33_759, 15_807, -69]), ("gXYZ", [19_135, 45_367, 2_745]), ("bXYZ", [10_296, 4_363, 51_385])];
    // In 65,536ths.
    let fixed = |number: i32| number.to_be_bytes();
    let (mut table, mut data) = (6_u32.to_be_bytes().to_vec(), Vec::new());
    let begin = 128 + 4 + 6 * 12;
    let mut add = |name: &str, tag: Vec<u8>| {
        table.extend_from_slice(name.as_bytes());
        table.extend(u32::try_from(begin + data.len()).unwrap().to_be_bytes());
        table.extend(u32::try_from(tag.len()).unwrap().to_be_bytes());
        data.extend(tag);
        data.resize(data.len().next_multiple_of(4), 0);
    };
    for (name, xyz) in colorants {
        add(name, [b"XYZ \0\0\0\0".to_vec(), xyz.into_iter().flat_map(fixed).collect()].concat());
    }
    for name in ["rTRC", "gTRC", "bTRC"] {
        add(name, b"curv\0\0\0\0\0\0\0\x01\x02\x33".to_vec());
    }
    let mut profile = vec![0; 128];
    profile[8..12].copy_from_slice(&0x0210_0000_u32.to_be_bytes());
    profile[12..24].copy_from_slice(b"mntrRGB XYZ ");
    profile[36..40].copy_from_slice(b"acsp");
    profile.extend(table);
    profile.extend(data);
    let length = u32::try_from(profile.len()).unwrap();
    profile[..4].copy_from_slice(&length.to_be_bytes());
    profile
}

#[test]
fn colours_of_a_profile_become_those_of_srgb() {
    let profile = display_p3();
    let mut pixels = Pixels::filled(8, 8, [200, 100, 50, 255]);
    ToSrgb::of(&profile).unwrap().apply(&mut pixels);
    let [red, green, blue, alpha] = at(&pixels, 0, 0);
    assert!(red > 205 && green < 99 && blue < 45 && alpha == 255, "{red} {green} {blue}");
    assert!(ToSrgb::of(b"no profile").is_none());
}

#[test]
fn what_is_broken_or_too_large_is_an_error() {
    let original = fields(64, 48);
    let run = |bytes: &[u8], format: Format| {
        transform(bytes, source(format), &Transformation::default(), ImageTarget::still(Format::Webp), LIMITS, &deadline()).err()
    };
    for format in [Format::Jpeg, Format::Png, Format::Webp] {
        let bytes = encoded(&original, format);
        assert_eq!(run(&bytes, format), None);
        for end in [0, 3, 20, bytes.len() / 3] {
            assert!(matches!(run(&bytes[..end], format), Some(Error::Broken(_))), "{format:?} {end}");
        }
        let mut noise = bytes.clone();
        noise[12..].iter_mut().for_each(|byte| *byte = byte.wrapping_mul(31).wrapping_add(7));
        assert!(run(&noise, format).is_some(), "{format:?}");
    }
    let small = Limits { pixels: 64 * 48 - 1 };
    for format in [Format::Jpeg, Format::Png, Format::Webp] {
        let outcome = transform(
            &encoded(&original, format),
            source(format),
            &Transformation::default(),
            ImageTarget::still(Format::Webp),
            small,
            &deadline(),
        );
        assert_eq!(outcome, Err(Error::TooManyPixels { width: 64, height: 48, limit: small.pixels }));
    }
}

#[test]
fn work_ends_at_its_deadline() {
    let bytes = encoded(&fields(64, 48), Format::Png);
    let over = Deadline::after(Duration::ZERO);
    let outcome = transform(&bytes, SourceFormat::Png, &Transformation::default(), ImageTarget::still(Format::Webp), LIMITS, &over);
    assert_eq!(outcome, Err(Error::OutOfTime));
}
