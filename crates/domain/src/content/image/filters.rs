//! The filters: `filters:name(arguments):name(arguments)`.

use super::{Area, Format, TransformationError};
use std::fmt;

/// The most that a radius or a sigma of `blur` may be.
const MAX_BLUR: u16 = 150;

/// The filters of a transformation. `strip_exif` and `strip_icc` are known and say nothing: no result has
/// metadata, and all are in sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Filters {
    /// The format of the result; negotiated when there is none.
    pub format: Option<Format>,
    /// 0 to 100.
    pub quality: Option<u8>,
    /// What an image that is smaller than the size is laid upon, and what shows through it in a format
    /// without transparency.
    pub fill: Option<Fill>,
    /// The part that stays in the middle when the image is cropped to its size, in pixels of the original.
    pub focal: Option<Area>,
    /// How much it is blurred.
    pub blur: Option<Blur>,
    /// −100 to 100 percent; 0 changes nothing.
    pub brightness: i8,
    /// Whether colours become greys.
    pub grayscale: bool,
    /// How it is turned, after it has its size.
    pub rotation: Rotation,
    /// How the corners are rounded.
    pub round_corner: Option<RoundCorner>,
    /// Whether the result has no more pixels than the original.
    pub no_upscale: bool,
}

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub [u8; 4]);

impl Color {
    /// White.
    pub const WHITE: Self = Self([255; 4]);
}

/// What fills the space around an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    Color(Color),
    /// Nothing, where the format has transparency.
    Transparent,
}

/// A Gaussian blur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blur {
    /// How many pixels to each side are mixed.
    pub radius: u16,
    /// The standard deviation of their weights.
    pub sigma: u16,
}

/// A turn against the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rotation {
    #[default]
    None,
    Quarter,
    Half,
    ThreeQuarters,
}

/// Rounded corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundCorner {
    /// The radius along the width, in pixels of the result.
    pub radius_x: u32,
    /// The radius along the height.
    pub radius_y: u32,
    /// What lies outside of the corners.
    pub background: Color,
}

/// The colours that HTML 4 has names for.
const NAMED: [(&str, [u8; 3]); 16] = [
    ("aqua", [0, 255, 255]),
    ("black", [0, 0, 0]),
    ("blue", [0, 0, 255]),
    ("fuchsia", [255, 0, 255]),
    ("gray", [128, 128, 128]),
    ("green", [0, 128, 0]),
    ("lime", [0, 255, 0]),
    ("maroon", [128, 0, 0]),
    ("navy", [0, 0, 128]),
    ("olive", [128, 128, 0]),
    ("purple", [128, 0, 128]),
    ("red", [255, 0, 0]),
    ("silver", [192, 192, 192]),
    ("teal", [0, 128, 128]),
    ("white", [255, 255, 255]),
    ("yellow", [255, 255, 0]),
];

impl Filters {
    /// Adds a filter. Of a filter that is named twice the last one counts. A filter whose argument is missing
    /// is left out: templates write `focal()` for an asset without a focus.
    pub(super) fn add(&mut self, name: &str, arguments: &str) -> Result<(), TransformationError> {
        let whole = || TransformationError::unreadable(format!("{name}({arguments})"));
        let given = Some(arguments).filter(|text| !matches!(*text, "" | "null" | "undefined"));
        match name {
            "grayscale" => self.grayscale = true,
            "no_upscale" => self.no_upscale = true,
            "strip_exif" | "strip_icc" => {}
            "format" => self.format = given.map(|text| text.parse().map_err(|_| whole())).transpose()?,
            "quality" => self.quality = given.map(|text| within(text, 0..=100).ok_or_else(whole)).transpose()?,
            "fill" => self.fill = given.map(|text| fill(text).ok_or_else(whole)).transpose()?,
            "focal" => self.focal = given.map(|text| Area::parse(text).ok_or_else(whole)).transpose()?,
            "blur" => self.blur = given.map(|text| blur(text).ok_or_else(whole)).transpose()?.flatten(),
            "brightness" => {
                self.brightness = given.map(|text| within(text, -100..=100).ok_or_else(whole)).transpose()?.unwrap_or(0);
            }
            "rotate" => self.rotation = given.map(|text| rotation(text).ok_or_else(whole)).transpose()?.unwrap_or_default(),
            "round_corner" => {
                self.round_corner = given.map(|text| round_corner(text).ok_or_else(whole)).transpose()?.flatten();
            }
            _ => return Err(TransformationError::unknown(name)),
        }
        Ok(())
    }
}

/// A number without a plus sign or leading blanks, within bounds.
pub(super) fn within<T: std::str::FromStr + PartialOrd>(text: &str, bounds: std::ops::RangeInclusive<T>) -> Option<T> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    text.parse().ok().filter(|number| is_plain && bounds.contains(number))
}

fn blur(text: &str) -> Option<Option<Blur>> {
    let (radius, sigma) = match text.split_once(',') {
        Some((radius, sigma)) => (radius.trim(), Some(sigma.trim())),
        None => (text, None),
    };
    let radius = within(radius, 0..=MAX_BLUR)?;
    let sigma = sigma.map_or(Some(radius), |sigma| within(sigma, 0..=MAX_BLUR))?;
    Some(Some(Blur { radius, sigma }).filter(|blur| blur.radius > 0 && blur.sigma > 0))
}

fn rotation(text: &str) -> Option<Rotation> {
    Some(match text {
        "0" | "360" => Rotation::None,
        "90" | "-270" => Rotation::Quarter,
        "180" | "-180" => Rotation::Half,
        "270" | "-90" => Rotation::ThreeQuarters,
        _ => return None,
    })
}

fn fill(text: &str) -> Option<Fill> {
    if text == "transparent" { Some(Fill::Transparent) } else { color(text).map(Fill::Color) }
}

/// A name, or 3, 6 or 8 hexadecimal digits with or without `#`.
fn color(text: &str) -> Option<Color> {
    if let Some((_, [red, green, blue])) = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Some(Color([*red, *green, *blue, 255]));
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, high, middle, low] = value.to_be_bytes();
    match digits.len() {
        3 => Some(Color([high_digit(value >> 8), high_digit(value >> 4), high_digit(value), 255])),
        6 => Some(Color([high, middle, low, 255])),
        8 => Some(Color(value.to_be_bytes())),
        _ => None,
    }
}

/// The lowest hexadecimal digit, twice.
fn high_digit(value: u32) -> u8 {
    let [.., low] = value.to_be_bytes();
    (low & 0xf) * 0x11
}

/// `A|B,R,G,B,T`: everything behind `A` can be left out.
fn round_corner(text: &str) -> Option<Option<RoundCorner>> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let radii = parts.first()?;
    let (radius_x, radius_y) = match radii.split_once('|') {
        Some((x, y)) => (pixels(x)?, pixels(y)?),
        None => (pixels(radii)?, pixels(radii)?),
    };
    let mut channels = [255, 255, 255];
    for (channel, text) in channels.iter_mut().zip(parts.iter().skip(1)) {
        *channel = within(text, 0..=255)?;
    }
    let is_transparent = match parts.get(4) {
        Some(&("1" | "true")) => true,
        None | Some(&("0" | "false")) => false,
        Some(_) => return None,
    };
    if parts.len() > 5 || matches!(parts.len(), 2 | 3) {
        return None;
    }
    let [red, green, blue] = channels;
    let background = Color([red, green, blue, if is_transparent { 0 } else { 255 }]);
    let corner = RoundCorner { radius_x, radius_y, background };
    Some(Some(corner).filter(|corner| corner.radius_x > 0 && corner.radius_y > 0))
}

/// A number of pixels.
pub(super) fn pixels(text: &str) -> Option<u32> {
    const MAX: u32 = 999_999;
    within(text.trim(), 0..=MAX)
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue, alpha] = self.0;
        write!(f, "{red:02x}{green:02x}{blue:02x}{alpha:02x}")
    }
}

/// The filters that do something, by name.
impl fmt::Display for Filters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let mut add = |name: &str, arguments: Option<String>| {
            parts.extend(arguments.map(|arguments| format!("{name}({arguments})")));
        };
        let flag = |is_set: bool| is_set.then(String::new);
        add("blur", self.blur.map(|blur| format!("{},{}", blur.radius, blur.sigma)));
        add("brightness", Some(self.brightness).filter(|by| *by != 0).map(|by| by.to_string()));
        add(
            "fill",
            self.fill.map(|fill| match fill {
                Fill::Color(color) => color.to_string(),
                Fill::Transparent => "transparent".to_owned(),
            }),
        );
        add("focal", self.focal.map(|area| area.to_string()));
        add("format", self.format.map(|format| format.into_str().to_owned()));
        add("grayscale", flag(self.grayscale));
        add("no_upscale", flag(self.no_upscale));
        add("quality", self.quality.map(|quality| quality.to_string()));
        add(
            "rotate",
            match self.rotation {
                Rotation::None => None,
                Rotation::Quarter => Some("90".to_owned()),
                Rotation::Half => Some("180".to_owned()),
                Rotation::ThreeQuarters => Some("270".to_owned()),
            },
        );
        add(
            "round_corner",
            self.round_corner.map(|corner| {
                let [red, green, blue, alpha] = corner.background.0;
                let is_transparent = u8::from(alpha == 0);
                format!("{}|{},{red},{green},{blue},{is_transparent}", corner.radius_x, corner.radius_y)
            }),
        );
        f.write_str(&parts.join(":"))
    }
}
