//! The header `Range` (RFC 9110, section 14).

use std::ops::Range;

/// The part of a file that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Requested {
    /// All of it: there is no range, or one that is not supported (several ranges, other units).
    Whole,
    /// One range, which lies within the file.
    Part(Range<u64>),
    /// A range that begins behind the end of the file.
    Unsatisfiable,
}

/// Parses the header of a request for a file of `length` bytes.
pub(super) fn parse(header: Option<&str>, length: u64) -> Requested {
    let Some(spec) = header.and_then(|header| header.trim().strip_prefix("bytes=")) else { return Requested::Whole };
    let Some((first, last)) = spec.trim().split_once('-').filter(|_| !spec.contains(',')) else { return Requested::Whole };
    let number = |text: &str| -> Option<u64> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that does not fit lies behind the end of every file.
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match (number(first), number(last)) {
        (None, Some(0)) if first.is_empty() => Requested::Unsatisfiable,
        (None, Some(tail)) if first.is_empty() => Requested::Part(length.saturating_sub(tail)..length),
        (Some(first), Some(last)) if first > last => Requested::Whole,
        (Some(first), _) if first >= length && (last.is_empty() || number(last).is_some()) => Requested::Unsatisfiable,
        (Some(first), Some(last)) => Requested::Part(first..last.saturating_add(1).min(length)),
        (Some(first), None) if last.is_empty() => Requested::Part(first..length),
        _ => Requested::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::{Requested, parse};

    #[test]
    fn one_range_is_answered_and_others_are_ignored() {
        for (header, is) in [
            (None, Requested::Whole),
            (Some("bytes=0-0"), Requested::Part(0..1)),
            (Some("bytes=2-"), Requested::Part(2..10)),
            (Some("bytes=2-99"), Requested::Part(2..10)),
            (Some("bytes=-3"), Requested::Part(7..10)),
            (Some("bytes=-99"), Requested::Part(0..10)),
            (Some("bytes=9-9"), Requested::Part(9..10)),
            (Some("bytes=0-18446744073709551615"), Requested::Part(0..10)),
            (Some("bytes=10-"), Requested::Unsatisfiable),
            (Some("bytes=99999999999999999999-"), Requested::Unsatisfiable),
            (Some("bytes=-0"), Requested::Unsatisfiable),
            (Some("bytes=5-2"), Requested::Whole),
            (Some("bytes=0-1,3-4"), Requested::Whole),
            (Some("bytes=a-b"), Requested::Whole),
            (Some("bytes=+1-2"), Requested::Whole),
            (Some("bytes=-"), Requested::Whole),
            (Some("lines=1-2"), Requested::Whole),
        ] {
            assert_eq!(parse(header, 10), is, "{header:?}");
        }
    }
}
