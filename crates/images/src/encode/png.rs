//! PNG.

use super::failed;
use crate::{Deadline, Error, pixels::Pixels};
use png::{BitDepth, ColorType, Compression, Encoder};
use std::io::Write;

/// How many rows are encoded between two looks at the deadline.
const ROWS: usize = 64;

pub(super) fn encode(pixels: &Pixels, deadline: &Deadline) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, pixels.width, pixels.height);
    encoder.set_color(if pixels.is_opaque { ColorType::Rgb } else { ColorType::Rgba });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let mut header = encoder.write_header().map_err(failed)?;
    let mut stream = header.stream_writer().map_err(failed)?;
    for rows in pixels.data.chunks(pixels.width as usize * 4 * ROWS) {
        deadline.check()?;
        if pixels.is_opaque {
            let colors: Vec<u8> = rows.as_chunks().0.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
            stream.write_all(&colors).map_err(failed)?;
        } else {
            stream.write_all(rows).map_err(failed)?;
        }
    }
    stream.finish().map_err(failed)?;
    header.finish().map_err(failed)?;
    Ok(file)
}
