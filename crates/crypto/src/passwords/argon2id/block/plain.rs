//! The compression for every processor.

use super::Words;

/// The addition of `BLAKE2b` with a multiplication, which makes the function costly for special hardware (RFC 9106, section 3.6).
#[inline]
fn mix(x: u64, y: u64) -> u64 {
    let product = (x & 0xffff_ffff) * (y & 0xffff_ffff);
    x.wrapping_add(y).wrapping_add(product.wrapping_mul(2))
}

#[inline]
fn quarter(a: &mut u64, b: &mut u64, c: &mut u64, d: &mut u64) {
    *a = mix(*a, *b);
    *d = (*d ^ *a).rotate_right(32);
    *c = mix(*c, *d);
    *b = (*b ^ *c).rotate_right(24);
    *a = mix(*a, *b);
    *d = (*d ^ *a).rotate_right(16);
    *c = mix(*c, *d);
    *b = (*b ^ *c).rotate_right(63);
}

#[inline]
fn permute([v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15]: &mut [u64; 16]) {
    quarter(v0, v4, v8, v12);
    quarter(v1, v5, v9, v13);
    quarter(v2, v6, v10, v14);
    quarter(v3, v7, v11, v15);
    quarter(v0, v5, v10, v15);
    quarter(v1, v6, v11, v12);
    quarter(v2, v7, v8, v13);
    quarter(v3, v4, v9, v14);
}

pub(super) fn compress(previous: &Words, reference: &Words, current: &mut Words, add: bool) {
    let mut mixed = *previous;
    mixed.iter_mut().zip(reference).for_each(|(word, other)| *word ^= other);
    let before = mixed;
    let (rows, _) = mixed.as_chunks_mut::<16>();
    rows.iter_mut().for_each(permute);
    for number in 0..8 {
        let mut column = [0; 16];
        for (pair, row) in column.as_chunks_mut::<2>().0.iter_mut().zip(rows.iter()) {
            row.as_chunks::<2>().0.iter().skip(number).take(1).for_each(|as_chunk| *pair = *as_chunk);
        }
        permute(&mut column);
        for (pair, row) in column.as_chunks::<2>().0.iter().zip(rows.iter_mut()) {
            row.as_chunks_mut::<2>().0.iter_mut().skip(number).take(1).for_each(|value| *value = *pair);
        }
    }
    for ((word, mixed), before) in current.iter_mut().zip(mixed).zip(before) {
        *word = mixed ^ before ^ if add { *word } else { 0 };
    }
}
