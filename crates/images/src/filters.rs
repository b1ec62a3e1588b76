//! Filters on the colours of an image.

use super::{
    Deadline, Error,
    pixels::{Pixel, Pixels, byte},
};
use domain::content::image::Blur;

/// Makes greys of colours, by how bright people see them (ITU-R BT.601).
pub(crate) fn grayscale(pixels: &mut Pixels) {
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = *pixel;
        let gray = byte((u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114 + 500) / 1_000);
        *pixel = [gray, gray, gray, alpha];
    }
}

/// Adds a part of the whole range to each colour, in percent.
pub(crate) fn brightness(pixels: &mut Pixels, percent: i8) {
    let delta = i16::from(percent) * 255 / 100;
    let add = |value: u8| u8::try_from((i16::from(value) + delta).clamp(0, 255)).unwrap_or_default();
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = *pixel;
        *pixel = [add(red), add(green), add(blue), alpha];
    }
}

/// Blurs. Three box filters of the same variance as the kernel of the radius and the sigma stand for it: they
/// take the same time for any radius.
pub(crate) fn blur(pixels: &mut Pixels, blur: Blur, deadline: &Deadline) -> Result<(), Error> {
    premultiply(pixels);
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let mut other = vec![0; pixels.data.len()];
    for radius in boxes(variance(blur)).into_iter().filter(|radius| *radius > 0) {
        deadline.check()?;
        along_rows(&pixels.data, &mut other, width, radius);
        along_columns(&other, &mut pixels.data, (width, height), radius);
    }
    unmultiply(pixels);
    Ok(())
}

/// The variance of a Gaussian kernel that ends at the radius.
fn variance(blur: Blur) -> f64 {
    let sigma = f64::from(blur.sigma);
    let weights = (0..=blur.radius).map(|distance| {
        let distance = f64::from(distance);
        let sides = if distance == 0.0 { 1.0 } else { 2.0 };
        (distance, sides * (-distance * distance / (2.0 * sigma * sigma)).exp())
    });
    let (weighted, all) = weights
        .fold((0.0, 0.0), |(weighted, all), (distance, weight)| (distance.mul_add(distance * weight, weighted), all + weight));
    weighted / all
}

/// The radii of three boxes that have this variance together, as nearly as whole pixels can. A box of radius
/// r has the variance r(r + 1) / 3.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the variance is that of a radius of at most 150")]
fn boxes(variance: f64) -> [usize; 3] {
    let least = (((1.0 + 4.0 * variance).sqrt() - 1.0) / 2.0).floor().max(0.0);
    let larger = 2.0 * (least + 1.0) / 3.0;
    let missing = variance - least * (least + 1.0);
    let count = (missing / larger).round().clamp(0.0, 3.0) as usize;
    let radius = |number: usize| least as usize + usize::from(number < count);
    [radius(0), radius(1), radius(2)]
}

/// The mean of each pixel and its neighbours in its row. At the borders the outermost pixel is repeated.
fn along_rows(from: &[u8], to: &mut [u8], width: usize, radius: usize) {
    let divisor = Divisor::of(radius);
    let rows = from.as_chunks::<4>().0.chunks_exact(width).zip(to.as_chunks_mut::<4>().0.chunks_exact_mut(width));
    for (from, to) in rows {
        let (Some(first), Some(last)) = (from.first(), from.last()) else { continue };
        let entering = from.iter().skip(radius + 1).chain(std::iter::repeat(last));
        let leaving = std::iter::repeat_n(first, radius).chain(from);
        let mut sums = [0_u32; 4];
        for pixel in std::iter::repeat_n(first, radius).chain(from.iter().chain(std::iter::repeat(last)).take(radius + 1)) {
            add(&mut sums, *pixel);
        }
        for ((to, entering), leaving) in to.iter_mut().zip(entering).zip(leaving) {
            *to = sums.map(|sum| divisor.divide(sum));
            add(&mut sums, *entering);
            sums.iter_mut().zip(leaving).for_each(|(sum, value)| *sum -= u32::from(*value));
        }
    }
}

/// The same for columns, row by row: there is a sum for each byte of a row.
fn along_columns(from: &[u8], to: &mut [u8], (width, height): (usize, usize), radius: usize) {
    let divisor = Divisor::of(radius);
    let bytes = width * 4;
    let row = |number: usize| from.chunks_exact(bytes).nth(number.min(height.saturating_sub(1))).unwrap_or_default();
    let mut sums = vec![0_u32; bytes];
    let add_row =
        |sums: &mut [u32], number: usize| sums.iter_mut().zip(row(number)).for_each(|(sum, value)| *sum += u32::from(*value));
    for _ in 0..radius {
        add_row(&mut sums, 0);
    }
    for number in 0..=radius {
        add_row(&mut sums, number);
    }
    for (number, to) in to.chunks_exact_mut(bytes).enumerate() {
        to.iter_mut().zip(&sums).for_each(|(to, sum)| *to = divisor.divide(*sum));
        add_row(&mut sums, number + radius + 1);
        sums.iter_mut().zip(row(number.saturating_sub(radius))).for_each(|(sum, value)| *sum -= u32::from(*value));
    }
}

fn add(sums: &mut [u32; 4], pixel: Pixel) {
    sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += u32::from(value));
}

/// Division by the length of a box.
#[derive(Clone, Copy)]
struct Divisor {
    length: u32,
}

impl Divisor {
    fn of(radius: usize) -> Self {
        Self { length: u32::try_from(radius * 2 + 1).unwrap_or(u32::MAX) }
    }

    fn divide(self, sum: u32) -> u8 {
        byte((sum + self.length / 2) / self.length)
    }
}

/// Multiplies colours with how opaque they are, so that the colour of a transparent pixel does not spread.
fn premultiply(pixels: &mut Pixels) {
    if !pixels.is_opaque {
        for pixel in pixels.pixels_mut() {
            let [red, green, blue, alpha] = *pixel;
            let times = |value: u8| byte((u32::from(value) * u32::from(alpha) + 127) / 255);
            *pixel = [times(red), times(green), times(blue), alpha];
        }
    }
}

fn unmultiply(pixels: &mut Pixels) {
    if !pixels.is_opaque {
        for pixel in pixels.pixels_mut() {
            let [red, green, blue, alpha] = *pixel;
            let over = |value: u8| byte((u32::from(value) * 255 + u32::from(alpha) / 2) / u32::from(alpha.max(1)));
            *pixel = [over(red), over(green), over(blue), alpha];
        }
    }
}
