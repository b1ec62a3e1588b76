//! Decodes, changes and encodes images. No I/O: bytes in, bytes out, on threads of its own.
//!
//! ```text
//! bytes -> header: size, orientation, colour profile     more pixels than the limit -> refused, nothing was decoded
//!       -> pixels (RGBA)                                  a JPEG is decoded at a half, a quarter or an eighth where the result is that small
//!       -> the part that is used, at its size             one pass of a Lanczos filter
//!       -> sRGB -> turned upright -> filters -> fill -> rotation -> round corners
//!       -> bytes in the format                            without metadata
//!
//! an animation -> its frames are counted                  more pixels in all of them than the limit -> its first frame, like an image
//!              -> each frame on its canvas, and then as above
//!              -> the part of it that differs from the frame before -> the file that grows with each
//!                                                         not done in three quarters of the time -> its first frame, in the last quarter
//! ```
//!
//! [`transform`] is a function that may take seconds; [`Pool`] runs it on a bounded number of threads, and
//! gives up what takes too long. Between steps, and between rows where the decoder lets us, the work looks at
//! its [`Deadline`]. What a library does in one call cannot be stopped; see [`Pool`] for what happens then.
//!
//! JPEG is libjpeg-turbo's code as mozjpeg ships it, with its fast settings; WebP is libwebp; AVIF is rav1e.
//! The first two are C: they are fed with what strangers uploaded, so every size is checked before they are
//! called.

mod animate;
mod color;
mod deadline;
mod decode;
mod encode;
mod filters;
mod pixels;
mod pool;
mod resize;
mod riff;
mod round_corner;
mod shape;
mod smart;
#[cfg(test)]
mod tests;
mod turn;

pub use deadline::Deadline;
pub use pool::{Pool, PoolError, PoolSettings};

use domain::content::image::{ImageTarget, SourceFormat, Transformation};
use shape::Shape;
use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Bounds of one transformation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most pixels that an original may have. An animation may have as many in all of its frames
    /// together, and its result, too: else only its first frame is looked at.
    pub pixels: u64,
}

/// A result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// Its bytes.
    pub bytes: Vec<u8>,
    pub content_type: &'static str,
    /// What it shows of an animation, if that is less than was asked for.
    pub shown: Option<ShownFrames>,
}

/// A part of the frames of an animation: `1/12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownFrames {
    /// How many there are, from the first one on.
    pub frames: u32,
    /// How many the original has.
    pub of: u32,
}

impl fmt::Display for ShownFrames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.frames, self.of)
    }
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The original has more pixels than the limit.
    #[error("{width}x{height} pixels are more than {limit}")]
    TooManyPixels { width: u32, height: u32, limit: u64 },
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

/// Transforms an original. Of an animation that has too many pixels for the limits, or takes too long, the
/// result is the first frame.
pub fn transform(
    original: &[u8],
    source: SourceFormat,
    transformation: &Transformation,
    target: ImageTarget,
    limits: Limits,
    deadline: &Deadline,
) -> Result<Encoded, Error> {
    let job = Job { transformation, target, limits, deadline };
    // The decoder of JPEG reports errors by unwinding; a defect in another one must not end the thread
    // either.
    let outcome = catch_unwind(AssertUnwindSafe(|| job.run(original, source)));
    outcome.unwrap_or_else(|cause| Err(Error::Broken(panic_message(cause.as_ref()))))
}

fn panic_message(cause: &(dyn std::any::Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    text.unwrap_or("the decoder failed").to_owned()
}

/// One transformation.
struct Job<'a> {
    transformation: &'a Transformation,
    target: ImageTarget,
    limits: Limits,
    deadline: &'a Deadline,
}

impl Job<'_> {
    fn run(&self, original: &[u8], source: SourceFormat) -> Result<Encoded, Error> {
        let Some(format) = self.target.animation else { return self.still(original, source) };
        let Some(animation) = decode::animation(source, original, &self.request())? else { return self.still(original, source) };
        let of = animation.count;
        if animate::fits(&animation, self.transformation, self.limits) {
            match animate::animate(animation, self.transformation, format, &self.deadline.for_animation()) {
                // The time that is left is for the first frame.
                Err(Error::OutOfTime) => self.deadline.check()?,
                outcome => return outcome,
            }
        }
        Ok(Encoded { shown: Some(ShownFrames { frames: 1, of }), ..self.still(original, source)? })
    }

    /// An image, or the first frame.
    fn still(&self, original: &[u8], source: SourceFormat) -> Result<Encoded, Error> {
        let decoded = decode::decode(source, original, &self.request())?;
        self.deadline.check()?;
        let shown = ShownFrames { frames: 1, of: decoded.frames };
        let mut shape = Shape::new(self.transformation, decoded.size, decoded.turn, decoded.icc.as_deref());
        let resized = shape.resize(&decoded.pixels)?;
        drop(decoded);
        self.deadline.check()?;
        let pixels = shape.finish(resized, self.deadline)?;
        self.deadline.check()?;
        let format = self.target.still;
        let bytes = encode::encode(pixels, format, &self.transformation.filters, self.deadline)?;
        let is_less = shown.of > 1 && !self.transformation.is_of_one_frame();
        Ok(Encoded { bytes, content_type: format.content_type(), shown: Some(shown).filter(|_| is_less) })
    }

    fn request(&self) -> decode::Request<'_> {
        decode::Request { limits: self.limits, deadline: self.deadline, transformation: self.transformation }
    }
}
