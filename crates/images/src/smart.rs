//! `smart`: the part of an image with most detail. There is no detection of faces here; where it matters,
//! editors set a focal point.

use super::pixels::{Pixel, Pixels};
use domain::content::image::Region;

/// About how many pixels of a side are looked at.
const SAMPLES: usize = 256;

/// Moves a part of an image within its bounds to where neighbouring pixels differ most. Of equal places, the
/// one nearest to the middle.
pub(crate) fn most_detailed(pixels: &Pixels, base: Region, crop: Region) -> Region {
    let (slack_x, slack_y) = (base.width - crop.width, base.height - crop.height);
    if slack_x < 1.0 && slack_y < 1.0 {
        return crop;
    }
    if slack_x >= slack_y {
        let profile = detail(pixels, base, true);
        Region { left: base.left + best(&profile, crop.width / base.width) * base.width, ..crop }
    } else {
        let profile = detail(pixels, base, false);
        Region { top: base.top + best(&profile, crop.height / base.height) * base.height, ..crop }
    }
}

/// How much neighbouring pixels differ, for slices of the base from left to right, or from top to bottom.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the base lies within the image")]
fn detail(pixels: &Pixels, base: Region, by_columns: bool) -> Vec<u64> {
    let (left, top) = (base.left as usize, base.top as usize);
    let (width, height) = (base.width as usize, base.height as usize);
    let (step_x, step_y) = (width.div_ceil(SAMPLES).max(1), height.div_ceil(SAMPLES).max(1));
    let mut sums = vec![0_u64; if by_columns { width.div_ceil(step_x) } else { height.div_ceil(step_y) }.max(1)];
    let mut above: Vec<i32> = Vec::new();
    for (number, row) in pixels.rows().skip(top).take(height).step_by(step_y).enumerate() {
        let lumas: Vec<i32> = row.iter().skip(left).take(width).step_by(step_x).copied().map(luma).collect();
        let mut before = lumas.first().copied().unwrap_or_default();
        for (column, luma) in lumas.iter().enumerate() {
            let over = above.get(column).copied().unwrap_or(*luma);
            let difference = u64::from(luma.abs_diff(before)) + u64::from(luma.abs_diff(over));
            before = *luma;
            if let Some(sum) = sums.get_mut(if by_columns { column } else { number }) {
                *sum += difference;
            }
        }
        above = lumas;
    }
    sums
}

/// Where a part of a length of 1 begins that has the largest sum.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "few hundred slices")]
fn best(sums: &[u64], part: f64) -> f64 {
    let length = ((sums.len() as f64 * part).round() as usize).clamp(1, sums.len().max(1));
    let last = sums.len().saturating_sub(length);
    let windows = sums.windows(length).map(|window| window.iter().sum::<u64>()).enumerate();
    let from_middle = |begin: usize| (begin * 2).abs_diff(last);
    let best = windows.max_by_key(|(begin, sum)| (*sum, usize::MAX - from_middle(*begin)));
    let begin = best.map_or(0, |(begin, _)| begin);
    // The slices are wider than pixels, so the part is kept within the bounds.
    (begin as f64 / sums.len().max(1) as f64).min(1.0 - part).max(0.0)
}

/// About how bright a pixel is.
fn luma([red, green, blue, alpha]: Pixel) -> i32 {
    let luma = (i32::from(red) * 77 + i32::from(green) * 150 + i32::from(blue) * 29) >> 8;
    luma * i32::from(alpha) / 255
}
