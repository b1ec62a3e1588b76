//! Tests on the value of a field: the operations of `filter_query`.

use super::Pattern;
use crate::shared::{Fault, FieldCode, timestamp};
use jiff::{civil::DateTime, tz::TimeZone};
use std::collections::HashSet;
use strum::EnumString;

/// How many values a list may have.
const MAX_VALUES: usize = 500;

/// An operation with its operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// `in`: the text of the value is one of these. An empty text also matches null and a missing field.
    In(Vec<String>),
    /// `not_in`: the text of the value is none of these; a missing field passes.
    NotIn(Vec<String>),
    /// `like`: the text, up to [`Pattern::COMPARED`] characters of it, matches the whole pattern, regardless
    /// of case. A missing field does not match.
    Like(Pattern),
    /// `not_like`: the opposite of `like`, so a missing field matches.
    NotLike(Pattern),
    /// `any_in_array`: the value is an array that holds one of these.
    AnyInArray(Vec<String>),
    /// `all_in_array`: the value is an array that holds all of these.
    AllInArray(Vec<String>),
    /// `gt_…`: the value is greater. A value that cannot be compared does not match.
    Greater(Bound),
    /// `lt_…`: the value is less; otherwise as `gt_…`.
    Less(Bound),
    /// `is`: the value is of a kind.
    Is(Emptiness),
    /// `exists`: the field is there, or (`false`) is not.
    Exists(bool),
}

/// The operand of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    /// A time in UTC, compared to the minute, as content has it.
    Date(DateTime),
    Int(i64),
    /// A number with decimals.
    Float(f64),
}

/// The operands of `is`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Emptiness {
    /// Missing, null, or an empty text.
    Empty,
    /// The opposite of `empty`.
    NotEmpty,
    EmptyArray,
    /// An array with at least one element.
    NotEmptyArray,
    /// The boolean true (or its text).
    True,
    /// The boolean false (or its text).
    False,
    Null,
    /// The opposite of `null`.
    NotNull,
}

impl Test {
    /// How many values the field is compared with.
    pub fn breadth(&self) -> usize {
        match self {
            Self::In(values) | Self::NotIn(values) | Self::AnyInArray(values) | Self::AllInArray(values) => values.len(),
            _ => 1,
        }
    }

    /// Parses an operation and its operand. Hyphens are read as underscores: version 1 of Storyblok's API had
    /// them. 422 that names the parameter.
    pub fn parse(parameter: &str, operation: &str, value: &str) -> Result<Self, Fault> {
        let wrong = |message: String| Fault::invalid(parameter, FieldCode::Invalid, message);
        let list = |part: fn(&str) -> &str| {
            let mut seen = HashSet::new();
            // Without duplicates, which cost time and change nothing.
            let values: Vec<String> =
                value.split(',').map(part).filter(|part| seen.insert(*part)).take(MAX_VALUES + 1).map(str::to_owned).collect();
            if values.len() > MAX_VALUES {
                return Err(wrong(format!("has more than {MAX_VALUES} values")));
            }
            Ok(values)
        };
        let date = || parse_date(value).map(Bound::Date).ok_or_else(|| wrong("must be a date: YYYY-MM-DD HH:mm".into()));
        let int = || value.trim().parse().map(Bound::Int).map_err(|_| wrong("must be a whole number".into()));
        let float = || match value.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Bound::Float(number)),
            _ => Err(wrong("must be a number with a decimal point".into())),
        };
        Ok(match operation.replace('-', "_").as_str() {
            "in" => Self::In(list(exact)?),
            "not_in" => Self::NotIn(list(exact)?),
            "like" => Self::Like(Pattern::parse(parameter, value)?),
            "not_like" => Self::NotLike(Pattern::parse(parameter, value)?),
            "any_in_array" | "in_array" => Self::AnyInArray(list(str::trim)?),
            "all_in_array" => Self::AllInArray(list(str::trim)?),
            "gt_date" => Self::Greater(date()?),
            "lt_date" => Self::Less(date()?),
            "gt_int" => Self::Greater(int()?),
            "lt_int" => Self::Less(int()?),
            "gt_float" => Self::Greater(float()?),
            "lt_float" => Self::Less(float()?),
            "is" => Self::Is(value.parse().map_err(|_| wrong(format!("has an unknown keyword: {value}")))?),
            "exists" => match value {
                "1" | "true" => Self::Exists(true),
                "0" | "false" => Self::Exists(false),
                _ => return Err(wrong("must be true or false".into())),
            },
            _ => return Err(wrong(format!("has an unknown operation: {operation}"))),
        })
    }
}

/// A value of a list as it was written.
fn exact(part: &str) -> &str {
    part
}

/// A time as [`timestamp::read`] reads it, as that of UTC.
fn parse_date(text: &str) -> Option<DateTime> {
    timestamp::read(text).map(|at| TimeZone::UTC.to_datetime(at))
}

#[cfg(test)]
mod tests {
    use super::{Bound, Emptiness, Test, parse_date};
    use crate::{content::query::Pattern, shared::Fault};

    #[test]
    fn dates_are_times_in_utc() {
        let at = "2026-03-01T08:05:00".parse().unwrap();
        for text in
            ["2026-03-01 08:05", "2026-03-01T08:05", "2026-03-01T08:05:00Z", "2026-03-01 09:05+01:00", " 2026-03-01T03:05:00-05:00"]
        {
            assert_eq!(parse_date(text), Some(at), "{text}");
        }
        for day in ["2026-03-01", "2026-03-01Z", "2026-03-01T00:30+00:30"] {
            assert_eq!(parse_date(day), Some("2026-03-01T00:00:00".parse().unwrap()), "{day}");
        }
        for bad in ["soon", "", "2026-03-01T08:05[Europe/Paris]", "2026-03-01[u-ca=hebrew]", "2026-13-01"] {
            assert_eq!(parse_date(bad), None, "{bad}");
        }
    }

    fn parse(operation: &str, value: &str) -> Result<Test, Fault> {
        Test::parse("p", operation, value)
    }

    #[test]
    fn every_operation_reads_its_operand_with_underscores_or_hyphens() {
        let list = |values: [&str; 2]| values.map(str::to_owned).to_vec();
        let pattern = || Pattern::parse("p", "a*").unwrap();
        let date = || Bound::Date("2026-03-01T08:05:00".parse().unwrap());
        for (operation, value, test) in [
            ("in", "a, b", Test::In(list(["a", " b"]))),
            ("not_in", "a,", Test::NotIn(list(["a", ""]))),
            ("like", "a**", Test::Like(pattern())),
            ("not_like", "a*", Test::NotLike(pattern())),
            ("any_in_array", "a, b", Test::AnyInArray(list(["a", "b"]))),
            ("in_array", "a, b", Test::AnyInArray(list(["a", "b"]))),
            ("all_in_array", "a, b", Test::AllInArray(list(["a", "b"]))),
            ("gt_date", "2026-03-01 08:05", Test::Greater(date())),
            ("lt_date", "2026-03-01 08:05", Test::Less(date())),
            ("gt_int", " -5 ", Test::Greater(Bound::Int(-5))),
            ("lt_int", "7", Test::Less(Bound::Int(7))),
            ("gt_float", " 1.5 ", Test::Greater(Bound::Float(1.5))),
            ("lt_float", "-2", Test::Less(Bound::Float(-2.0))),
            ("is", "empty", Test::Is(Emptiness::Empty)),
            ("is", "not_empty", Test::Is(Emptiness::NotEmpty)),
            ("is", "empty_array", Test::Is(Emptiness::EmptyArray)),
            ("is", "not_empty_array", Test::Is(Emptiness::NotEmptyArray)),
            ("is", "true", Test::Is(Emptiness::True)),
            ("is", "false", Test::Is(Emptiness::False)),
            ("is", "null", Test::Is(Emptiness::Null)),
            ("is", "not_null", Test::Is(Emptiness::NotNull)),
            ("exists", "1", Test::Exists(true)),
            ("exists", "true", Test::Exists(true)),
            ("exists", "0", Test::Exists(false)),
            ("exists", "false", Test::Exists(false)),
        ] {
            assert_eq!(parse(operation, value).unwrap(), test, "{operation}={value}");
            assert_eq!(parse(&operation.replace('_', "-"), value).unwrap(), test, "{operation}={value}");
        }
    }

    #[test]
    fn an_operand_that_does_not_fit_the_operation_is_refused() {
        for (operation, value) in [
            ("gt_int", "1.5"),
            ("lt_int", ""),
            ("gt_float", "nan"),
            ("lt_float", "-inf"),
            ("lt_date", "noon"),
            ("is", "Empty"),
            ("exists", "yes"),
            ("exists", ""),
            ("gt", "5"),
            ("", "5"),
        ] {
            assert_eq!(parse(operation, value).unwrap_err().details[0].field, "p", "{operation}={value}");
        }
    }

    #[test]
    fn a_list_has_500_different_values_at_most() {
        let list = |count: usize| (0..count).map(|value| value.to_string()).collect::<Vec<_>>().join(",");
        for operation in ["in", "not_in", "any_in_array", "all_in_array"] {
            assert_eq!(parse(operation, &list(500)).unwrap().breadth(), 500, "{operation}");
            assert_eq!(
                parse(operation, &format!("{},0,1", list(500))).unwrap().breadth(),
                500,
                "{operation}: repeated ones do not count"
            );
            assert_eq!(parse(operation, &list(501)).unwrap_err().details[0].field, "p", "{operation}");
        }
        assert_eq!(parse("gt_int", "500").unwrap().breadth(), 1);
    }
}
