//! A plan as one statement: the keys of the page first, from an index where one can serve, then the rows of these keys, and the total.
//!
//! ```text
//! select (count) as total, columns
//! from (select 1) one left join keys on true left join editions edition on …   -- a page past the end still has its total
//! order by keys.rank
//! ```

use super::{
    Copy,
    follow::{self, Follow},
    terms,
};
use crate::content::clauses::{Clauses, wildcard_pattern};
use domain::{
    content::query::{Cast, Condition, DateColumn, DateSide, FieldPath, Order, Plan, Property, Slugs, SortBy, SortKey},
    shared::SpaceId,
};

/// A statement over `columns` (of `edition`) and its values.
pub(super) fn statement(plan: &Plan, space: SpaceId, copy: Copy, columns: &str, follow: &Follow) -> (String, Clauses) {
    let mut clauses = Clauses::new();
    // $1 and $2 are the space and the edition, wherever they are needed.
    clauses.and("edition.space_id = {}", space.0);
    clauses.and("edition.edition = {}::text::edition_kind and not edition.is_folder", copy.name());
    let Parts { with, total, page } = parts(&mut clauses, plan, copy);
    let statement = assembled(&mut clauses, with, &total, &page, columns, follow);
    (statement, clauses)
}

/// The columns of a page of keys (`story_id`, `rank`), and of what is followed from there; `asked` is null for the page.
pub(super) fn assembled(
    clauses: &mut Clauses,
    mut with: Vec<String>,
    total: &str,
    page: &str,
    columns: &str,
    follow: &Follow,
) -> String {
    let mut keys = format!("select story_id, rank, null::uuid as asked from ({page}) page");
    if !follow.steps.is_empty() {
        let (tables, all) = follow::keys(clauses, page, follow);
        with.push(tables);
        keys = all;
    }
    let with = if with.is_empty() { String::new() } else { format!("with {}", with.join(", ")) };
    format!(
        "{with} select ({total}) as total, keys.asked, {columns}
         from (select 1) one
         left join ({keys}) keys on true
         left join editions edition
              on edition.space_id = $1 and edition.edition = $2::text::edition_kind and edition.story_id = keys.story_id
         order by keys.rank"
    )
}

fn parts(clauses: &mut Clauses, plan: &Plan, copy: Copy) -> Parts {
    if let Some(entries) = entries_alone(clauses, plan) {
        return Parts::ranked(clauses, plan, "entry", &entries, "entry.position, entry.story_id");
    }
    for condition in &plan.conditions {
        let text = condition_text(clauses, condition);
        clauses.and_text(&text);
    }
    let condition = clauses.text().to_owned();
    if let Some(lead) = led_by_field(plan) {
        let keys = keys_by_field(clauses, &condition, &lead, plan, copy);
        return Parts::counted(clauses, plan, &condition, &keys);
    }
    let order = order_text(clauses, plan, copy);
    if plan.conditions.iter().any(is_selective) {
        return Parts::ranked(clauses, plan, "edition", &format!("editions edition where {condition}"), &order);
    }
    let keys = format!("select edition.story_id from editions edition where {condition} order by {order}");
    Parts::counted(clauses, plan, &condition, &keys)
}

/// How total and keys are found.
struct Parts {
    with: Vec<String>,
    total: String,
    page: String,
}

impl Parts {
    /// An index finds the few stories that match: they are found once, put in order and counted.
    fn ranked(clauses: &mut Clauses, plan: &Plan, of: &str, matching: &str, order: &str) -> Self {
        let (limit, offset) = (clauses.bind(plan.page.limit()), clauses.bind(plan.page.offset()));
        Self {
            with: vec![format!(
                "matched as materialized (select {of}.story_id, row_number() over (order by {order}) as rank from {matching})"
            )],
            total: "select count(*) from matched".to_owned(),
            page: format!("select story_id, rank from matched order by rank limit {limit} offset {offset}"),
        }
    }

    /// Many stories match: the page comes from an index in order, and they are counted apart.
    fn counted(clauses: &mut Clauses, plan: &Plan, condition: &str, keys: &str) -> Self {
        let (limit, offset) = (clauses.bind(plan.page.limit()), clauses.bind(plan.page.offset()));
        Self {
            with: Vec::new(),
            total: total(clauses, plan, condition),
            page: format!("select keys.story_id, row_number() over () as rank from ({keys} limit {limit} offset {offset}) keys"),
        }
    }
}

/// How many stories match. Those of a content type, and all of them, are counted where they are written.
fn total(clauses: &mut Clauses, plan: &Plan, condition: &str) -> String {
    let counts = "select coalesce(sum(stories), 0)::bigint from edition_counts
                  where space_id = $1 and edition = $2::text::edition_kind";
    match plan.conditions.as_slice() {
        [] => counts.to_owned(),
        [Condition::Component(component)] if !component.is_empty() => {
            format!("{counts} and component = {}", clauses.bind(component.clone()))
        }
        _ => format!("select count(*) from editions edition where {condition}"),
    }
}

/// The matching entries of an index when nothing else is asked: the editions themselves need not be looked at for keys and total.
fn entries_alone(clauses: &mut Clauses, plan: &Plan) -> Option<String> {
    let (Order::Position, [condition]) = (&plan.order, plan.conditions.as_slice()) else { return None };
    let entries = match condition {
        Condition::Tags(tags) => tagged(clauses, tags),
        Condition::Content(term) => terms::entries(clauses, term)?,
        _ => return None,
    };
    Some(format!("(select distinct entry.position, entry.story_id from {entries}) entry"))
}

/// The entries of these tags.
fn tagged(clauses: &mut Clauses, tags: &[String]) -> String {
    format!(
        "edition_tags entry where entry.space_id = $1 and entry.edition = $2::text::edition_kind and {}",
        clauses.among("entry.tag", tags.to_vec())
    )
}

/// Whether a condition leaves few stories, and an index finds them.
fn is_selective(condition: &Condition) -> bool {
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

/// One condition on `edition`; `$1` and `$2` have to be the space and the edition.
pub(super) fn condition_text(clauses: &mut Clauses, condition: &Condition) -> String {
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

/// What finds these paths, of which one has to hold. Without patterns an index answers each.
fn slug_tests(clauses: &mut Clauses, slugs: &Slugs) -> Vec<String> {
    let mut tests = Vec::new();
    if !slugs.exact.is_empty() {
        tests.push(format!("edition.full_slug = any({})", clauses.bind(slugs.exact.clone())));
    }
    tests.extend(slugs.prefixes.iter().map(|prefix| clauses.begins("edition.full_slug", prefix)));
    if !slugs.patterns.is_empty() {
        let patterns: Vec<String> = slugs.patterns.iter().map(|it| wildcard_pattern(&it.0)).collect();
        tests.push(format!("edition.full_slug like any({})", clauses.bind(patterns)));
    }
    tests
}

/// None of these paths. What an index finds of them is looked up, not compared with every story.
fn excluded(clauses: &mut Clauses, slugs: &Slugs) -> String {
    let (found, others) =
        (Slugs { patterns: Vec::new(), ..slugs.clone() }, Slugs { patterns: slugs.patterns.clone(), ..Slugs::default() });
    let mut tests: Vec<String> = slug_tests(clauses, &others).iter().map(|it| format!("not ({it})")).collect();
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

/// Each word as a prefix, all of them. Words are letters and digits only, so this is always a query.
fn search_query(words: &[String]) -> String {
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

/// The order's text. Equal stories follow by position and number.
fn order_text(clauses: &mut Clauses, plan: &Plan, copy: Copy) -> String {
    let first: Vec<String> = match &plan.order {
        Order::Position => Vec::new(),
        Order::Given(uuids) => vec![format!("array_position({}::uuid[], edition.uuid)", clauses.bind(uuids.clone()))],
        Order::Relevance => {
            let words = plan.conditions.iter().find_map(|it| if let Condition::Search(words) = it { Some(words) } else { None });
            let query = clauses.bind(search_query(words.map_or(&[], Vec::as_slice)));
            // Weights are {D, C, B, A}: first by slug alone, then by name alone.
            ["{0,0,0,1}", "{0,0,1,0}"]
                .map(|weights| format!("ts_rank('{weights}', edition.search, to_tsquery('simple', {query})) desc"))
                .to_vec()
        }
        Order::Keys(keys) => keys.iter().map(|key| key_text(clauses, key, copy)).collect(),
    };
    first.into_iter().chain(["edition.position".to_owned(), "edition.story_id".to_owned()]).collect::<Vec<_>>().join(", ")
}

/// A key of an order over `edition`.
pub(super) fn key_text(clauses: &mut Clauses, key: &SortKey, copy: Copy) -> String {
    match &key.by {
        // Byte by byte, as its index has it.
        SortBy::Property(Property::FullSlug) => format!("edition.full_slug using {}", if key.descending { "~>~" } else { "~<~" }),
        SortBy::Property(property) if !may_be_null(*property, copy) => {
            format!("{} {}", property_column(*property), if key.descending { "desc" } else { "asc" })
        }
        SortBy::Property(property) => format!("{} {}", property_column(*property), direction(key)),
        SortBy::Content(field, cast) => format!("{} {}", content_key(clauses, field, *cast), direction(key)),
    }
}

/// Whether a story of the copy may have none. Of all others nothing is said about nulls: an index that is walked backwards would have them
/// first, and does not serve who wants them last.
fn may_be_null(property: Property, copy: Copy) -> bool {
    match property {
        Property::SortByDate | Property::Path => true,
        Property::PublishedAt | Property::FirstPublishedAt => copy == Copy::Draft,
        _ => false,
    }
}

fn direction(key: &SortKey) -> &'static str {
    match (key.descending, key.nulls_first) {
        (false, false) => "asc nulls last",
        (false, true) => "asc nulls first",
        (true, false) => "desc nulls last",
        (true, true) => "desc nulls first",
    }
}

fn property_column(property: Property) -> &'static str {
    match property {
        Property::Id => "edition.story_id",
        Property::Uuid => "edition.uuid",
        Property::Name => "edition.name collate \"C\"",
        Property::Slug => "edition.slug collate \"C\"",
        Property::FullSlug => "edition.full_slug",
        Property::Path => "edition.path collate \"C\"",
        Property::Position => "edition.position",
        Property::SortByDate => "edition.sort_by_date",
        Property::CreatedAt => "edition.created_at",
        Property::UpdatedAt => "edition.updated_at",
        Property::PublishedAt => "edition.published_at",
        Property::FirstPublishedAt => "edition.first_published_at",
        Property::IsStartpage => "edition.is_startpage",
        Property::ParentId => "edition.parent_id",
        Property::GroupId => "edition.group_id",
    }
}

fn content_key(clauses: &mut Clauses, field: &FieldPath, cast: Cast) -> String {
    let path = clauses.bind(terms::path_keys(field));
    let value = format!("(edition.doc #> {path})");
    let text =
        format!("(case when jsonb_typeof({value}) in ('string', 'number', 'boolean') then left({value} #>> '{{}}', 200) end)");
    match cast {
        Cast::Text => format!("{text} collate \"C\""),
        Cast::Int | Cast::Float => {
            format!("(case when {text} ~ '^[+-]?([0-9]{{1,30}}([.][0-9]{{0,30}})?|[.][0-9]{{1,30}})$' then ({text})::numeric end)")
        }
    }
}

/// The plain field of the root block that an order begins with; `edition_fields` keeps those in order.
struct Lead<'a> {
    field: &'a str,
    key: &'a SortKey,
    rest: &'a [SortKey],
}

fn led_by_field(plan: &Plan) -> Option<Lead<'_>> {
    let Order::Keys(keys) = &plan.order else { return None };
    let (key, rest) = keys.split_first()?;
    match &key.by {
        SortBy::Content(path, _) if !key.nulls_first => Some(Lead { field: path.root_key()?, key, rest }),
        _ => None,
    }
}

/// Keys in the order of a field, without a look at the editions where nothing else is asked: first those that have it, from the index, then those that have not. PostgreSQL runs the second part
/// only when the page reaches it.
fn keys_by_field(clauses: &mut Clauses, condition: &str, lead: &Lead<'_>, plan: &Plan, copy: Copy) -> String {
    let field = clauses.bind(lead.field.to_owned());
    let (column, is_sortable) = match &lead.key.by {
        SortBy::Content(_, Cast::Int | Cast::Float) => ("number", "entry.number is not null"),
        _ => ("value", "true"),
    };
    let direction = if lead.key.descending { "desc" } else { "asc" };
    let rest: String = lead.rest.iter().map(|key| key_text(clauses, key, copy) + ", ").collect();
    let most = reach(plan);
    let entry = format!(
        "entry.space_id = $1 and entry.edition = $2::text::edition_kind and entry.field = {field} and not entry.is_element and {is_sortable}"
    );
    let with_it = if plan.conditions.is_empty() && lead.rest.is_empty() {
        format!("entry where {entry} order by entry.{column} {direction}, entry.position, entry.story_id")
    } else {
        format!(
            "entry join editions edition
                  on edition.space_id = entry.space_id and edition.edition = entry.edition and edition.story_id = entry.story_id
             where {entry} and {condition} order by entry.{column} {direction}, {rest}edition.position, edition.story_id"
        )
    };
    format!(
        "(select entry.story_id from edition_fields {with_it} limit {most})
         union all
         (select edition.story_id from editions edition
          where {condition} and not exists (select from edition_fields entry where entry.story_id = edition.story_id and {entry})
          order by {rest}edition.position, edition.story_id limit {most})"
    )
}

/// How many keys a page reaches at most, rounded up: a number in the text tells the planner that few are wanted, and a power of two keeps
/// the number of different texts small.
fn reach(plan: &Plan) -> u64 {
    let reach = plan.page.offset().saturating_add(plan.page.limit());
    u64::try_from(reach).unwrap_or(u64::MAX >> 2).next_power_of_two().max(128)
}
