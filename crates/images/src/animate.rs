//! Transforming animations, one frame after the other.

use super::{Deadline, Encoded, Error, Limits, ShownFrames, decode::Animation, encode, shape::Shape};
use domain::content::image::{AnimationFormat, Transformation};

/// Whether the frames of the original, and those of the result, have no more pixels together than the limit.
pub(crate) fn fits(animation: &Animation<'_>, transformation: &Transformation, limits: Limits) -> bool {
    let frame = transformation.place(animation.turn.size(animation.size)).pixels();
    let result = frame.saturating_mul(u64::from(animation.count));
    animation.pixels.max(result) <= limits.pixels
}

/// Transforms all frames. How often it is played and how long each frame is shown stays as it is.
pub(crate) fn animate(
    mut animation: Animation<'_>,
    transformation: &Transformation,
    format: AnimationFormat,
    deadline: &Deadline,
) -> Result<Encoded, Error> {
    let mut shape = Shape::new(transformation, animation.size, animation.turn, animation.icc.as_deref());
    let mut file: Option<encode::Animation> = None;
    let mut frames = 0;
    while frames < animation.count {
        deadline.check()?;
        let frame = match animation.source.next() {
            // Browsers show what comes before a broken frame, and so does the result.
            Err(Error::Broken(_)) if frames > 0 => break,
            outcome => outcome?,
        };
        let resized = shape.resize(frame.pixels)?;
        let pixels = shape.finish(resized, deadline)?;
        deadline.check()?;
        let file = match &mut file {
            Some(file) => file,
            none => none.insert(encode::Animation::new(
                format,
                (pixels.width, pixels.height),
                animation.plays,
                &transformation.filters,
            )?),
        };
        file.add(pixels, frame.duration, deadline)?;
        frames += 1;
    }
    let file = file.ok_or_else(|| Error::Broken("it has no frame".to_owned()))?;
    let shown = ShownFrames { frames, of: animation.count };
    Ok(Encoded {
        bytes: file.finish()?,
        content_type: format.content_type(),
        shown: Some(shown).filter(|shown| shown.frames < shown.of),
    })
}
