//! JPEG, with the settings of libjpeg-turbo: those that mozjpeg adds take ten times as long.

use super::failed;
use crate::{Deadline, Error, pixels::Pixels};
use mozjpeg::{ColorSpace, Compress};

/// From this quality on colours have as many pixels as brightness.
const FULL_COLOR: u8 = 90;
/// How many rows are encoded between two looks at the deadline.
const ROWS: usize = 64;

pub(super) fn encode(pixels: &Pixels, quality: u8, deadline: &Deadline) -> Result<Vec<u8>, Error> {
    let mut compress = Compress::new(ColorSpace::JCS_EXT_RGBX);
    compress.set_fastest_defaults();
    compress.set_size(pixels.width as usize, pixels.height as usize);
    compress.set_quality(f32::from(quality.max(1)));
    compress.set_optimize_coding(true);
    let block = if quality < FULL_COLOR { (2, 2) } else { (1, 1) };
    compress.set_chroma_sampling_pixel_sizes(block, block);
    let mut started = compress.start_compress(Vec::new()).map_err(failed)?;
    for rows in pixels.data.chunks(pixels.width as usize * 4 * ROWS) {
        deadline.check()?;
        started.write_scanlines(rows).map_err(failed)?;
    }
    started.finish().map_err(failed)
}
