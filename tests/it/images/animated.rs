//! Animations to upload, and what the answers show.

use super::{Picture, decoded};
use gif::{ColorOutput, DecodeOptions, Encoder, Frame, Repeat};
use std::borrow::Cow;

/// An animation: how often it is played (0: for ever), and its frames with their durations in milliseconds.
pub struct Animation {
    pub times: u32,
    pub frames: Vec<(Picture, u32)>,
}

impl Animation {
    pub fn durations(&self) -> Vec<u32> {
        self.frames.iter().map(|(_, duration)| *duration).collect()
    }

    /// The sizes of the frames, and the colour in the middle of each.
    #[track_caller]
    pub fn assert_shows(&self, size: (u32, u32), colors: &[[u8; 4]]) {
        assert_eq!(self.frames.len(), colors.len());
        for ((picture, _), color) in self.frames.iter().zip(colors) {
            assert_eq!(picture.size, size);
            picture.assert_near(size.0 / 2, size.1 / 2, *color);
        }
    }
}

/// A GIF whose frames have one colour each and cover it, played again by that number (`None`: for ever). They
/// are shown for 0.1 s, 0.2 s and so on.
pub fn gif((width, height): (u16, u16), again: Option<u16>, colors: impl IntoIterator<Item = [u8; 4]>) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), width, height, &[]).unwrap();
    encoder.set_repeat(again.map_or(Repeat::Infinite, Repeat::Finite)).unwrap();
    for ([red, green, blue, _], number) in colors.into_iter().zip(1_u16..) {
        let frame = Frame {
            width,
            height,
            delay: number * 10,
            palette: Some(vec![red, green, blue]),
            buffer: Cow::Owned(vec![0; usize::from(width) * usize::from(height)]),
            ..Frame::default()
        };
        encoder.write_frame(&frame).unwrap();
    }
    encoder.into_inner().unwrap()
}

/// What a GIF shows. Its frames are taken as opaque.
pub fn of_gif(file: &[u8]) -> Animation {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let size = (u32::from(decoder.width()), u32::from(decoder.height()));
    let mut canvas = Picture::of(size.0, size.1, |_, _| [0; 4]);
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top, width) = (u32::from(frame.left), u32::from(frame.top), u32::from(frame.width));
        for (number, pixel) in (0_u32..).zip(frame.buffer.as_chunks::<4>().0) {
            if pixel[3] > 0 {
                canvas.pixels[((top + number / width) * size.0 + left + number % width) as usize] = *pixel;
            }
        }
        let seen = Picture { size, pixels: canvas.pixels.clone() };
        frames.push((seen, u32::from(frame.delay) * 10));
    }
    let times = match decoder.repeat() {
        Repeat::Infinite => 0,
        Repeat::Finite(again) => u32::from(again) + 1,
    };
    Animation { times, frames }
}

/// What a WebP shows. Its frames are taken as opaque, and take the place of what is below them.
pub fn of_webp(file: &[u8]) -> Animation {
    let all = chunks(&file[12..]);
    let header = &all[0];
    assert_eq!((&header.0, header.1[0] & 2), (b"VP8X", 2), "an animation");
    let size = (number(&header.1[4..7]) + 1, number(&header.1[7..10]) + 1);
    let mut canvas = Picture::of(size.0, size.1, |_, _| [0; 4]);
    let (mut times, mut frames) = (0, Vec::new());
    for (name, content) in &all[1..] {
        match name {
            b"ANIM" => times = number(&content[4..6]),
            b"ANMF" => {
                let [left, top] = [0, 3].map(|at| number(&content[at..at + 3]) * 2);
                assert_eq!(content[15], 2, "it takes the place of what is below, and stays");
                let part = decoded(
                    &[b"RIFF", &u32::try_from(content.len() - 12).unwrap().to_le_bytes()[..], b"WEBP", &content[16..]].concat(),
                );
                for (index, pixel) in (0_u32..).zip(&part.pixels) {
                    let (x, y) = (left + index % part.size.0, top + index / part.size.0);
                    canvas.pixels[(y * size.0 + x) as usize] = *pixel;
                }
                frames.push((Picture { size, pixels: canvas.pixels.clone() }, number(&content[12..15])));
            }
            other => panic!("{other:?}"),
        }
    }
    Animation { times, frames }
}

fn chunks(mut rest: &[u8]) -> Vec<([u8; 4], Vec<u8>)> {
    let mut all = Vec::new();
    while !rest.is_empty() {
        let size = number(&rest[4..8]) as usize;
        all.push((rest[..4].try_into().unwrap(), rest[8..8 + size].to_vec()));
        rest = &rest[8 + size + size % 2..];
    }
    all
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}
