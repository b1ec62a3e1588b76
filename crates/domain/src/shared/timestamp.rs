//! Times on the wire: RFC 3339, UTC, always three digits of a second (`2026-03-01T08:00:00.000Z`).

use super::Fault;
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde::Serializer;

/// Reads a time as people and scripts write it: RFC 3339, or `YYYY-MM-DD HH:mm` in UTC, also with a `T`, with seconds, or the day alone. A text with
/// the name of a time zone and no offset is refused, because the zone would be ignored.
pub fn read(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let plain = text.strip_suffix('Z').unwrap_or(text);
    let in_utc = || plain.parse::<DateTime>().ok().filter(|_| !text.contains('['))?.to_zoned(TimeZone::UTC).ok();
    let at: Timestamp = text.parse().ok().or_else(|| in_utc().map(|i| i.timestamp()))?;
    // A year outside of four digits is a typing error, and PostgreSQL holds none before 4713 BC.
    (0..=9999).contains(&at.to_zoned(TimeZone::UTC).year()).then_some(at)
}

/// Reads the time of a field or parameter; 422 that names it when it is no time.
pub fn parse(field: &str, text: &str) -> Result<Timestamp, Fault> {
    read(text).ok_or_else(|| Fault::invalid(field, "invalid", "must be a time: YYYY-MM-DD HH:mm in UTC, or RFC 3339"))
}

/// The wire form of a time.
pub fn format(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// Writes the wire form, for `#[serde(serialize_with)]`.
pub fn serialize<S: Serializer>(at: &Timestamp, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&format_args!("{at:.3}"))
}

/// The same for times that may be absent.
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
    fn times_are_read_with_an_offset_or_in_utc() {
        let at = "2026-03-01T08:05:00Z".parse().ok();
        for text in ["2026-03-01T08:05:00Z", "2026-03-01T09:05:00+01:00", " 2026-03-01 08:05", "2026-03-01T08:05:00"] {
            assert_eq!(super::read(text), at, "{text}");
        }
        assert_eq!(super::read("2026-03-01"), "2026-03-01T00:00:00Z".parse().ok());
        for text in ["", "soon", "2026-03-01T08:05[Europe/Paris]", "2026-03-01 25:00", "-000042-03-01T08:05:00Z"] {
            assert_eq!(super::read(text), None, "{text}");
        }
    }

    #[test]
    fn milliseconds_are_always_written() {
        let at: jiff::Timestamp = "2026-03-01T08:00:00Z".parse().unwrap();
        assert_eq!(super::format(at), "2026-03-01T08:00:00.000Z");
    }
}
