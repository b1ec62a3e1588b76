//! The compression function of argon2: two blocks become one.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

/// A block of 1 KiB.
pub(super) type Words = [u64; 128];

/// Computes the third block from the first two; with `true` it is combined with its old content (exclusive or).
pub(super) type Compress = fn(&Words, &Words, &mut Words, bool);

/// The fastest implementation for this processor.
pub(super) fn best() -> Compress {
    all().into_iter().next().map_or(plain::compress as Compress, |(_, value)| value)
}

/// All implementations for this processor, the fastest first.
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

// Calling a function that is compiled for a feature which the processor may not have is unsafe. Each wrapper checks the feature again (it reads one
// word of memory), so that neither can be called wrongly.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the feature of the processor is checked")]
fn with_avx512(previous: &Words, reference: &Words, current: &mut Words, add: bool) {
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has what the function is compiled for, and the function asks for nothing else.
        unsafe { avx512::compress(previous, reference, current, add) }
    } else {
        plain::compress(previous, reference, current, add);
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the feature of the processor is checked")]
fn with_avx2(previous: &Words, reference: &Words, current: &mut Words, add: bool) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for, and the function asks for nothing else.
        unsafe { avx2::compress(previous, reference, current, add) }
    } else {
        plain::compress(previous, reference, current, add);
    }
}
