//! Times on the wire: RFC 3339, UTC, always three digits of a second (`2026-03-01T08:00:00.000Z`).

use jiff::Timestamp;
use serde::Serializer;

/// The wire form of a time.
pub fn format(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// For `#[serde(serialize_with)]`.
pub fn serialize<S: Serializer>(at: &Timestamp, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&format_args!("{at:.3}"))
}

/// Times that may be absent.
pub mod option {
    use super::{Serializer, Timestamp};

    /// Writes `null` or the wire form.
    pub fn serialize<S: Serializer>(at: &Option<Timestamp>, out: S) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => super::serialize(at, out),
            None => out.serialize_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn milliseconds_are_always_written() {
        let at: jiff::Timestamp = "2026-03-01T08:00:00Z".parse().unwrap();
        assert_eq!(super::format(at), "2026-03-01T08:00:00.000Z");
    }
}
