//! Decodes, changes and encodes images. No I/O: bytes in, bytes out, on threads of its own.
//!
//! ```text
//! bytes -> header: size, orientation, colour profile     more pixels than the limit -> refused, nothing was decoded
//!       -> pixels (RGBA)                                  a JPEG is decoded at a half, a quarter or an eighth where the result is that small
//!       -> the part that is used, at its size             one pass of a Lanczos filter
//!       -> sRGB -> turned upright -> filters -> fill -> rotation -> round corners
//!       -> bytes in the format                            without metadata
//! ```
//!
//! [`transform`] is a function that may take seconds; [`Pool`] runs it on a bounded number of threads, and gives up what takes too long. Between steps, and between
//! rows where the decoder lets us, the work looks at its [`Deadline`]. What a library does in one call cannot be stopped; see [`Pool`] for what happens then.
//!
//! JPEG is libjpeg-turbo's code as mozjpeg ships it, with its fast settings; WebP is libwebp; AVIF is rav1e. The first two are C: they are fed with what
//! strangers uploaded, so every size is checked before they are called.

mod color;
mod deadline;
mod decode;
mod encode;
mod filters;
mod pixels;
mod pool;
mod resize;
mod round_corner;
mod smart;
#[cfg(test)]
mod tests;
mod turn;

pub use deadline::Deadline;
pub use pool::{Pool, PoolError, PoolSettings};

use decode::Decoded;
use domain::content::image::{Fill, Format, Rotation, SourceFormat, Transformation};
use pixels::Pixels;
use std::panic::{AssertUnwindSafe, catch_unwind};
use turn::Turn;

/// Bounds of one transformation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most pixels that an original may have, all frames of a canvas taken as one.
    pub pixels: u64,
}

/// A result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub content_type: &'static str,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The original has more pixels than the limit.
    #[error("{width}x{height} pixels are more than {limit}")]
    TooManyPixels {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// The limit.
        limit: u64,
    },
    /// The original is broken, or of a kind that cannot be decoded.
    #[error("the image cannot be decoded: {0}")]
    Broken(String),
    /// It took too long, or the request that wanted it is gone.
    #[error("the time for the image is over")]
    OutOfTime,
    /// An encoder failed: a defect of ours.
    #[error("the image cannot be encoded: {0}")]
    Encoder(String),
}

/// Transforms an original. An animated image is returned as it is, unless the transformation names a format that shows one frame only: then it is the first.
pub fn transform(
    original: &[u8],
    source: SourceFormat,
    transformation: &Transformation,
    format: Format,
    limits: Limits,
    deadline: &Deadline,
) -> Result<Encoded, Error> {
    let work = || {
        if may_stay(transformation) && decode::is_animated(source, original) {
            return Ok(Encoded { bytes: original.to_vec(), content_type: decode::content_type(source) });
        }
        let job = Job { transformation, format, deadline };
        job.run(original, source, limits)
    };
    // The decoder of JPEG reports errors by unwinding; a defect in another one must not end the thread either.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| Err(Error::Broken(panic_message(cause.as_ref()))))
}

/// Whether an animated original may stay as it is: the caller did not name a format that shows one frame only.
fn may_stay(transformation: &Transformation) -> bool {
    !matches!(transformation.filters.format, Some(Format::Avif | Format::Jpeg | Format::Png))
}

fn panic_message(cause: &(dyn std::any::Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    text.unwrap_or("the decoder failed").to_owned()
}

/// One transformation.
struct Job<'a> {
    transformation: &'a Transformation,
    format: Format,
    deadline: &'a Deadline,
}

impl Job<'_> {
    fn run(&self, original: &[u8], source: SourceFormat, limits: Limits) -> Result<Encoded, Error> {
        let request = decode::Request { limits, deadline: self.deadline, transformation: self.transformation };
        let decoded = decode::decode(source, original, &request)?;
        self.deadline.check()?;
        let pixels = self.shape(decoded)?;
        self.deadline.check()?;
        let bytes = encode::encode(pixels, self.format, &self.transformation.filters, self.deadline)?;
        Ok(Encoded { bytes, content_type: self.format.content_type() })
    }

    /// Everything between decoding and encoding.
    fn shape(&self, decoded: Decoded) -> Result<Pixels, Error> {
        let filters = &self.transformation.filters;
        let turn = decoded.turn;
        let placement = self.transformation.place(turn.size(decoded.size));
        let icc = decoded.icc.clone();
        let mut pixels = resize::place(&decoded, &placement, self.transformation.smart && filters.focal.is_none())?;
        drop(decoded);
        self.deadline.check()?;
        if let Some(icc) = icc {
            color::to_srgb(&mut pixels, &icc);
        }
        pixels = turn.apply(pixels);
        if filters.grayscale {
            filters::grayscale(&mut pixels);
        }
        if filters.brightness != 0 {
            filters::brightness(&mut pixels, filters.brightness);
        }
        if let Some(blur) = filters.blur {
            filters::blur(&mut pixels, blur, self.deadline)?;
        }
        pixels = Turn::flips(self.transformation.flips_x, self.transformation.flips_y).apply(pixels);
        if let Some(canvas) = placement.canvas {
            let color = match filters.fill {
                Some(Fill::Color(color)) => color.0,
                _ => [0; 4],
            };
            pixels = pixels.laid_upon(canvas.width, canvas.height, color);
        }
        pixels = match filters.rotation {
            Rotation::None => pixels,
            Rotation::Quarter => Turn::QUARTER.apply(pixels),
            Rotation::Half => Turn::HALF.apply(pixels),
            Rotation::ThreeQuarters => Turn::THREE_QUARTERS.apply(pixels),
        };
        if let Some(corner) = filters.round_corner {
            round_corner::round(&mut pixels, corner);
        }
        Ok(pixels)
    }
}
