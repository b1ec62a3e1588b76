//! The compression with AVX-512: eight words at a time.

use super::Words;
use bytemuck::must_cast;
use std::arch::x86_64::{
    __m512i as V, _mm512_add_epi64 as add_each, _mm512_mul_epu32, _mm512_permutex_epi64 as turn, _mm512_permutexvar_epi64,
    _mm512_ror_epi64 as rotate, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_xor_si512 as xor,
};

#[inline]
#[target_feature(enable = "avx512f")]
fn mix(x: V, y: V) -> V {
    let product = _mm512_mul_epu32(x, y);
    add_each(add_each(x, y), add_each(product, product))
}

/// Half of a round on two groups at a time, so that the processor computes one while the other waits for its operands.
macro_rules! half {
    ([$($a:ident $b:ident $c:ident $d:ident),*], $first:literal, $second:literal) => {
        $($a = mix($a, $b);)*
        $($d = rotate::<$first>(xor($d, $a));)*
        $($c = mix($c, $d);)*
        $($b = rotate::<$second>(xor($b, $c));)*
    };
}

/// The permutation of four rows, or of four columns: words 0-3, 4-7, 8-11 and 12-15 of two of them, then those of the other two.
#[inline]
#[target_feature(enable = "avx512f")]
fn permute([mut a0, mut b0, mut c0, mut d0, mut a1, mut b1, mut c1, mut d1]: [V; 8]) -> [V; 8] {
    half!([a0 b0 c0 d0, a1 b1 c1 d1], 32, 24);
    half!([a0 b0 c0 d0, a1 b1 c1 d1], 16, 63);
    (b0, c0, d0) = (turn::<0x39>(b0), turn::<0x4e>(c0), turn::<0x93>(d0));
    (b1, c1, d1) = (turn::<0x39>(b1), turn::<0x4e>(c1), turn::<0x93>(d1));
    half!([a0 b0 c0 d0, a1 b1 c1 d1], 32, 24);
    half!([a0 b0 c0 d0, a1 b1 c1 d1], 16, 63);
    (b0, c0, d0) = (turn::<0x93>(b0), turn::<0x4e>(c0), turn::<0x39>(d0));
    (b1, c1, d1) = (turn::<0x93>(b1), turn::<0x4e>(c1), turn::<0x39>(d1));
    [a0, b0, c0, d0, a1, b1, c1, d1]
}

/// The lower halves of both, and the upper halves. It is its own inverse.
#[inline]
#[target_feature(enable = "avx512f")]
fn halves(a: V, b: V) -> (V, V) {
    (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b))
}

/// The quarters in the order 0, 2, 1, 3. It is its own inverse.
#[inline]
#[target_feature(enable = "avx512f")]
fn middle(a: V) -> V {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 4, 5, 2, 3, 6, 7), a)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn rows([s0, s1, s2, s3, s4, s5, s6, s7]: [V; 8]) -> [V; 8] {
    let ((a0, b0), (c0, d0)) = (halves(s0, s2), halves(s1, s3));
    let ((a1, b1), (c1, d1)) = (halves(s4, s6), halves(s5, s7));
    let [a0, b0, c0, d0, a1, b1, c1, d1] = permute([a0, b0, c0, d0, a1, b1, c1, d1]);
    let ((s0, s2), (s1, s3)) = (halves(a0, b0), halves(c0, d0));
    let ((s4, s6), (s5, s7)) = (halves(a1, b1), halves(c1, d1));
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn columns([s0, s1, s2, s3, s4, s5, s6, s7]: [V; 8]) -> [V; 8] {
    let ((a0, a1), (b0, b1)) = (halves(s0, s1), halves(s2, s3));
    let ((c0, c1), (d0, d1)) = (halves(s4, s5), halves(s6, s7));
    let [a0, b0, c0, d0, a1, b1, c1, d1] =
        permute([middle(a0), middle(b0), middle(c0), middle(d0), middle(a1), middle(b1), middle(c1), middle(d1)]);
    let ((s0, s1), (s2, s3)) = (halves(middle(a0), middle(a1)), halves(middle(b0), middle(b1)));
    let ((s4, s5), (s6, s7)) = (halves(middle(c0), middle(c1)), halves(middle(d0), middle(d1)));
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

#[target_feature(enable = "avx512f")]
pub(super) fn compress(previous: &Words, reference: &Words, current: &mut Words, add: bool) {
    let inputs = previous.as_chunks::<8>().0.iter().zip(reference.as_chunks::<8>().0);
    let mut s = [_mm512_setzero_si512(); 16];
    for (word, (previous, reference)) in s.iter_mut().zip(inputs) {
        *word = xor(must_cast(*previous), must_cast(*reference));
    }
    let before = s;
    let [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15] = s;
    let [s0, s1, s2, s3, s4, s5, s6, s7] = rows([s0, s1, s2, s3, s4, s5, s6, s7]);
    let [s8, s9, s10, s11, s12, s13, s14, s15] = rows([s8, s9, s10, s11, s12, s13, s14, s15]);
    let [s0, s2, s4, s6, s8, s10, s12, s14] = columns([s0, s2, s4, s6, s8, s10, s12, s14]);
    let [s1, s3, s5, s7, s9, s11, s13, s15] = columns([s1, s3, s5, s7, s9, s11, s13, s15]);
    let s = [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15];
    for ((word, mixed), before) in current.as_chunks_mut::<8>().0.iter_mut().zip(s).zip(before) {
        let made = xor(mixed, before);
        *word = must_cast(if add { xor(made, must_cast(*word)) } else { made });
    }
}
