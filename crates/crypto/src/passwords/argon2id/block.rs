//! The compression function of argon2: two blocks become one.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

/// A block of 1 KiB.
pub(super) type Words = [u64; 128];

/// Makes the last block of the first two, or adds it to what is there.
pub(super) type Compress = fn(&Words, &Words, &mut Words, bool);

/// The fastest that this processor can do.
pub(super) fn best() -> Compress {
    all().into_iter().next().map_or(plain::compress as Compress, |(_, value)| value)
}

/// All that this processor can do, the fastest first.
pub(super) fn all() -> Vec<(&'static str, Compress)> {
    #[cfg(target_arch = "x86_64")]
    let wide = [
        is_x86_feature_detected!("avx512f").then_some(("avx512", with_avx512 as Compress)),
        is_x86_feature_detected!("avx2").then_some(("avx2", with_avx2 as Compress)),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let wide = [None];
    wide.into_iter().flatten().chain([("plain", plain::compress as Compress)]).collect()
}

// The language has no other way to call what is compiled for a processor that may not be there. Each asks again whether it is (a look at a
// word of memory), so that neither can be called wrongly.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the processor was asked")]
fn with_avx512(previous: &Words, reference: &Words, current: &mut Words, add: bool) {
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has what the function is compiled for, and the function asks for nothing else.
        unsafe { avx512::compress(previous, reference, current, add) }
    } else {
        plain::compress(previous, reference, current, add);
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the processor was asked")]
fn with_avx2(previous: &Words, reference: &Words, current: &mut Words, add: bool) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for, and the function asks for nothing else.
        unsafe { avx2::compress(previous, reference, current, add) }
    } else {
        plain::compress(previous, reference, current, add);
    }
}
