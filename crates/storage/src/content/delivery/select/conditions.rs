//! The conditions of a plan, as SQL over `edition`.

use super::entries::Entries;
use crate::content::{
    delivery::terms,
    where_builder::{WhereBuilder, wildcard_pattern},
};
use domain::content::query::{Condition, DateColumn, DateSide, IndexedTest, Slugs, cost::is_short_word};

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
        Condition::Content(term) => IndexedTest::of(term).is_some(),
        _ => false,
    }
}

/// The SQL of one condition; `$1` and `$2` have to be the space and the version.
pub(in crate::content) fn condition_text(builder: &mut WhereBuilder, condition: &Condition) -> String {
    let not = |wanted: &bool| if *wanted { "" } else { "not " };
    match condition {
        Condition::StartsWith(prefix) => builder.begins("edition.full_slug", prefix),
        Condition::Slugs(slugs, true) => format!("({})", slug_tests(builder, slugs).join(" or ")),
        Condition::Slugs(slugs, false) => excluded(builder, slugs),
        Condition::Ids(ids, wanted) => format!("{}(edition.story_id = any({}))", not(wanted), builder.bind(ids.clone())),
        Condition::Uuids(uuids) => format!("edition.uuid = any({})", builder.bind(uuids.clone())),
        Condition::Tags(tags) => format!("edition.story_id in ({})", Entries::of_tags(builder, tags).select("entry.story_id")),
        Condition::Component(component) => format!("edition.component = {}", builder.bind(component.clone())),
        Condition::Startpage(wanted) => format!("edition.is_startpage = {wanted}"),
        Condition::Level(level) => format!(
            "(not edition.is_startpage and cardinality(string_to_array(edition.full_slug, '/')) = {})",
            builder.bind(i32::from(*level))
        ),
        Condition::Date(column, side, at) => {
            format!("coalesce(edition.{} {} {}, false)", date_column(*column), date_operator(*side), builder.bind(*at))
        }
        Condition::Search(words) => searched(builder, words),
        Condition::Content(term) => terms::term(builder, term),
        Condition::AnyOf(groups) => terms::any_of(builder, groups),
        Condition::ContainsComponent(components) => format!(
            "jsonb_path_exists(edition.doc, '$.** ? (@.component == $names[*])', jsonb_build_object('names', {}::text[]))",
            builder.bind(components.clone())
        ),
        Condition::RefersTo(story) => {
            format!("exists (select from unnest(edition.refs) as ref where right(ref, 36) = {})", builder.bind(story.to_string()))
        }
        Condition::Nothing => "false".to_owned(),
    }
}

/// The tests for these paths, of which one has to hold. An index finds all but those with patterns.
fn slug_tests(builder: &mut WhereBuilder, slugs: &Slugs) -> Vec<String> {
    let mut tests = Vec::new();
    if !slugs.exact.is_empty() {
        tests.push(format!("edition.full_slug = any({})", builder.bind(slugs.exact.clone())));
    }
    tests.extend(slugs.prefixes.iter().map(|prefix| builder.begins("edition.full_slug", prefix)));
    if !slugs.patterns.is_empty() {
        let patterns: Vec<String> = slugs.patterns.iter().map(|pattern| wildcard_pattern(pattern.as_str())).collect();
        tests.push(format!("edition.full_slug like any({})", builder.bind(patterns)));
    }
    tests
}

/// The test that a path is none of these. Those that an index finds are looked up once, instead of compared
/// with the path of each story.
fn excluded(builder: &mut WhereBuilder, slugs: &Slugs) -> String {
    let (found, others) =
        (Slugs { patterns: Vec::new(), ..slugs.clone() }, Slugs { patterns: slugs.patterns.clone(), ..Slugs::default() });
    let mut tests: Vec<String> = slug_tests(builder, &others).iter().map(|slug_test| format!("not ({slug_test})")).collect();
    let found = slug_tests(builder, &found);
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

/// The test that a story has all words. Short ones are tested on the stories of the space and in no index,
/// see [`is_short_word`].
fn searched(builder: &mut WhereBuilder, words: &[String]) -> String {
    let (short, long): (Vec<String>, Vec<String>) = words.iter().cloned().partition(|word| is_short_word(word));
    let mut tests = Vec::new();
    if !long.is_empty() {
        tests.push(format!("edition.search @@ to_tsquery('simple', {})", builder.bind(search_query(&long))));
    }
    if !short.is_empty() {
        // Behind `coalesce` no index is used.
        tests.push(format!("coalesce(edition.search @@ to_tsquery('simple', {}), false)", builder.bind(search_query(&short))));
    }
    format!("({})", tests.join(" and "))
}

/// The `tsquery` for all words, each as a prefix. Words have letters and digits only, so this is always
/// valid.
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
