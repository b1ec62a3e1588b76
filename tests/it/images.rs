//! The image service through the wire: each answer is decoded.

mod animated;
mod animations;
mod filters;
mod kept;
mod limits;
mod refused;
mod serving;

use crate::assets;
use domain::content::image::{Format, ImageTarget, SourceFormat, Transformation};
use http::HeaderMap;
use images::{Deadline, Limits};
use std::io::Cursor;
use support::{multipart::Part, prelude::*};

pub const TOKEN: &str = "0123456789abcdef";

/// An image: its size, and its pixels with their transparency.
pub struct Picture {
    pub size: (u32, u32),
    pub pixels: Vec<[u8; 4]>,
}

pub const RED: [u8; 4] = [255, 0, 0, 255];
pub const GREEN: [u8; 4] = [0, 255, 0, 255];
pub const BLUE: [u8; 4] = [0, 0, 255, 255];
pub const WHITE: [u8; 4] = [255; 4];

impl Picture {
    /// An image of this colour at each place.
    pub fn of(width: u32, height: u32, color: impl Fn(u32, u32) -> [u8; 4]) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| color(x, y)).collect();
        Self { size: (width, height), pixels }
    }

    /// Four fields: red and green above blue and white.
    pub fn fields(width: u32, height: u32) -> Self {
        Self::of(width, height, |x, y| match (x < width / 2, y < height / 2) {
            (true, true) => RED,
            (false, true) => GREEN,
            (true, false) => BLUE,
            (false, false) => WHITE,
        })
    }

    /// Pixels that no format can make small.
    pub fn noise(width: u32, height: u32) -> Self {
        Self::of(width, height, |x, y| {
            let mut number = (u64::from(x) << 32 | u64::from(y)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            number = (number ^ (number >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let [red, green, blue, ..] = (number >> 16).to_le_bytes();
            [red, green, blue, 255]
        })
    }

    /// Its file.
    pub fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size.0, self.size.1);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_compression(png::Compression::Fast);
        encoder.write_header().unwrap().write_image_data(self.pixels.as_flattened()).unwrap();
        file
    }

    /// Its file in another format.
    pub fn encoded(&self, format: Format) -> Vec<u8> {
        transform(&self.png(), SourceFormat::Png, format)
    }

    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels[(y * self.size.0 + x) as usize]
    }

    #[track_caller]
    pub fn assert_near(&self, x: u32, y: u32, expected: [u8; 4]) {
        let found = self.at(x, y);
        assert!(
            found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) <= 12),
            "({x}, {y}): {found:?}, not {expected:?}"
        );
    }
}

fn transform(bytes: &[u8], source: SourceFormat, format: Format) -> Vec<u8> {
    let deadline = Deadline::after(Duration::from_mins(1));
    let limits = Limits { pixels: 100_000_000 };
    images::transform(bytes, source, &Transformation::default(), ImageTarget::still(format), limits, &deadline).unwrap().bytes
}

/// The picture in a file, whose format its first bytes tell.
pub fn decoded(file: &[u8]) -> Picture {
    let source = match file {
        [0x89, b'P', ..] => SourceFormat::Png,
        [0xff, 0xd8, ..] => SourceFormat::Jpeg,
        [b'R', b'I', b'F', b'F', ..] => SourceFormat::Webp,
        [b'G', b'I', b'F', ..] => SourceFormat::Gif,
        _ => panic!("{:?}", file.get(..16)),
    };
    // Of an animation the first frame.
    let png = match source {
        SourceFormat::Png => file.to_vec(),
        source => {
            let deadline = Deadline::after(Duration::from_mins(1));
            let (same, png) = (Transformation::default(), ImageTarget::still(Format::Png));
            images::transform(file, source, &same, png, Limits { pixels: 100_000_000 }, &deadline).unwrap().bytes
        }
    };
    let mut decoder = png::Decoder::new(Cursor::new(&png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixels = match info.color_type {
        png::ColorType::Rgb => bytes.as_chunks::<3>().0.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]).collect(),
        png::ColorType::Rgba => bytes.as_chunks::<4>().0.to_vec(),
        other => panic!("{other:?}"),
    };
    Picture { size: (info.width, info.height), pixels }
}

/// A server with metrics and these variables besides.
pub async fn server(variables: &[(&str, &str)]) -> SpaceFixture {
    SpaceFixture::with_variables(&[&[("APP_METRICS_TOKEN", TOKEN)][..], variables].concat()).await
}

/// Uploads a file and returns its path.
pub async fn uploaded(fixture: &SpaceFixture, name: &str, bytes: &[u8]) -> String {
    assets::path_of(fixture, &assets::uploaded(fixture, name, bytes).await["filename"])
}

/// Uploads a file with attributes.
pub async fn uploaded_with(fixture: &SpaceFixture, parts: &[Part<'_>]) -> (Value, String) {
    let asset = assets::upload(fixture, parts).await.expect(201);
    let path = assets::path_of(fixture, &asset["filename"]);
    (asset, path)
}

/// The answer to a GET of a path.
pub async fn get(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> (u16, HeaderMap, Vec<u8>) {
    let mut request = app.client.get(app.url(path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.bytes().await.unwrap().to_vec())
}

/// The answer to a GET of an image, asked for until it is made: whether that ends within a short limit is
/// also a matter of what else the machine does, and the threads of images make way for everything else.
pub async fn made(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> (HeaderMap, Vec<u8>) {
    let began = Instant::now();
    loop {
        let (status, headers, body) = get(app, path, headers).await;
        if status == 200 {
            return (headers, body);
        }
        assert!(status == 422 && began.elapsed() < PATIENCE, "{status} {path}");
    }
}

/// The picture at a path; the answer has to be 200.
pub async fn picture(app: &TestApp, path: &str) -> Picture {
    let (status, _, body) = get(app, path, &[]).await;
    assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
    decoded(&body)
}

/// The sentence of an error.
pub async fn error(app: &TestApp, path: &str) -> (u16, String) {
    let (status, _, body) = get(app, path, &[]).await;
    let body: Value = serde_json::from_slice(&body).unwrap();
    (status, body["error"].as_str().unwrap().to_owned())
}

/// A metric, by its whole name with labels.
pub async fn metric(app: &TestApp, name: &str) -> u64 {
    let response = app.get("/metrics").header("authorization", format!("Bearer {TOKEN}")).send().await.unwrap();
    let text = response.text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} in {text}")).parse().unwrap()
}
