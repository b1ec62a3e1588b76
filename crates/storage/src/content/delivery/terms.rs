//! Tests on fields of the content (`filter_query`), as SQL over `edition.doc`, or over the table
//! `edition_fields` where its index can answer.
//!
//! Every value is bound, paths of fields too: nothing of a request becomes part of the text.

use super::select::Entries;
use crate::content::where_builder::{WhereBuilder, wildcard_pattern};
use domain::content::query::{Bound, Emptiness, FieldPath, Pattern, Segment, Test, filter::Term};

/// The condition that all terms of at least one group hold. `is true` keeps PostgreSQL from joining what only
/// one group asks for, see [`super::select`].
pub(super) fn any_of(builder: &mut WhereBuilder, groups: &[Vec<Term>]) -> String {
    let groups: Vec<String> = groups
        .iter()
        .map(|terms| {
            let terms: Vec<String> = terms.iter().map(|t| term(builder, t)).collect();
            format!("({})", terms.join(" and "))
        })
        .collect();
    format!("({}) is true", groups.join(" or "))
}

/// The condition of one term.
pub(super) fn term(builder: &mut WhereBuilder, term: &Term) -> String {
    if let Some(entries) = Entries::of_term(builder, term) {
        return format!("edition.story_id in ({})", entries.select("entry.story_id"));
    }
    below(builder, "edition.doc", term.field.segments(), &term.test)
}

/// The test of the value at a path below a jsonb expression; for `*` the condition that any element of the
/// array passes.
fn below(builder: &mut WhereBuilder, from: &str, path: &[Segment], test: &Test) -> String {
    let depth = path.iter().position(|p| *p == Segment::Any);
    let (keys, rest) = path.split_at(depth.unwrap_or(path.len()));
    let keys: Vec<String> =
        keys.iter().filter_map(|value| if let Segment::Key(key) = value { Some(key.clone()) } else { None }).collect();
    let value = if keys.is_empty() { from.to_owned() } else { format!("({from} #> {})", builder.bind(keys)) };
    let Some((_, rest)) = rest.split_first() else { return tested(builder, &value, test) };
    let element = format!("element{}", rest.len());
    let inner = below(builder, &format!("{element}.value"), rest, test);
    format!(
        "exists (select from jsonb_array_elements(case when jsonb_typeof({value}) = 'array' then {value} else '[]' end)
                 as {element} (value) where {inner})"
    )
}

/// The test of a jsonb expression. The result is true or false, never null.
fn tested(builder: &mut WhereBuilder, value: &str, asked: &Test) -> String {
    // The text of the value; null for objects, arrays and null.
    let text = format!("(case when jsonb_typeof({value}) in ('string', 'number', 'boolean') then {value} #>> '{{}}' end)");
    // The elements that are one of the values: as rows and not as an array, because PostgreSQL does not stop
    // while it compares two arrays.
    let elements = |builder: &mut WhereBuilder, values: &[String]| {
        format!(
            "from jsonb_array_elements(case when jsonb_typeof({value}) = 'array' then {value} else '[]' end) as list (item)
             where jsonb_typeof(item) in ('string', 'number', 'boolean') and item #>> '{{}}' = any({})",
            builder.bind(values.to_vec())
        )
    };
    let is_null = format!("coalesce(jsonb_typeof({value}) = 'null', true)");
    match asked {
        Test::In(values) => one_of(builder, values, &text, &is_null),
        Test::NotIn(values) => format!("not {}", one_of(builder, values, &text, &is_null)),
        Test::Like(pattern) => like(builder, &text, pattern),
        Test::NotLike(pattern) => format!("not {}", like(builder, &text, pattern)),
        Test::AnyInArray(values) => format!("exists (select {})", elements(builder, values)),
        // No value is asked for twice.
        Test::AllInArray(values) => format!(
            "((select count(distinct item #>> '{{}}') {}) = {})",
            elements(builder, values),
            builder.bind(i64::try_from(values.len()).unwrap_or(i64::MAX))
        ),
        Test::Greater(bound) => compared(builder, &text, ">", bound),
        Test::Less(bound) => compared(builder, &text, "<", bound),
        Test::Is(emptiness) => is(*emptiness, value, &text, &is_null),
        Test::Exists(wanted) => format!("(({value}) is not null) = {wanted}"),
    }
}

fn like(builder: &mut WhereBuilder, text: &str, pattern: &Pattern) -> String {
    let compared = Pattern::COMPARED;
    format!("coalesce(left({text}, {compared}) ilike {}, false)", builder.bind(wildcard_pattern(pattern.as_str())))
}

fn one_of(builder: &mut WhereBuilder, values: &[String], text: &str, is_null: &str) -> String {
    let is_blank = if values.iter().any(String::is_empty) { is_null } else { "false" };
    format!("(coalesce({text} = any({}), false) or {is_blank})", builder.bind(values.to_vec()))
}

fn is(emptiness: Emptiness, value: &str, text: &str, is_null: &str) -> String {
    let is_empty = format!("({is_null} or coalesce({text} = '', false))");
    match emptiness {
        Emptiness::Empty => is_empty,
        Emptiness::NotEmpty => format!("not {is_empty}"),
        Emptiness::EmptyArray => format!("coalesce({value} = '[]', false)"),
        Emptiness::NotEmptyArray => format!("coalesce(jsonb_typeof({value}) = 'array' and {value} <> '[]', false)"),
        Emptiness::True => format!("coalesce({text} = 'true', false)"),
        Emptiness::False => format!("coalesce({text} = 'false', false)"),
        Emptiness::Null => is_null.to_owned(),
        Emptiness::NotNull => format!("not {is_null}"),
    }
}

/// A comparison; a value that cannot be compared does not match.
fn compared(builder: &mut WhereBuilder, text: &str, operator: &'static str, bound: &Bound) -> String {
    let number =
        format!("(case when {text} ~ '^[+-]?([0-9]{{1,30}}([.][0-9]{{0,30}})?|[.][0-9]{{1,30}})$' then ({text})::numeric end)");
    match bound {
        Bound::Int(bound) => format!("coalesce({number} {operator} {}::text::numeric, false)", builder.bind(bound.to_string())),
        Bound::Float(bound) => format!("coalesce({number} {operator} {}::text::numeric, false)", builder.bind(bound.to_string())),
        Bound::Date(bound) => {
            // Compared to the minute. Content has `2026-03-01 08:05`, the same with a T or with seconds, or
            // the day alone.
            let minute = format!(
                "(case when {text} ~ '^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]+)?)?)?Z?$'
                       then left(replace(rtrim({text}, 'Z'), 'T', ' ') || ' 00:00', 16) end) collate \"C\""
            );
            format!("coalesce({minute} {operator} {}, false)", builder.bind(bound.strftime("%Y-%m-%d %H:%M").to_string()))
        }
    }
}

/// The path of a field as the operand of `#>`.
pub(super) fn path_keys(field: &FieldPath) -> Vec<String> {
    field.keys().unwrap_or_default().into_iter().map(str::to_owned).collect()
}
