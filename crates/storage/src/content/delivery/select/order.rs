//! `order by` of a plan, over columns of `edition`.

use super::conditions::search_query;
use crate::content::{
    delivery::{ContentVersion, terms},
    where_builder::WhereBuilder,
};
use domain::content::query::{Cast, Condition, FieldPath, ListOrder, Plan, Property, SortBy, SortKey};

/// A value that stories are ordered by, as SQL.
pub(super) struct SortExpression {
    /// The value, over columns of `edition`.
    pub(super) value: String,
    /// What follows it in `order by`.
    pub(super) direction: &'static str,
}

impl SortExpression {
    fn new(value: impl Into<String>, direction: &'static str) -> Self {
        Self { value: value.into(), direction }
    }

    fn text(&self) -> String {
        format!("{} {}", self.value, self.direction)
    }
}

/// The text behind `order by`. Stories that are equal in it follow by position and id.
pub(super) fn order_text(builder: &mut WhereBuilder, plan: &Plan, version: ContentVersion) -> String {
    sort_expressions(builder, plan, version).iter().map(SortExpression::text).collect::<Vec<_>>().join(", ")
}

/// The values of [`order_text`], one by one.
pub(super) fn sort_expressions(builder: &mut WhereBuilder, plan: &Plan, version: ContentVersion) -> Vec<SortExpression> {
    let mut expressions: Vec<SortExpression> = match &plan.order {
        ListOrder::Position => Vec::new(),
        ListOrder::Given(uuids) => {
            vec![SortExpression::new(format!("array_position({}::uuid[], edition.uuid)", builder.bind(uuids.clone())), "asc")]
        }
        ListOrder::Relevance => {
            let words = plan
                .conditions
                .iter()
                .find_map(|condition| if let Condition::Search(words) = condition { Some(words) } else { None });
            let query = builder.bind(search_query(words.map_or(&[], Vec::as_slice)));
            // Weights are {D, C, B, A}; slugs have A and names B. First by matches in the slug alone, then in
            // the name alone.
            ["{0,0,0,1}", "{0,0,1,0}"]
                .map(|weights| {
                    let rank = format!("ts_rank('{weights}', edition.search, to_tsquery('simple', {query}))");
                    SortExpression::new(rank, "desc")
                })
                .into()
        }
        ListOrder::Keys(keys) => keys.iter().map(|key| sort_expression(builder, key, version)).collect(),
    };
    expressions.extend(["edition.position", "edition.story_id"].map(|column| SortExpression::new(column, "asc")));
    expressions
}

/// A sort key as SQL.
pub(in crate::content) fn key_text(builder: &mut WhereBuilder, key: &SortKey, version: ContentVersion) -> String {
    sort_expression(builder, key, version).text()
}

fn sort_expression(builder: &mut WhereBuilder, key: &SortKey, version: ContentVersion) -> SortExpression {
    match &key.by {
        // By bytes, as the index `text_pattern_ops` has it.
        SortBy::Property(Property::FullSlug) => {
            SortExpression::new("edition.full_slug", if key.descending { "using ~>~" } else { "using ~<~" })
        }
        SortBy::Property(property) if !may_be_null(*property, version) => {
            SortExpression::new(property_column(*property), direction_without_nulls(*property, key.descending))
        }
        SortBy::Property(property) => SortExpression::new(property_column(*property), direction(key)),
        SortBy::Content(field, cast) => SortExpression::new(content_key(builder, field, *cast), direction(key)),
    }
}

/// Whether an index has the stories in this order, or in its reverse.
pub(super) fn is_indexed(order: &ListOrder, version: ContentVersion) -> bool {
    match order {
        ListOrder::Position => true,
        ListOrder::Given(_) | ListOrder::Relevance => false,
        ListOrder::Keys(keys) => keys.first().is_some_and(|key| has_index(key, version)),
    }
}

/// Whether an index has a property, in this direction or read backwards.
fn has_index(key: &SortKey, version: ContentVersion) -> bool {
    let SortBy::Property(property) = key.by else { return false };
    match property {
        Property::Name | Property::Slug | Property::FullSlug | Property::Position | Property::CreatedAt | Property::UpdatedAt => {
            true
        }
        Property::PublishedAt | Property::FirstPublishedAt => !may_be_null(property, version) || key.descending != key.nulls_first,
        _ => false,
    }
}

/// Whether the property can be null. For one that cannot, nulls stand where its index has them, so that the
/// index serves both directions.
fn may_be_null(property: Property, version: ContentVersion) -> bool {
    match property {
        Property::SortByDate | Property::Path | Property::ContentType => true,
        Property::PublishedAt | Property::FirstPublishedAt => version == ContentVersion::Draft,
        _ => false,
    }
}

fn direction_without_nulls(property: Property, descending: bool) -> &'static str {
    let newest_first =
        matches!(property, Property::CreatedAt | Property::UpdatedAt | Property::PublishedAt | Property::FirstPublishedAt);
    match (newest_first, descending) {
        (true, true) => "desc nulls last",
        (true, false) => "asc nulls first",
        (false, true) => "desc",
        (false, false) => "asc",
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
        Property::ContentType => "edition.component collate \"C\"",
        // Scheduled as lists of editors say it: `stories::list::SCHEDULED`.
        Property::State => {
            "case when story.published_version is not null then case when story.unpublished_changes then 2 else 3 end
                  when story.publish_at is not null or exists (
                      select from story_schedulings line
                      where line.space_id = $1 and line.story_id = story.id and line.status = 'scheduled' and line.action = 'publish'
                  ) then 1 else 0 end"
        }
        Property::LastAuthor => "story.author collate \"C\"",
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
