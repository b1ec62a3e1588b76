//! Totals that are known without a visit to each story that matches: every write keeps two tables of counts
//! up to date, and an index counts what begins with a prefix.

use super::matches::Matches;
use crate::content::where_builder::WhereBuilder;
use domain::content::query::{Condition, Plan};

/// A total that is not worked out from the stories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownTotal<'a> {
    /// Of all stories, or those of a content type.
    OfSpace { component: Option<&'a str> },
    /// Below a folder, of all content types or of one. The path has no slash at its end.
    BelowFolder { path: &'a str, component: Option<&'a str> },
    /// Of the stories whose paths begin alike, wherever the prefix ends.
    OfPrefix,
}

impl<'a> KnownTotal<'a> {
    /// The total of a plan, if it is such a one.
    pub(super) fn of(plan: &'a Plan) -> Option<Self> {
        match plan.conditions.as_slice() {
            [] => Some(Self::OfSpace { component: None }),
            [Condition::Component(component)] if !component.is_empty() => Some(Self::OfSpace { component: Some(component) }),
            [Condition::StartsWith(prefix)] => Some(match prefix.strip_suffix('/') {
                Some(path) => Self::BelowFolder { path, component: None },
                None => Self::OfPrefix,
            }),
            [Condition::StartsWith(prefix), Condition::Component(component)] if !component.is_empty() => {
                prefix.strip_suffix('/').map(|path| Self::BelowFolder { path, component: Some(component) })
            }
            _ => None,
        }
    }

    /// The query of the total of what matches.
    pub(super) fn sql(self, builder: &mut WhereBuilder, matches: &Matches) -> String {
        match self {
            Self::OfSpace { component } => format!(
                "select coalesce(sum(stories), 0)::bigint from edition_counts
                 where space_id = $1 and edition = $2::text::edition_kind{}",
                of_component(builder, component)
            ),
            Self::BelowFolder { path, component } => {
                let itself = builder.bind(path.to_owned());
                let below = builder.begins("folder.full_slug", &format!("{path}/"));
                // In two parts, and with `offset 0`: else PostgreSQL walks through the folders of the space,
                // or through their counts.
                format!(
                    "select coalesce(sum(counts.stories), 0)::bigint
                     from (select id from stories folder
                           where folder.space_id = $1 and folder.is_folder and folder.deleted_at is null and folder.full_slug = {itself}
                           union all
                           select id from stories folder
                           where folder.space_id = $1 and folder.is_folder and folder.deleted_at is null and {below}) folder
                     cross join lateral (select stories from folder_counts
                                         where space_id = $1 and parent_id = folder.id and edition = $2::text::edition_kind{} offset 0) counts",
                    of_component(builder, component)
                )
            }
            Self::OfPrefix => matches.count(),
        }
    }
}

fn of_component(builder: &mut WhereBuilder, component: Option<&str>) -> String {
    component.map(|component| format!(" and component = {}", builder.bind(component.to_owned()))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::KnownTotal;
    use domain::{content::query::Plan, shared::Parameters};

    #[test]
    fn totals_below_a_folder_and_of_a_content_type_are_known() {
        let in_folder = |component| Some(KnownTotal::BelowFolder { path: "blog", component });
        for (query, expected) in [
            (vec![], Some(KnownTotal::OfSpace { component: None })),
            (vec![("content_type", "post")], Some(KnownTotal::OfSpace { component: Some("post") })),
            (vec![("starts_with", "blog/")], in_folder(None)),
            (vec![("starts_with", "blog/"), ("content_type", "post")], in_folder(Some("post"))),
            (vec![("starts_with", "blog")], Some(KnownTotal::OfPrefix)),
            (vec![("starts_with", "blog"), ("content_type", "post")], None),
            (vec![("starts_with", "blog/"), ("level", "2")], None),
            (vec![("with_tag", "a")], None),
        ] {
            let query: Vec<_> = query.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let plan = Plan::compile(&Parameters::new(query)).unwrap();
            assert_eq!(KnownTotal::of(&plan), expected, "{:?}", plan.conditions);
        }
    }
}
