//! An image in memory.

/// A pixel: red, green, blue, and how opaque it is.
pub(crate) type Pixel = [u8; 4];

/// An image, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Pixels {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Four bytes for each pixel.
    pub(crate) data: Vec<u8>,
    /// Whether all pixels are known to be opaque.
    pub(crate) is_opaque: bool,
}

/// A rectangle of whole pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Pixels {
    /// An image of one colour.
    pub(crate) fn filled(width: u32, height: u32, color: Pixel) -> Self {
        let data = color.repeat(width as usize * height as usize);
        let [.., alpha] = color;
        Self { width, height, data, is_opaque: alpha == u8::MAX }
    }

    /// All pixels.
    pub(crate) fn pixels(&self) -> &[Pixel] {
        self.data.as_chunks().0
    }

    /// All pixels, to be changed.
    pub(crate) fn pixels_mut(&mut self) -> &mut [Pixel] {
        self.data.as_chunks_mut().0
    }

    /// The rows.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = &[Pixel]> + ExactSizeIterator {
        self.pixels().chunks_exact(self.width as usize)
    }

    /// The whole of it.
    pub(crate) fn bounds(&self) -> Rect {
        Rect { left: 0, top: 0, width: self.width as usize, height: self.height as usize }
    }

    /// The rows within a rectangle, as far as they lie within the image, to be changed.
    pub(crate) fn rows_mut(&mut self, rect: Rect) -> impl Iterator<Item = &mut [Pixel]> {
        let (left, width) = (rect.left.min(self.width as usize), self.width as usize);
        let right = rect.left.saturating_add(rect.width).min(width);
        let rows = self.data.as_chunks_mut().0.chunks_exact_mut(width);
        rows.skip(rect.top).take(rect.height).map(move |row: &mut [Pixel]| row.get_mut(left..right).unwrap_or_default())
    }

    /// The pixels within a rectangle, row by row.
    pub(crate) fn within(&self, rect: Rect) -> impl Iterator<Item = &Pixel> {
        let rows = self.rows().skip(rect.top).take(rect.height);
        rows.flat_map(move |row| row.iter().skip(rect.left).take(rect.width))
    }

    /// A part of it.
    pub(crate) fn part(&self, rect: Rect) -> Self {
        let pixels: Vec<Pixel> = self.within(rect).copied().collect();
        Self { width: side(rect.width), height: side(rect.height), data: pixels.into_flattened(), is_opaque: self.is_opaque }
    }

    /// The smallest rectangle that has all pixels in which it differs from an image of the same size.
    pub(crate) fn difference(&self, other: &Self) -> Option<Rect> {
        let mut found: Option<Rect> = None;
        for (number, (row, other)) in self.rows().zip(other.rows()).enumerate() {
            let differs = |(pixel, other): (&Pixel, &Pixel)| pixel != other;
            let Some(first) = row.iter().zip(other).position(differs) else { continue };
            let last = row.iter().zip(other).rposition(differs).unwrap_or(first);
            let before = found.unwrap_or(Rect { left: first, top: number, width: 0, height: 0 });
            let (left, right) = (before.left.min(first), (before.left + before.width).max(last + 1));
            found = Some(Rect { left, top: before.top, width: right - left, height: number + 1 - before.top });
        }
        found
    }

    /// The image in the middle of a larger one of one colour, which shows through it as well.
    pub(crate) fn laid_upon(self, width: u32, height: u32, color: Pixel) -> Self {
        if (self.width, self.height) == (width, height) && (self.is_opaque || color == [0; 4]) {
            return self;
        }
        let (left, top) = (width.saturating_sub(self.width) / 2, height.saturating_sub(self.height) / 2);
        let mut canvas = Self::filled(width, height, color);
        let rows = canvas.data.as_chunks_mut().0.chunks_exact_mut(width as usize).skip(top as usize);
        for (to, from) in rows.zip(self.rows()) {
            for (to, from) in to.iter_mut().skip(left as usize).zip(from) {
                *to = over(*from, *to);
            }
        }
        canvas.is_opaque = canvas.is_opaque || (self.is_opaque && (self.width, self.height) == (width, height));
        canvas
    }

    /// Without transparency: laid upon a colour, which is taken as opaque.
    pub(crate) fn flatten(&mut self, [red, green, blue, _]: Pixel) {
        if !self.is_opaque {
            for pixel in self.pixels_mut() {
                *pixel = over(*pixel, [red, green, blue, u8::MAX]);
            }
            self.is_opaque = true;
        }
    }

    /// Finds out whether it is opaque.
    pub(crate) fn look_for_transparency(&mut self) {
        self.is_opaque = self.is_opaque || self.pixels().iter().all(|[.., alpha]| *alpha == u8::MAX);
    }
}

/// A pixel over another one (Porter and Duff's «over»).
pub(crate) fn over(top: Pixel, below: Pixel) -> Pixel {
    let ([red, green, blue, alpha], [red_below, green_below, blue_below, alpha_below]) = (top, below);
    match (alpha, alpha_below) {
        (u8::MAX, _) | (_, 0) => top,
        (0, _) => below,
        _ => {
            let (alpha, alpha_below) = (u32::from(alpha), u32::from(alpha_below));
            // In units of 1/255²: what the lower one adds is what the upper one lets through.
            let below_share = alpha_below * (255 - alpha);
            let all = alpha * 255 + below_share;
            let mix = |top: u8, below: u8| byte((u32::from(top) * alpha * 255 + u32::from(below) * below_share + all / 2) / all);
            [mix(red, red_below), mix(green, green_below), mix(blue, blue_below), byte((all + 127) / 255)]
        }
    }
}

/// A length within an image.
fn side(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// A number as a byte; a larger one becomes 255.
pub(crate) fn byte(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}
