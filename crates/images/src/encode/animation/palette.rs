//! The colours of a frame of a GIF: at most 256.
//!
//! A frame that has no more gets exactly its own. Else similar colours become one: they are sorted into 32
//! shades of red, green and blue, and what is in use of these is cut again and again where most pixels differ
//! most (median cut, Heckbert 1982), until there are as many parts as places. Each part becomes its mean.

use std::collections::HashMap;

/// A colour.
type Color = [u8; 3];

/// How many bits of a channel tell shades apart.
const BITS: u32 = 5;
/// How many shades there are of all three channels together.
const SHADES: usize = 1 << (3 * BITS);

/// The colours, and which of them a pixel gets.
pub(super) struct Palette {
    pub(super) colors: Vec<Color>,
    found: Found,
}

enum Found {
    Exactly(HashMap<Color, u8>),
    ByShade(Vec<u8>),
}

impl Palette {
    /// A palette for pixels, with at most `most` colours.
    pub(super) fn of(pixels: impl Iterator<Item = Color> + Clone, most: usize) -> Self {
        Self::exact(pixels.clone(), most).unwrap_or_else(|| Self::cut(pixels, most))
    }

    /// The place of a pixel's colour.
    pub(super) fn index(&self, color: Color) -> u8 {
        match &self.found {
            Found::Exactly(places) => places.get(&color).copied(),
            Found::ByShade(places) => places.get(shade(color)).copied(),
        }
        .unwrap_or_default()
    }

    fn exact(pixels: impl Iterator<Item = Color>, most: usize) -> Option<Self> {
        let (mut colors, mut places) = (Vec::new(), HashMap::new());
        let mut last = None;
        for color in pixels {
            // Most pixels are like their neighbours.
            if last.replace(color) == Some(color) || places.contains_key(&color) {
                continue;
            }
            let place = u8::try_from(colors.len()).ok().filter(|_| colors.len() < most)?;
            places.insert(color, place);
            colors.push(color);
        }
        Some(Self { colors, found: Found::Exactly(places) })
    }

    fn cut(pixels: impl Iterator<Item = Color>, most: usize) -> Self {
        let mut shades: Vec<Shade> = (0..SHADES).map(|number| Shade { number, count: 0, sums: [0; 3] }).collect();
        for color in pixels {
            if let Some(shade) = shades.get_mut(shade(color)) {
                shade.count += 1;
                shade.sums.iter_mut().zip(color).for_each(|(sum, channel)| *sum += u64::from(channel));
            }
        }
        shades.retain(|shade| shade.count > 0);
        let (mut colors, mut places) = (Vec::new(), vec![0; SHADES]);
        for part in parts(&mut shades, most) {
            let place = u8::try_from(colors.len()).unwrap_or(u8::MAX);
            colors.push(mean(part));
            for shade in part {
                if let Some(found) = places.get_mut(shade.number) {
                    *found = place;
                }
            }
        }
        Self { colors, found: Found::ByShade(places) }
    }
}

/// A shade that is in use.
struct Shade {
    number: usize,
    /// How many pixels have it.
    count: u64,
    /// The sums of their channels.
    sums: [u64; 3],
}

impl Shade {
    /// A channel, of 32.
    fn channel(&self, channel: u32) -> usize {
        self.number >> (channel * BITS) & ((1 << BITS) - 1)
    }
}

fn shade(color: Color) -> usize {
    color.iter().rev().fold(0, |number, channel| number << BITS | usize::from(channel >> (u8::BITS - BITS)))
}

/// Shades that become one colour.
struct Part<'a> {
    shades: &'a mut [Shade],
    /// The channel in which they differ most.
    channel: u32,
    /// How much is won by cutting it.
    gain: u64,
}

impl<'a> Part<'a> {
    fn new(shades: &'a mut [Shade]) -> Self {
        let width = |channel: u32| {
            let values = || shades.iter().map(|shade| shade.channel(channel));
            values().max().unwrap_or_default() - values().min().unwrap_or_default()
        };
        let (width, channel) = (0..3).map(|channel| (width(channel), channel)).max().unwrap_or_default();
        let count: u64 = shades.iter().map(|shade| shade.count).sum();
        Self { gain: count * (width * width) as u64, shades, channel }
    }

    /// The two halves: each has about as many pixels, and at least one shade.
    fn cut(self) -> [Self; 2] {
        self.shades.sort_unstable_by_key(|shade| shade.channel(self.channel));
        let all: u64 = self.shades.iter().map(|shade| shade.count).sum();
        let mut before = 0;
        let middle = self.shades.iter().position(|shade| {
            before += shade.count;
            before * 2 >= all
        });
        let last = self.shades.len().saturating_sub(1);
        let (left, right) = self.shades.split_at_mut((middle.unwrap_or_default() + 1).min(last));
        [Self::new(left), Self::new(right)]
    }
}

/// Cuts shades into at most `most` parts.
fn parts(shades: &mut [Shade], most: usize) -> Vec<&mut [Shade]> {
    let mut parts = vec![Part::new(shades)];
    while parts.len() < most {
        let widest = parts.iter().enumerate().max_by_key(|(_, part)| part.gain).filter(|(_, part)| part.gain > 0);
        let Some((number, _)) = widest else { break };
        let halves = parts.swap_remove(number).cut();
        parts.extend(halves);
    }
    parts.into_iter().map(|part| part.shades).collect()
}

/// The mean colour of pixels.
fn mean(shades: &[Shade]) -> Color {
    let count = shades.iter().map(|shade| shade.count).sum::<u64>().max(1);
    [0, 1, 2].map(|channel| {
        let sum: u64 = shades.iter().filter_map(|shade| shade.sums.get(channel)).sum();
        u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::{Color, Palette};
    use proptest::prelude::*;

    fn distance(one: Color, other: Color) -> u32 {
        one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other))).sum()
    }

    #[test]
    fn as_many_colours_as_there_are_places_are_kept_exactly() {
        let pixels: Vec<Color> = (0..=255).map(|number| [number, 255 - number, 7]).collect();
        let palette = Palette::of(pixels.iter().copied(), 256);
        assert!(pixels.iter().all(|color| palette.colors[usize::from(palette.index(*color))] == *color));
        let fewer = Palette::of(pixels.iter().copied(), 255);
        assert!(fewer.colors.len() <= 255);
        assert!(pixels.iter().all(|color| distance(fewer.colors[usize::from(fewer.index(*color))], *color) <= 16));
        assert_eq!(Palette::of(std::iter::empty(), 256).colors, [[0; 3]; 0]);
    }

    #[test]
    fn a_gradient_gets_colours_near_its_own() {
        let pixels: Vec<Color> = (0..=255).flat_map(|x| (0..=255).map(move |y| [x, y, 128])).collect();
        let palette = Palette::of(pixels.iter().copied(), 256);
        assert!(palette.colors.len() > 250, "{}", palette.colors.len());
        let all: u32 = pixels.iter().map(|color| distance(palette.colors[usize::from(palette.index(*color))], *color)).sum();
        assert!(all / 65_536 <= 12, "{}", all / 65_536);
    }

    proptest! {
        #[test]
        fn any_pixels_get_a_colour_of_the_palette(pixels in prop::collection::vec(any::<Color>(), 1..600), most in 1_usize..=256) {
            let palette = Palette::of(pixels.iter().copied(), most);
            prop_assert!(palette.colors.len() <= most);
            prop_assert!(pixels.iter().all(|color| usize::from(palette.index(*color)) < palette.colors.len()));
        }
    }
}
