//! Compiles the parameters of the list of stories into a plan.

use super::{Filter, SortKey, filter::Term, slugs::Slugs, sort};
use crate::{
    content::story_scope::StoryScope,
    shared::{Fault, FieldCode, PageRequest, Parameters},
};
use jiff::Timestamp;
use std::{borrow::Cow, str::FromStr};
use strum::{IntoStaticStr, VariantArray};
use uuid::Uuid;

/// How many stories a page may have.
pub const MAX_PER_PAGE: u32 = 100;
/// How many ids, slugs or tags a list may have.
const MAX_VALUES: usize = 500;
/// How long a search may be, in characters.
const MAX_SEARCH: usize = 200;
/// How many words a search may have.
const MAX_WORDS: usize = 8;

/// A query for stories: those that match all conditions, in an order, one page of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The conditions; all must hold.
    pub conditions: Vec<Condition>,
    /// The order of the stories.
    pub order: ListOrder,
    pub page: PageRequest,
}

/// A condition on a story.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// The full slug begins with this.
    StartsWith(String),
    /// The full slug is one of these, or (`false`) none of them.
    Slugs(Slugs, bool),
    /// The id is one of these, or (`false`) none of them.
    Ids(Vec<i64>, bool),
    /// The UUID is one of these.
    Uuids(Vec<Uuid>),
    /// The component of the root block is this.
    Component(String),
    /// The story has one of these tags.
    Tags(Vec<String>),
    /// The story is a start page, or (`false`) is not.
    Startpage(bool),
    /// The full slug has this many segments, and the story is not a start page.
    Level(u16),
    /// A time of the story is before or after another one.
    Date(DateColumn, DateSide, Timestamp),
    /// Each of the words is the beginning of a word of the slug, the name or the content.
    Search(Vec<String>),
    /// A test on a field of the content.
    Content(Term),
    /// All terms of at least one of these groups hold.
    AnyOf(Vec<Vec<Term>>),
    /// A block of one of these components is anywhere in the content.
    ContainsComponent(Vec<String>),
    /// The content refers to the story of this UUID, by a field or a link, in any language.
    RefersTo(Uuid),
    /// Never holds: the request asks for something that does not exist here.
    Nothing,
}

/// A time of a story that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum DateColumn {
    FirstPublishedAt,
    PublishedAt,
    UpdatedAt,
}

/// How the time of the story is compared with the given one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub enum DateSide {
    #[strum(serialize = "gt")]
    After,
    #[strum(serialize = "gte")]
    AtOrAfter,
    #[strum(serialize = "lt")]
    Before,
    #[strum(serialize = "lte")]
    AtOrBefore,
}

/// The order of the stories. Stories that are equal in it follow by position and id.
#[derive(Debug, Clone, PartialEq)]
pub enum ListOrder {
    /// By position, then by id.
    Position,
    /// As their UUIDs were given.
    Given(Vec<Uuid>),
    /// The best matches of the search first: by slug, then by name.
    Relevance,
    Keys(Vec<SortKey>),
}

impl Plan {
    /// Compiles the parameters. 422 that names the parameter at fault.
    pub fn compile(parameters: &Parameters) -> Result<Self, Fault> {
        let text = |name| parameters.get(name).filter(|parameter| !parameter.is_empty());
        let mut conditions = Vec::new();
        let ordered = selected::<Uuid>("by_uuids_ordered", parameters)?;
        let uuids = selected::<Uuid>("by_uuids", parameters)?;
        // Not together with UUIDs: Storyblok's client repeats the prefix of its first request when it fetches
        // the UUIDs of `rel_uuids`.
        if let Some(prefix) = text("starts_with").filter(|_| uuids.is_none() && ordered.is_none()) {
            conditions.push(Condition::StartsWith(prefix.to_owned()));
        }
        for (name, wanted) in [("by_slugs", true), ("excluding_slugs", false)] {
            let slugs = bounded(name, parameters.list(name))?;
            if !slugs.is_empty() {
                conditions.push(Condition::Slugs(Slugs::parse(name, slugs)?, wanted));
            }
        }
        for (name, wanted) in [("by_ids", true), ("excluding_ids", false)] {
            conditions.extend(selected(name, parameters)?.map(|ids| Condition::Ids(ids, wanted)));
        }
        conditions.extend([&uuids, &ordered].into_iter().flatten().cloned().map(Condition::Uuids));
        if let Some(component) = text("content_type") {
            conditions.push(Condition::Component(component.to_owned()));
        }
        let tags = bounded("with_tag", parameters.list("with_tag"))?;
        if !tags.is_empty() {
            conditions.push(Condition::Tags(tags));
        }
        if text("is_startpage").is_some() {
            conditions.push(Condition::Startpage(parameters.flag("is_startpage")?));
        }
        if let Some(level) = parameters.parsed::<u16>("level")? {
            conditions.push(Condition::Level(level));
        }
        conditions.extend(dates(parameters)?);
        // There are no workflow stages and no variants here, so no story is in one.
        if !parameters.list("in_workflow_stages").is_empty() || parameters.flag("only_variants")? {
            conditions.push(Condition::Nothing);
        }
        conditions.extend(filter_conditions(parameters)?);
        let is_search = match text("search_term").map(words).transpose()? {
            Some(words) => {
                // Nothing is found by a text without a word.
                conditions.push(if words.is_empty() { Condition::Nothing } else { Condition::Search(words) });
                true
            }
            None => false,
        };
        let keys = text("sort_by").map(sort::parse).transpose()?.filter(|keys| !keys.is_empty());
        let order = match (keys, ordered) {
            (Some(keys), _) => ListOrder::Keys(keys),
            (None, Some(ordered)) => ListOrder::Given(ordered),
            (None, None) if is_search => ListOrder::Relevance,
            (None, None) => ListOrder::Position,
        };
        Ok(Self { conditions, order, page: parameters.page(MAX_PER_PAGE)? })
    }
}

impl Plan {
    /// A text that two plans share exactly when they are pages of the same list: of the same stories in the
    /// same order.
    pub fn list(&self) -> String {
        format!("{:?} {:?}", self.conditions, self.order)
    }

    /// The plan for those of its stories that a token may read.
    pub fn within(&self, scope: &StoryScope) -> Cow<'_, Self> {
        let Some(ids) = scope.ids() else { return Cow::Borrowed(self) };
        let mut restricted = self.clone();
        restricted.conditions.push(Condition::Ids(ids, true));
        Cow::Owned(restricted)
    }
}

/// The conditions of `filter_query`.
pub fn filter_conditions(parameters: &Parameters) -> Result<Vec<Condition>, Fault> {
    let Filter { all, any } = Filter::parse(parameters.pairs())?;
    let groups = (!any.is_empty()).then_some(Condition::AnyOf(any));
    Ok(all.into_iter().map(Condition::Content).chain(groups).collect())
}

/// The values of a list. 422 that names the parameter when there are too many.
pub fn bounded<T>(name: &str, values: Vec<T>) -> Result<Vec<T>, Fault> {
    if values.len() > MAX_VALUES {
        return Err(Fault::invalid(name, FieldCode::TooMany, format!("has more than {MAX_VALUES} values")));
    }
    Ok(values)
}

/// The values of a list of numbers or UUIDs that select stories; `None` when there are none. 422 that names
/// the parameter when there are too many.
pub fn selected<T: FromStr>(name: &str, parameters: &Parameters) -> Result<Option<Vec<T>>, Fault> {
    parameters.readable_list(name).map(|values| bounded(name, values)).transpose()
}

fn dates(parameters: &Parameters) -> Result<Vec<Condition>, Fault> {
    let mut conditions = Vec::new();
    for &column in DateColumn::VARIANTS {
        for &side in DateSide::VARIANTS {
            let name = format!("{}_{}", column.into_str(), side.into_str());
            conditions.extend(parameters.time(&name)?.map(|at| Condition::Date(column, side, at)));
        }
    }
    Ok(conditions)
}

fn words(text: &str) -> Result<Vec<String>, Fault> {
    if text.chars().count() > MAX_SEARCH {
        return Err(Fault::invalid("search_term", FieldCode::TooLong, format!("is longer than {MAX_SEARCH} characters")));
    }
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_lowercase).collect();
    if words.len() > MAX_WORDS {
        return Err(Fault::invalid("search_term", FieldCode::TooMany, format!("has more than {MAX_WORDS} words")));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::{Condition, DateColumn, DateSide, ListOrder, Plan};
    use crate::shared::Parameters;

    fn compile(pairs: &[(&str, &str)]) -> Result<Plan, crate::shared::Fault> {
        Plan::compile(&Parameters::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()))
    }

    #[test]
    fn uuids_win_over_starts_with_and_give_the_order_when_asked() {
        let uuid = "c3c7e0f3-0a52-4e0c-9b1f-2f3c9d0a7b11";
        let plan = compile(&[("starts_with", "blog/"), ("by_uuids_ordered", uuid)]).unwrap();
        assert_eq!(plan.conditions, [Condition::Uuids(vec![uuid.parse().unwrap()])]);
        assert_eq!(plan.order, ListOrder::Given(vec![uuid.parse().unwrap()]));
        let sorted = compile(&[("by_uuids_ordered", uuid), ("sort_by", "name:asc")]).unwrap();
        assert!(matches!(sorted.order, ListOrder::Keys(_)));
    }

    #[test]
    fn times_are_utc() {
        let plan = compile(&[("published_at_gte", "2026-03-01 08:05"), ("updated_at_lt", "2026-03-01T09:05:00+01:00")]).unwrap();
        let at = "2026-03-01T08:05:00Z".parse().unwrap();
        assert_eq!(
            plan.conditions,
            [
                Condition::Date(DateColumn::PublishedAt, DateSide::AtOrAfter, at),
                Condition::Date(DateColumn::UpdatedAt, DateSide::Before, at)
            ]
        );
    }

    #[test]
    fn wrong_values_name_their_parameter() {
        for (name, value) in [
            ("is_startpage", "2"),
            ("level", "-1"),
            ("published_at_gt", "soon"),
            ("sort_by", "x:y"),
            ("search_term", "a b c d e f g h i"),
            ("only_variants", "maybe"),
            ("per_page", "0"),
        ] {
            let fault = compile(&[(name, value)]).unwrap_err();
            assert_eq!(fault.details[0].field, name);
        }
    }

    #[test]
    fn what_is_no_number_and_no_uuid_matches_nothing() {
        for (name, expected) in [
            ("by_ids", Condition::Ids(vec![], true)),
            ("excluding_ids", Condition::Ids(vec![], false)),
            ("by_uuids", Condition::Uuids(vec![])),
            ("by_uuids_ordered", Condition::Uuids(vec![])),
        ] {
            assert_eq!(compile(&[(name, "undefined")]).unwrap().conditions, [expected], "{name}");
        }
    }

    #[test]
    fn words_of_a_search_are_lower_case_and_bare() {
        let plan = compile(&[("search_term", "Foo-Bar 'x' & y:*")]).unwrap();
        assert_eq!(plan.conditions, [Condition::Search(["foo", "bar", "x", "y"].map(str::to_owned).to_vec())]);
        assert_eq!(plan.order, ListOrder::Relevance);
        assert_eq!(compile(&[("search_term", "!!")]).unwrap().conditions, [Condition::Nothing]);
    }

    #[test]
    fn stories_come_by_position_unless_the_request_says_otherwise() {
        assert_eq!(compile(&[]).unwrap().order, ListOrder::Position);
        assert_eq!(compile(&[("starts_with", "blog/")]).unwrap().order, ListOrder::Position);
        assert_eq!(compile(&[("sort_by", ",")]).unwrap().order, ListOrder::Position);
    }

    #[test]
    fn pages_of_one_list_share_its_text_and_other_lists_have_another() {
        let list = |pairs: &[(&str, &str)]| compile(pairs).unwrap().list();
        let first = list(&[("starts_with", "blog/"), ("page", "1")]);
        assert_eq!(first, list(&[("page", "7"), ("per_page", "3"), ("starts_with", "blog/")]));
        for other in [&[("starts_with", "blog")][..], &[], &[("starts_with", "blog/"), ("sort_by", "name:asc")]] {
            assert_ne!(first, list(other), "{other:?}");
        }
    }

    #[test]
    fn lists_have_500_values_at_most() {
        let ids = |count: usize| (0..count).map(|id| id.to_string()).collect::<Vec<_>>().join(",");
        for name in ["by_ids", "excluding_ids", "with_tag", "by_slugs"] {
            assert_eq!(compile(&[(name, &ids(500))]).unwrap().conditions.len(), 1, "{name}");
            let fault = compile(&[(name, &ids(501))]).unwrap_err();
            assert_eq!((fault.details[0].field.as_str(), fault.details[0].code.name()), (name, "tooMany"));
        }
    }

    #[test]
    fn a_search_has_200_characters_and_eight_words_at_most() {
        for good in ["ü".repeat(200), "a b c d e f g h".to_owned()] {
            assert!(compile(&[("search_term", &good)]).is_ok(), "{good}");
        }
        for (bad, code) in [("ü".repeat(201), "tooLong"), ("a-b-c-d-e-f-g-h-i".to_owned(), "tooMany")] {
            let fault = compile(&[("search_term", &bad)]).unwrap_err();
            assert_eq!((fault.details[0].field.as_str(), fault.details[0].code.name()), ("search_term", code));
        }
    }
}
