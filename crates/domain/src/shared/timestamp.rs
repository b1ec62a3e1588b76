//! Times on the wire: RFC 3339, UTC, always three digits of a second (`2026-03-01T08:00:00.000Z`).

use super::{Fault, FieldCode};
use jiff::{Timestamp, civil::DateTime, fmt::rfc2822, tz::TimeZone};
use serde::Serializer;

/// Reads a time as people and scripts write it:
///
/// - RFC 3339;
/// - `YYYY-MM-DD HH:mm` in UTC, also with a `T`, with seconds, or the day alone, and with `UTC` or an offset
///   (`+0100`) behind it;
/// - the date of a mail (RFC 5322, section 3.3) and the three of HTTP (RFC 9110, section 5.6.7);
/// - what JavaScript's `Date` becomes as text: `Sun Mar 01 2026 09:05:00 GMT+0100 (Central European Standard
///   Time)`.
///
/// A text with the name of a time zone and no offset is refused, because the zone would be ignored.
pub fn read(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let at = text.parse().ok().or_else(|| in_utc(text)).or_else(|| with_offset(text)).or_else(|| of_protocol(text))?;
    // A year outside of four digits is a typing error, and PostgreSQL holds none before 4713 BC.
    (0..=9999).contains(&at.to_zoned(TimeZone::UTC).year()).then_some(at)
}

fn in_utc(text: &str) -> Option<Timestamp> {
    let plain = text.strip_suffix('Z').or_else(|| text.strip_suffix(" UTC")).unwrap_or(text);
    let at: DateTime = plain.parse().ok().filter(|_| !text.contains('['))?;
    at.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp())
}

/// A local time with its offset, as Ruby and JavaScript write it.
fn with_offset(text: &str) -> Option<Timestamp> {
    // Behind the offset JavaScript names the zone for people.
    let (text, name) = text.split_once(" (").unwrap_or((text, ")"));
    let formats = ["%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %H:%M %z", "%a %b %d %Y %H:%M:%S GMT%z"];
    formats.into_iter().filter(|_| name.ends_with(')')).find_map(|format| Timestamp::strptime(format, text).ok())
}

/// The date of a mail or of HTTP.
fn of_protocol(text: &str) -> Option<Timestamp> {
    let of_http = || httpdate::parse_http_date(text).ok().and_then(|at| Timestamp::try_from(at).ok());
    rfc2822::parse(text).ok().map(|at| at.timestamp()).or_else(of_http)
}

/// Reads the time of a field or parameter; 422 that names it when it is no time.
pub fn parse(field: &str, text: &str) -> Result<Timestamp, Fault> {
    read(text).ok_or_else(|| Fault::invalid(field, FieldCode::Invalid, "must be a time: YYYY-MM-DD HH:mm in UTC, or RFC 3339"))
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
        for text in [
            "2026-03-01T08:05:00Z",
            "2026-03-01T09:05:00+01:00",
            " 2026-03-01 08:05",
            "2026-03-01T08:05:00",
            "2026-03-01 08:05 UTC",
            "2026-03-01 08:05:00 UTC",
            "2026-03-01 09:05 +0100",
            "2026-03-01 03:05:00 -0500",
            "Sun, 1 Mar 2026 09:05:00 +0100",
            "Sun, 01 Mar 2026 08:05:00 GMT",
            "1 Mar 2026 08:05 +0000",
            "Sunday, 01-Mar-26 08:05:00 GMT",
            "Sun Mar  1 08:05:00 2026",
            "Sun Mar 01 2026 09:05:00 GMT+0100 (Central European Standard Time)",
            "Sun Mar 01 2026 08:05:00 GMT+0000",
        ] {
            assert_eq!(super::read(text), at, "{text}");
        }
        assert_eq!(super::read("2026-03-01"), "2026-03-01T00:00:00Z".parse().ok());
        for text in [
            "",
            "soon",
            "2026-03-01T08:05[Europe/Paris]",
            "2026-03-01 08:05 CET",
            "Sun Mar 01 2026 09:05:00",
            "2026-03-01 08:05 +0100 (",
            "2026-03-01 25:00",
            "-000042-03-01T08:05:00Z",
        ] {
            assert_eq!(super::read(text), None, "{text}");
        }
    }

    #[test]
    fn milliseconds_are_always_written() {
        let at: jiff::Timestamp = "2026-03-01T08:00:00Z".parse().unwrap();
        assert_eq!(super::format(at), "2026-03-01T08:00:00.000Z");
    }
}
