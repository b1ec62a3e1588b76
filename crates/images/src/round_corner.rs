//! Rounded corners.

use super::pixels::{Pixels, byte, over};
use domain::content::image::RoundCorner;

/// How many points of a pixel are looked at along each side, to smooth the edge.
const POINTS: u32 = 4;

/// Rounds the corners; outside of them lies the background. A radius is at most half of its side.
pub(crate) fn round(pixels: &mut Pixels, corner: RoundCorner) {
    let (width, height) = (pixels.width, pixels.height);
    let radius_x = corner.radius_x.min(width / 2);
    let radius_y = corner.radius_y.min(height / 2);
    let background = corner.background.0;
    if radius_x == 0 || radius_y == 0 {
        return;
    }
    for (y, row) in (0..height).zip(pixels.data.as_chunks_mut::<4>().0.chunks_exact_mut(width as usize)) {
        // The distance of the row from the upper or the lower border.
        let from_border = y.min(height - 1 - y);
        if from_border >= radius_y {
            continue;
        }
        for (x, pixel) in (0..width).zip(row) {
            let x_from_border = x.min(width - 1 - x);
            if x_from_border < radius_x {
                let inside = coverage((x_from_border, from_border), (radius_x, radius_y));
                let [red, green, blue, alpha] = *pixel;
                let kept = [red, green, blue, byte(u32::from(alpha) * inside / (POINTS * POINTS))];
                *pixel = over(kept, background);
            }
        }
    }
    let [.., alpha] = background;
    pixels.is_opaque = pixels.is_opaque && alpha == u8::MAX;
}

/// How many points of a pixel lie within the ellipse of a corner.
fn coverage((x, y): (u32, u32), (radius_x, radius_y): (u32, u32)) -> u32 {
    let offset = |number: u32| (f64::from(number) + 0.5) / f64::from(POINTS);
    let mut inside = 0;
    for (number_y, number_x) in (0..POINTS).flat_map(|y| (0..POINTS).map(move |x| (y, x))) {
        let from_center =
            |at: u32, number: u32, radius: u32| (f64::from(radius) - f64::from(at) - offset(number)) / f64::from(radius);
        let (dx, dy) = (from_center(x, number_x, radius_x), from_center(y, number_y, radius_y));
        inside += u32::from(dx.mul_add(dx, dy * dy) <= 1.0);
    }
    inside
}
