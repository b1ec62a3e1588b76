//! `order by` of a plan, over columns of `edition`.

use super::conditions::search_query;
use crate::content::{
    delivery::{ContentVersion, terms},
    where_builder::WhereBuilder,
};
use domain::content::query::{Cast, Condition, FieldPath, Order, Plan, Property, SortBy, SortKey};

/// The text behind `order by`. Stories that are equal in it follow by position and id.
pub(super) fn order_text(builder: &mut WhereBuilder, plan: &Plan, version: ContentVersion) -> String {
    let first: Vec<String> = match &plan.order {
        Order::Position => Vec::new(),
        Order::Given(uuids) => vec![format!("array_position({}::uuid[], edition.uuid)", builder.bind(uuids.clone()))],
        Order::Relevance => {
            let words = plan
                .conditions
                .iter()
                .find_map(|condition| if let Condition::Search(words) = condition { Some(words) } else { None });
            let query = builder.bind(search_query(words.map_or(&[], Vec::as_slice)));
            // Weights are {D, C, B, A}; slugs have A and names B. First by matches in the slug alone, then in the name alone.
            ["{0,0,0,1}", "{0,0,1,0}"]
                .map(|weights| format!("ts_rank('{weights}', edition.search, to_tsquery('simple', {query})) desc"))
                .to_vec()
        }
        Order::Keys(keys) => keys.iter().map(|key| key_text(builder, key, version)).collect(),
    };
    first.into_iter().chain(["edition.position".to_owned(), "edition.story_id".to_owned()]).collect::<Vec<_>>().join(", ")
}

/// A sort key as SQL.
pub(in crate::content) fn key_text(builder: &mut WhereBuilder, key: &SortKey, version: ContentVersion) -> String {
    match &key.by {
        // By bytes, as the index `text_pattern_ops` has it.
        SortBy::Property(Property::FullSlug) => format!("edition.full_slug using {}", if key.descending { "~>~" } else { "~<~" }),
        SortBy::Property(property) if !may_be_null(*property, version) => {
            format!("{} {}", property_column(*property), if key.descending { "desc" } else { "asc" })
        }
        SortBy::Property(property) => format!("{} {}", property_column(*property), direction(key)),
        SortBy::Content(field, cast) => format!("{} {}", content_key(builder, field, *cast), direction(key)),
    }
}

/// Whether the property can be null. For one that cannot, nulls are not mentioned: an index that is read backwards has them first, so it does not
/// serve an order that wants them last.
fn may_be_null(property: Property, version: ContentVersion) -> bool {
    match property {
        Property::SortByDate | Property::Path => true,
        Property::PublishedAt | Property::FirstPublishedAt => version == ContentVersion::Draft,
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

fn content_key(builder: &mut WhereBuilder, field: &FieldPath, cast: Cast) -> String {
    let path = builder.bind(terms::path_keys(field));
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
