//! The conditions of a plan, as SQL over `edition`.

use crate::content::{
    clauses::{Clauses, wildcard_pattern},
    delivery::terms,
};
use domain::content::query::{Condition, DateColumn, DateSide, Slugs};

/// The entries of the table `edition_tags` with one of these tags.
pub(super) fn tagged(clauses: &mut Clauses, tags: &[String]) -> String {
    format!(
        "edition_tags entry where entry.space_id = $1 and entry.edition = $2::text::edition_kind and {}",
        clauses.among("entry.tag", tags.to_vec())
    )
}

/// Whether an index finds the stories that match, and these are most likely few.
pub(super) fn is_selective(condition: &Condition) -> bool {
    match condition {
        Condition::StartsWith(_)
        | Condition::Slugs(_, true)
        | Condition::Ids(_, true)
        | Condition::Uuids(_)
        | Condition::Tags(_)
        | Condition::Search(_)
        | Condition::Nothing => true,
        Condition::Content(term) => terms::is_indexed(term),
        _ => false,
    }
}

/// The SQL of one condition; `$1` and `$2` have to be the space and the version.
pub(in super::super) fn condition_text(clauses: &mut Clauses, condition: &Condition) -> String {
    let not = |wanted: &bool| if *wanted { "" } else { "not " };
    match condition {
        Condition::StartsWith(prefix) => clauses.begins("edition.full_slug", prefix),
        Condition::Slugs(slugs, true) => format!("({})", slug_tests(clauses, slugs).join(" or ")),
        Condition::Slugs(slugs, false) => excluded(clauses, slugs),
        Condition::Ids(ids, wanted) => format!("{}(edition.story_id = any({}))", not(wanted), clauses.bind(ids.clone())),
        Condition::Uuids(uuids) => format!("edition.uuid = any({})", clauses.bind(uuids.clone())),
        Condition::Component(component) => format!("edition.component = {}", clauses.bind(component.clone())),
        Condition::Tags(tags) => format!("edition.story_id in (select entry.story_id from {})", tagged(clauses, tags)),
        Condition::Startpage(wanted) => format!("edition.is_startpage = {wanted}"),
        Condition::Level(level) => format!(
            "(not edition.is_startpage and cardinality(string_to_array(edition.full_slug, '/')) = {})",
            clauses.bind(i32::from(*level))
        ),
        Condition::Date(column, side, at) => {
            format!("coalesce(edition.{} {} {}, false)", date_column(*column), date_operator(*side), clauses.bind(*at))
        }
        Condition::Search(words) => format!("edition.search @@ to_tsquery('simple', {})", clauses.bind(search_query(words))),
        Condition::Content(term) => terms::term(clauses, term),
        Condition::AnyOf(groups) => terms::any_of(clauses, groups),
        Condition::Nothing => "false".to_owned(),
    }
}

/// The tests for these paths, of which one has to hold. An index finds all but those with patterns.
fn slug_tests(clauses: &mut Clauses, slugs: &Slugs) -> Vec<String> {
    let mut tests = Vec::new();
    if !slugs.exact.is_empty() {
        tests.push(format!("edition.full_slug = any({})", clauses.bind(slugs.exact.clone())));
    }
    tests.extend(slugs.prefixes.iter().map(|prefix| clauses.begins("edition.full_slug", prefix)));
    if !slugs.patterns.is_empty() {
        let patterns: Vec<String> = slugs.patterns.iter().map(|pattern| wildcard_pattern(&pattern.0)).collect();
        tests.push(format!("edition.full_slug like any({})", clauses.bind(patterns)));
    }
    tests
}

/// The test that a path is none of these. Those that an index finds are looked up once, instead of compared with the path of each story.
fn excluded(clauses: &mut Clauses, slugs: &Slugs) -> String {
    let (found, others) =
        (Slugs { patterns: Vec::new(), ..slugs.clone() }, Slugs { patterns: slugs.patterns.clone(), ..Slugs::default() });
    let mut tests: Vec<String> = slug_tests(clauses, &others).iter().map(|slug_test| format!("not ({slug_test})")).collect();
    let found = slug_tests(clauses, &found);
    if !found.is_empty() {
        tests.push(format!(
            "not exists (select from (select edition.story_id from editions edition
                 where edition.space_id = $1 and edition.edition = $2::text::edition_kind and not edition.is_folder and ({})) excluded
             where excluded.story_id = edition.story_id)",
            found.join(" or ")
        ));
    }
    format!("({})", tests.join(" and "))
}

/// The `tsquery` for all words, each as a prefix. Words have letters and digits only, so this is always valid.
pub(super) fn search_query(words: &[String]) -> String {
    words.iter().map(|word| format!("'{word}':*")).collect::<Vec<_>>().join(" & ")
}

fn date_column(column: DateColumn) -> &'static str {
    match column {
        DateColumn::FirstPublishedAt => "first_published_at",
        DateColumn::PublishedAt => "published_at",
        DateColumn::UpdatedAt => "updated_at",
    }
}

fn date_operator(side: DateSide) -> &'static str {
    match side {
        DateSide::After => ">",
        DateSide::AtOrAfter => ">=",
        DateSide::Before => "<",
        DateSide::AtOrBefore => "<=",
    }
}
