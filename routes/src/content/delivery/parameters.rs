//! The parameters of all endpoints. Each endpoint takes the names of all: clients add their defaults to every
//! request, and the methods that fetch all pages of a list add `page` and `per_page` to lists that have one
//! page. An unknown name is refused, because a filter that does nothing would answer the wrong stories.

use domain::shared::{Fault, Parameters};

/// The names besides `token`, `version` and `cv`, in the notation of [`Parameters::only`].
const KNOWN: &[&str] = &[
    // Pages.
    "page",
    "per_page",
    // Which stories, and their order.
    "starts_with",
    "by_slugs[]",
    "excluding_slugs[]",
    "by_uuids[]",
    "by_uuids_ordered[]",
    "by_ids[]",
    "excluding_ids[]",
    "content_type",
    "with_tag[]",
    "is_startpage",
    "level",
    "in_workflow_stages[]",
    "only_variants",
    "search_term",
    "sort_by",
    "filter_query[…]",
    "first_published_at_gt",
    "first_published_at_gte",
    "first_published_at_lt",
    "first_published_at_lte",
    "published_at_gt",
    "published_at_gte",
    "published_at_lt",
    "published_at_lte",
    "updated_at_gt",
    "updated_at_gte",
    "updated_at_lt",
    "updated_at_lte",
    "find_by",
    // What of them.
    "language",
    "fallback_lang",
    "excluding_fields[]",
    "excluding_story_fields[]",
    "resolve_relations[]",
    "resolve_level",
    "resolve_links",
    "resolve_links_level",
    "resolve_assets",
    "from_release",
    // Links.
    "paginated",
    "with_parent",
    "by_uuid",
    "include_dates",
    // Datasources and their entries.
    "search",
    "datasource",
    "dimension",
    // An asset.
    "filename",
];

/// The parameters of a request, without those that its client meant to leave out. 422 for a name that no
/// endpoint knows, whatever its value.
pub(super) fn check(parameters: Parameters) -> Result<Parameters, Fault> {
    parameters.only(KNOWN)?;
    Ok(parameters.without_unset())
}
