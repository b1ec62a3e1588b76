//! The compression with AVX2: four words at a time.

use super::Words;
use bytemuck::must_cast;
use std::arch::x86_64::{
    __m256i as V, _mm256_add_epi64 as add_each, _mm256_mul_epu32, _mm256_permute2x128_si256, _mm256_permute4x64_epi64 as turn,
    _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32, _mm256_srli_epi64, _mm256_xor_si256 as xor,
};

#[inline]
#[target_feature(enable = "avx2")]
fn mix(x: V, y: V) -> V {
    let product = _mm256_mul_epu32(x, y);
    add_each(add_each(x, y), add_each(product, product))
}

#[inline]
#[target_feature(enable = "avx2")]
fn by_32(x: V) -> V {
    _mm256_shuffle_epi32::<0xb1>(x)
}

#[inline]
#[target_feature(enable = "avx2")]
fn by_24(x: V) -> V {
    let bytes = _mm256_setr_epi8(
        3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10, 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10,
    );
    _mm256_shuffle_epi8(x, bytes)
}

#[inline]
#[target_feature(enable = "avx2")]
fn by_16(x: V) -> V {
    let bytes = _mm256_setr_epi8(
        2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9, 2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9,
    );
    _mm256_shuffle_epi8(x, bytes)
}

#[inline]
#[target_feature(enable = "avx2")]
fn by_63(x: V) -> V {
    xor(_mm256_srli_epi64::<63>(x), add_each(x, x))
}

/// Half of a round on two groups at a time, so that the processor computes one while the other waits for its operands.
macro_rules! half {
    ([$($a:ident $b:ident $c:ident $d:ident),*], $first:ident, $second:ident) => {
        $($a = mix($a, $b);)*
        $($d = $first(xor($d, $a));)*
        $($c = mix($c, $d);)*
        $($b = $second(xor($b, $c));)*
    };
}

/// The permutation of two rows, or of two columns: words 0-3, 4-7, 8-11 and 12-15 of one, then those of the other.
#[inline]
#[target_feature(enable = "avx2")]
fn permute([mut a0, mut b0, mut c0, mut d0, mut a1, mut b1, mut c1, mut d1]: [V; 8]) -> [V; 8] {
    half!([a0 b0 c0 d0, a1 b1 c1 d1], by_32, by_24);
    half!([a0 b0 c0 d0, a1 b1 c1 d1], by_16, by_63);
    (b0, c0, d0) = (turn::<0x39>(b0), turn::<0x4e>(c0), turn::<0x93>(d0));
    (b1, c1, d1) = (turn::<0x39>(b1), turn::<0x4e>(c1), turn::<0x93>(d1));
    half!([a0 b0 c0 d0, a1 b1 c1 d1], by_32, by_24);
    half!([a0 b0 c0 d0, a1 b1 c1 d1], by_16, by_63);
    (b0, c0, d0) = (turn::<0x93>(b0), turn::<0x4e>(c0), turn::<0x39>(d0));
    (b1, c1, d1) = (turn::<0x93>(b1), turn::<0x4e>(c1), turn::<0x39>(d1));
    [a0, b0, c0, d0, a1, b1, c1, d1]
}

/// The lower halves of both, and the upper halves. It is its own inverse.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(a: V, b: V) -> (V, V) {
    (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn columns([s0, s1, s2, s3, s4, s5, s6, s7]: [V; 8]) -> [V; 8] {
    let ((a0, a1), (b0, b1)) = (halves(s0, s1), halves(s2, s3));
    let ((c0, c1), (d0, d1)) = (halves(s4, s5), halves(s6, s7));
    let [a0, b0, c0, d0, a1, b1, c1, d1] = permute([a0, b0, c0, d0, a1, b1, c1, d1]);
    let ((s0, s1), (s2, s3)) = (halves(a0, a1), halves(b0, b1));
    let ((s4, s5), (s6, s7)) = (halves(c0, c1), halves(d0, d1));
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

#[target_feature(enable = "avx2")]
pub(super) fn compress(previous: &Words, reference: &Words, current: &mut Words, add: bool) {
    let inputs = previous.as_chunks::<4>().0.iter().zip(reference.as_chunks::<4>().0);
    let mut s = [_mm256_setzero_si256(); 32];
    for (word, (previous, reference)) in s.iter_mut().zip(inputs) {
        *word = xor(must_cast(*previous), must_cast(*reference));
    }
    let before = s;
    for two in s.as_chunks_mut::<8>().0 {
        *two = permute(*two);
    }
    // Two columns at a time: the same four words of every row.
    macro_rules! both {
        ($($index:literal)*) => { [$(s[$index]),*] = columns([$(s[$index]),*]); };
    }
    both!(0 4 8 12 16 20 24 28);
    both!(1 5 9 13 17 21 25 29);
    both!(2 6 10 14 18 22 26 30);
    both!(3 7 11 15 19 23 27 31);
    for ((word, mixed), before) in current.as_chunks_mut::<4>().0.iter_mut().zip(s).zip(before) {
        let made = xor(mixed, before);
        *word = must_cast(if add { xor(made, must_cast(*word)) } else { made });
    }
}
