//! Animations: what is read of them, what is written, and all that lies between.

mod properties;

use super::{BLUE, GREEN, RED, WHITE, at, deadline, decoded, encoded, fields, libwebp};
use crate::{
    Deadline, Encoded, Error, Limits, ShownFrames, animate, decode,
    decode::Plays,
    encode,
    pixels::{Pixels, Rect},
    transform,
};
use domain::content::image::{AnimationFormat, Filters, Format, SourceFormat, Transformation};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::{borrow::Cow, time::Duration};

const LIMITS: Limits = Limits { pixels: 1_000_000 };
const CLEAR: [u8; 4] = [0; 4];
/// The palette of all GIFs here. The last one is transparent.
const PALETTE: [[u8; 4]; 5] = [RED, GREEN, BLUE, WHITE, CLEAR];

/// A frame of a GIF: one colour of the palette in a rectangle.
#[derive(Debug, Clone, Copy)]
struct Patch {
    rect: Rect,
    color: u8,
    disposal: DisposalMethod,
    /// In hundredths of a second.
    delay: u16,
}

const fn rect(left: usize, top: usize, width: usize, height: usize) -> Rect {
    Rect { left, top, width, height }
}

fn gif((width, height): (u16, u16), repeat: Repeat, patches: &[Patch]) -> Vec<u8> {
    let palette = PALETTE.map(|[red, green, blue, _]| [red, green, blue]).concat();
    let mut encoder = Encoder::new(Vec::new(), width, height, &palette).unwrap();
    encoder.set_repeat(repeat).unwrap();
    for patch in patches {
        let [left, top, width, height] =
            [patch.rect.left, patch.rect.top, patch.rect.width, patch.rect.height].map(|side| u16::try_from(side).unwrap());
        let frame = Frame {
            left,
            top,
            width,
            height,
            delay: patch.delay,
            dispose: patch.disposal,
            transparent: Some(4),
            buffer: Cow::Owned(vec![patch.color; patch.rect.width * patch.rect.height]),
            ..Frame::default()
        };
        encoder.write_frame(&frame).unwrap();
    }
    encoder.into_inner().unwrap()
}

/// A GIF of frames of one colour each, of 40 by 20 pixels, each shown for 0.1 s longer than the one before.
fn colored(colors: &[u8], repeat: Repeat) -> Vec<u8> {
    let patch = |(number, color): (usize, &u8)| Patch {
        rect: rect(0, 0, 40, 20),
        color: *color,
        disposal: DisposalMethod::Keep,
        delay: u16::try_from(number + 1).unwrap() * 10,
    };
    gif((40, 20), repeat, &colors.iter().enumerate().map(patch).collect::<Vec<_>>())
}

/// How often a file is played, and its frames with their durations in milliseconds.
fn read(file: &[u8], source: SourceFormat) -> (Plays, Vec<(Pixels, u32)>) {
    let transformation = Transformation::default();
    let request = decode::Request { limits: LIMITS, deadline: &deadline(), transformation: &transformation };
    let mut animation = decode::animation(source, file, &request).unwrap().expect("more than one frame");
    let mut next = || animation.source.next().map(|frame| (frame.pixels.clone(), frame.duration)).unwrap();
    let frames = (0..animation.count).map(|_| next()).collect();
    (animation.plays, frames)
}

fn run(file: &[u8], source: SourceFormat, path: &str, accepts_webp: bool, limits: Limits) -> Result<Encoded, Error> {
    let transformation = Transformation::parse(path).unwrap();
    let target = transformation.target(source, accepts_webp);
    transform(file, source, &transformation, target, limits, &deadline())
}

#[track_caller]
fn assert_all_near(pixels: &Pixels, expected: [u8; 4], tolerance: u8) {
    for found in pixels.pixels() {
        let is_near = found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) <= tolerance);
        assert!(is_near, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn frames_of_a_gif_lie_upon_what_the_ones_before_have_left() {
    let patch = |rect, color, disposal| Patch { rect, color, disposal, delay: 4 };
    let (keep, clear, restore) = (DisposalMethod::Keep, DisposalMethod::Background, DisposalMethod::Previous);
    let file = gif(
        (4, 1),
        Repeat::Infinite,
        &[
            patch(rect(0, 0, 3, 1), 0, keep),
            patch(rect(1, 0, 1, 1), 1, restore),
            patch(rect(0, 0, 1, 1), 2, clear),
            // Transparent: what is below stays.
            patch(rect(0, 0, 4, 1), 4, keep),
            // Partly, and completely, outside of the canvas.
            patch(rect(3, 0, 9, 9), 3, keep),
            patch(rect(70, 70, 2, 2), 3, clear),
            patch(rect(0, 0, 4, 1), 1, DisposalMethod::Any),
        ],
    );
    let (plays, frames) = read(&file, SourceFormat::Gif);
    assert_eq!(plays, Plays::Forever);
    let seen: Vec<_> = frames.iter().map(|(pixels, duration)| (pixels.pixels(), *duration)).collect();
    let expected = [
        [RED, RED, RED, CLEAR],
        [RED, GREEN, RED, CLEAR],
        [BLUE, RED, RED, CLEAR],
        [CLEAR, RED, RED, CLEAR],
        [CLEAR, RED, RED, WHITE],
        [CLEAR, RED, RED, WHITE],
        [GREEN; 4],
    ];
    assert_eq!(seen, expected.each_ref().map(|pixels| (&pixels[..], 40)));
}

#[test]
fn an_animation_keeps_its_durations_and_how_often_it_is_played() {
    for (repeat, plays, times) in [
        (Repeat::Infinite, Plays::Forever, 0),
        // Played once, and then again by that number.
        (Repeat::Finite(0), Plays::Times(1), 1),
        (Repeat::Finite(2), Plays::Times(3), 3),
        (Repeat::Finite(u16::MAX), Plays::Times(u16::MAX), 65_535),
    ] {
        let file = colored(&[0, 1, 2], repeat);
        let webp = run(&file, SourceFormat::Gif, "20x0", true, LIMITS).unwrap();
        assert_eq!((webp.content_type, webp.shown), ("image/webp", None));
        let shown = libwebp::read(&webp.bytes);
        assert_eq!(shown.times, times);
        assert_eq!(shown.frames.iter().map(|(_, duration)| *duration).collect::<Vec<_>>(), [100, 200, 300]);
        for ((pixels, _), color) in shown.frames.iter().zip([RED, GREEN, BLUE]) {
            assert_eq!((pixels.width, pixels.height), (20, 10));
            assert_all_near(pixels, color, 8);
        }
        let gif = run(&file, SourceFormat::Gif, "20x0", false, LIMITS).unwrap();
        assert_eq!((gif.content_type, gif.shown), ("image/gif", None));
        // And that WebP again.
        let again = run(&webp.bytes, SourceFormat::Webp, "", false, LIMITS).unwrap();
        for (file, source, tolerance) in [(&gif.bytes, SourceFormat::Gif, 0), (&again.bytes, SourceFormat::Webp, 12)] {
            let (found, frames) = read(file, source);
            assert_eq!(found, plays);
            assert_eq!(frames.iter().map(|(_, duration)| *duration).collect::<Vec<_>>(), [100, 200, 300]);
            for ((pixels, _), color) in frames.iter().zip([RED, GREEN, BLUE]) {
                assert_eq!((pixels.width, pixels.height), (20, 10));
                assert_all_near(pixels, color, tolerance);
            }
        }
    }
}

#[test]
fn frames_that_are_alike_or_shown_for_no_time_stay_frames() {
    let same = Patch { rect: rect(0, 0, 8, 8), color: 0, disposal: DisposalMethod::Keep, delay: 0 };
    let file = gif((8, 8), Repeat::Infinite, &[same, Patch { delay: 7, ..same }, Patch { delay: 0, ..same }]);
    let webp = run(&file, SourceFormat::Gif, "4x0", true, LIMITS).unwrap();
    let shown = libwebp::read(&webp.bytes);
    assert_eq!(shown.frames.iter().map(|(_, duration)| *duration).collect::<Vec<_>>(), [0, 70, 0]);
    let gif = run(&file, SourceFormat::Gif, "4x0", false, LIMITS).unwrap();
    assert_eq!(read(&gif.bytes, SourceFormat::Gif).1.iter().map(|(_, duration)| *duration).collect::<Vec<_>>(), [0, 70, 0]);
    assert!(shown.frames.iter().all(|(pixels, _)| at(pixels, 3, 3)[0] > 245));
}

#[test]
fn each_frame_is_cropped_filtered_and_turned() {
    // Red above clear, then green over the left half of that.
    let patch = |rect, color| Patch { rect, color, disposal: DisposalMethod::Keep, delay: 10 };
    let file = gif((40, 20), Repeat::Infinite, &[patch(rect(0, 0, 40, 10), 0), patch(rect(0, 0, 20, 20), 1)]);
    let frames = |path: &str| {
        let result = run(&file, SourceFormat::Gif, path, false, LIMITS).unwrap();
        read(&result.bytes, SourceFormat::Gif).1.into_iter().map(|(pixels, _)| pixels).collect::<Vec<_>>()
    };
    let corners = |path: &str| {
        let corners = |pixels: &Pixels| {
            let (right, bottom) = (pixels.width - 1, pixels.height - 1);
            [at(pixels, 0, 0), at(pixels, right, 0), at(pixels, 0, bottom), at(pixels, right, bottom)]
        };
        frames(path).iter().map(corners).collect::<Vec<_>>()
    };
    assert_eq!(corners(""), [[RED, RED, CLEAR, CLEAR], [GREEN, RED, GREEN, CLEAR]]);
    assert_eq!(corners("-0x0"), [[RED, RED, CLEAR, CLEAR], [RED, GREEN, CLEAR, GREEN]]);
    assert_eq!(corners("20x0:40x20"), [[RED, RED, CLEAR, CLEAR]; 2]);
    assert_eq!(corners("filters:rotate(90)"), [[RED, CLEAR, RED, CLEAR], [RED, CLEAR, GREEN, GREEN]]);
    let gray = |value| [value, value, value, 255];
    assert_eq!(corners("filters:grayscale()"), [[gray(76), gray(76), CLEAR, CLEAR], [gray(150), gray(76), gray(150), CLEAR]]);
    assert_eq!(corners("fit-in/40x40/filters:fill(0000ff)")[1], [BLUE; 4]);
    assert_eq!(at(&frames("fit-in/40x40/filters:fill(0000ff)")[1], 39, 25), BLUE, "the fill shows through");
    assert_eq!(corners("filters:round_corner(5,255,255,255)"), [[WHITE; 4]; 2]);
    assert_eq!(corners("20x20/filters:focal(38x0:40x2)"), [[RED, RED, CLEAR, CLEAR]; 2]);
    assert!(frames("10x0").iter().all(|pixels| (pixels.width, pixels.height) == (10, 5)));
}

#[test]
fn what_becomes_transparent_is_cleared_in_a_gif() {
    let patch = |rect, color, disposal| Patch { rect, color, disposal, delay: 10 };
    let clear = DisposalMethod::Background;
    let patches = [patch(rect(0, 0, 20, 20), 0, clear), patch(rect(20, 0, 20, 20), 1, clear), patch(rect(0, 0, 10, 10), 2, clear)];
    let file = gif((40, 20), Repeat::Infinite, &patches);
    let result = run(&file, SourceFormat::Gif, "filters:brightness(0)", false, LIMITS).unwrap();
    let pixels = |file: &[u8]| read(file, SourceFormat::Gif).1.into_iter().map(|(pixels, _)| pixels.data).collect::<Vec<_>>();
    assert_eq!(pixels(&result.bytes), pixels(&file));
}

#[test]
fn a_named_format_of_one_frame_shows_the_first_one() {
    let moving = colored(&[1, 0], Repeat::Infinite);
    let webp = run(&moving, SourceFormat::Gif, "", true, LIMITS).unwrap().bytes;
    for (file, source) in [(&moving, SourceFormat::Gif), (&webp, SourceFormat::Webp)] {
        for format in [Format::Png, Format::Jpeg] {
            let result = run(file, source, &format!("20x0/filters:format({})", format.into_str()), true, LIMITS).unwrap();
            assert_eq!((result.content_type, result.shown), (format.content_type(), None), "one frame is what was asked for");
            assert_all_near(&decoded(&result.bytes, format), GREEN, 8);
        }
        assert_eq!(run(file, source, "filters:format(avif)", true, LIMITS).unwrap().content_type, "image/avif");
    }
}

#[test]
fn the_bound_counts_the_pixels_of_all_frames() {
    let file = colored(&[2, 0, 1], Repeat::Infinite);
    let webp = run(&file, SourceFormat::Gif, "", true, LIMITS).unwrap().bytes;
    let of_all = 40 * 20 * 3;
    let first = Some(ShownFrames { frames: 1, of: 3 });
    for (path, pixels, shown) in [
        ("20x0", of_all, None),
        ("20x0", of_all - 1, first),
        // Of the result as well.
        ("80x40", of_all * 4, None),
        ("80x40", of_all * 4 - 1, first),
        ("fit-in/50x80/filters:fill(fff)", 50 * 80 * 3, None),
        ("fit-in/50x80/filters:fill(fff)", 50 * 80 * 3 - 1, first),
    ] {
        for (file, source, accepts_webp, still) in [
            (&file, SourceFormat::Gif, true, Format::Webp),
            (&file, SourceFormat::Gif, false, Format::Png),
            (&webp, SourceFormat::Webp, false, Format::Webp),
        ] {
            let result = run(file, source, path, accepts_webp, Limits { pixels }).unwrap();
            assert_eq!(result.shown, shown, "{path} {pixels} {source:?}");
            if shown.is_some() {
                let pixels = decoded(&result.bytes, still);
                assert!(at(&pixels, pixels.width / 2, pixels.height / 2)[2] > 245, "the first frame is blue");
            }
        }
    }
    assert_eq!(ShownFrames { frames: 1, of: 3 }.to_string(), "1/3");
    let outcome = run(&file, SourceFormat::Gif, "20x0", true, Limits { pixels: 40 * 20 - 1 });
    assert!(matches!(outcome, Err(Error::TooManyPixels { .. })), "not even one frame");
    // A frame may be larger than its canvas, and costs what it has.
    let large = Patch { rect: rect(0, 0, 50, 50), color: 0, disposal: DisposalMethod::Keep, delay: 1 };
    let file = gif((2, 2), Repeat::Infinite, &[large; 2]);
    let shown = |pixels| run(&file, SourceFormat::Gif, "", true, Limits { pixels }).unwrap().shown;
    assert_eq!([shown(5_000), shown(4_999)], [None, Some(ShownFrames { frames: 1, of: 2 })]);
}

#[test]
fn an_animation_without_time_is_given_up_and_time_is_left_for_its_first_frame() {
    let file = colored(&[0, 1], Repeat::Infinite);
    let transformation = Transformation::default();
    let request = decode::Request { limits: LIMITS, deadline: &deadline(), transformation: &transformation };
    let animation = decode::animation(SourceFormat::Gif, &file, &request).unwrap().unwrap();
    let over = Deadline::after(Duration::ZERO);
    let outcome = animate::animate(animation, &transformation, AnimationFormat::Webp, &over);
    assert_eq!(outcome, Err(Error::OutOfTime));

    let whole = Deadline::after(Duration::from_mins(4));
    let its = whole.for_animation();
    assert!(its.left() <= Duration::from_mins(3) && whole.left() > Duration::from_mins(3));
    whole.cancel();
    assert_eq!(its.check(), Err(Error::OutOfTime), "nobody waits for it any more");
}

#[test]
fn what_comes_before_a_broken_frame_is_shown() {
    let file = colored(&[0, 1, 2], Repeat::Infinite);
    let webp = run(&file, SourceFormat::Gif, "", true, LIMITS).unwrap().bytes;
    for (file, source) in [(&file, SourceFormat::Gif), (&webp, SourceFormat::Webp)] {
        // The end is missing: the trailer, or the padding of the last chunk.
        let whole = run(&file[..file.len() - 1], source, "20x0", true, LIMITS).unwrap();
        assert!(whole.shown.is_none_or(|shown| shown.frames >= 2), "{source:?} {:?}", whole.shown);
        // Somewhere in the last frame.
        for end in file.len() - 12..file.len() {
            let result = run(&file[..end], source, "20x0", true, LIMITS).unwrap();
            let frames = libwebp::read(&result.bytes).frames;
            assert!(frames.len() >= 2, "{source:?} {end}: {}", frames.len());
            assert_all_near(&frames[1].0, GREEN, 8);
        }
        for end in 0..file.len() / 4 {
            // Whatever it is: no panic, and nothing without an end.
            let _ = run(&file[..end], source, "20x0", true, LIMITS);
        }
    }
    // Its data break off within the last frame, which was counted.
    let result = run(&file[..file.len() - 12], SourceFormat::Gif, "20x0", true, LIMITS).unwrap();
    assert_eq!(result.shown, Some(ShownFrames { frames: 2, of: 3 }));
}

#[test]
fn a_smart_crop_stays_where_the_first_frame_has_it() {
    let noise = |left: usize| {
        let mut pixels = Pixels::filled(120, 20, WHITE);
        for (number, pixel) in pixels.pixels_mut().iter_mut().enumerate() {
            if (left..left + 20).contains(&(number % 120)) && (number % 120 + number / 120) % 2 == 0 {
                *pixel = [0, 0, 0, 255];
            }
        }
        pixels
    };
    let file = animation(AnimationFormat::Webp, &[noise(0), noise(100)], 100);
    let result = run(&file, SourceFormat::Webp, "20x20/smart", true, LIMITS).unwrap();
    let darks: Vec<usize> = libwebp::read(&result.bytes)
        .frames
        .iter()
        .map(|(pixels, _)| pixels.pixels().iter().filter(|[red, ..]| *red < 100).count())
        .collect();
    assert!(darks[0] > 100 && darks[1] == 0, "{darks:?}");
}

#[test]
fn frames_of_a_png_are_named_where_they_are_left_out() {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 4, 4);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for color in [RED, BLUE] {
        writer.write_image_data(&color.repeat(16)).unwrap();
    }
    writer.finish().unwrap();
    for (path, shown) in [("2x2", Some(ShownFrames { frames: 1, of: 2 })), ("2x2/filters:format(png)", None)] {
        let result = run(&file, SourceFormat::Png, path, false, LIMITS).unwrap();
        assert_eq!((result.content_type, result.shown), ("image/png", shown));
        assert_all_near(&decoded(&result.bytes, Format::Png), RED, 0);
    }
    assert_eq!(run(&encoded(&fields(4, 4), Format::Png), SourceFormat::Png, "", true, LIMITS).unwrap().shown, None);
}

#[test]
fn an_animation_of_one_frame_is_an_image() {
    let gif = colored(&[1], Repeat::Infinite);
    let webp = animation(AnimationFormat::Webp, &[Pixels::filled(40, 20, GREEN)], 90);
    for (file, source, accepts_webp, format) in [
        (&gif, SourceFormat::Gif, false, Format::Png),
        (&gif, SourceFormat::Gif, true, Format::Webp),
        (&webp, SourceFormat::Webp, false, Format::Webp),
    ] {
        let result = run(file, source, "20x0", accepts_webp, LIMITS).unwrap();
        assert_eq!((result.content_type, result.shown), (format.content_type(), None));
        assert!(!result.bytes.windows(4).any(|name| name == b"ANIM"));
        assert_all_near(&decoded(&result.bytes, format), GREEN, 8);
    }
}

/// A file of frames, each of which is shown for 40 ms.
fn animation(format: AnimationFormat, frames: &[Pixels], quality: u8) -> Vec<u8> {
    let size = (frames[0].width, frames[0].height);
    let filters = Filters { quality: Some(quality), ..Filters::default() };
    let mut file = encode::Animation::new(format, size, Plays::Forever, &filters).unwrap();
    for frame in frames {
        file.add(frame.clone(), 40, &deadline()).unwrap();
    }
    file.finish().unwrap()
}
