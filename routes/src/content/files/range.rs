//! `Range`: which part of a file is wanted (RFC 9110, section 14).

use std::ops::Range;

/// What a request wants of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it: nothing else was asked for, or in a way that we do not answer (several ranges, other units).
    Whole,
    /// One range, which lies inside of the file.
    Part(Range<u64>),
    /// A range that begins behind the end.
    Nothing,
}

/// Reads the header of a request for a file of so many bytes.
pub(super) fn wanted(header: Option<&str>, length: u64) -> Wanted {
    let Some(spec) = header.and_then(|header| header.trim().strip_prefix("bytes=")) else { return Wanted::Whole };
    let Some((first, last)) = spec.trim().split_once('-').filter(|_| !spec.contains(',')) else { return Wanted::Whole };
    let number = |text: &str| -> Option<u64> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // One that is too large for us lies behind every end.
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match (number(first), number(last)) {
        (None, Some(0)) if first.is_empty() => Wanted::Nothing,
        (None, Some(tail)) if first.is_empty() => Wanted::Part(length.saturating_sub(tail)..length),
        (Some(first), Some(last)) if first > last => Wanted::Whole,
        (Some(first), _) if first >= length && (last.is_empty() || number(last).is_some()) => Wanted::Nothing,
        (Some(first), Some(last)) => Wanted::Part(first..last.saturating_add(1).min(length)),
        (Some(first), None) if last.is_empty() => Wanted::Part(first..length),
        _ => Wanted::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::{Wanted, wanted};

    #[test]
    fn one_range_is_answered_and_odd_ones_are_not_heeded() {
        for (header, is) in [
            (None, Wanted::Whole),
            (Some("bytes=0-0"), Wanted::Part(0..1)),
            (Some("bytes=2-"), Wanted::Part(2..10)),
            (Some("bytes=2-99"), Wanted::Part(2..10)),
            (Some("bytes=-3"), Wanted::Part(7..10)),
            (Some("bytes=-99"), Wanted::Part(0..10)),
            (Some("bytes=9-9"), Wanted::Part(9..10)),
            (Some("bytes=0-18446744073709551615"), Wanted::Part(0..10)),
            (Some("bytes=10-"), Wanted::Nothing),
            (Some("bytes=99999999999999999999-"), Wanted::Nothing),
            (Some("bytes=-0"), Wanted::Nothing),
            (Some("bytes=5-2"), Wanted::Whole),
            (Some("bytes=0-1,3-4"), Wanted::Whole),
            (Some("bytes=a-b"), Wanted::Whole),
            (Some("bytes=+1-2"), Wanted::Whole),
            (Some("bytes=-"), Wanted::Whole),
            (Some("lines=1-2"), Wanted::Whole),
        ] {
            assert_eq!(wanted(header, 10), is, "{header:?}");
        }
    }
}
