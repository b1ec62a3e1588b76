//! The Management API: `/api/v1/spaces/…`.
//!
//! Each resource has a file with its table of endpoints, its handlers, and the shape in which callers see it.
//! The rules that hold for all of them:
//!
//! - A deletion answers 200 with the resource that was deleted, or 204 where Storyblok does: datasources and
//!   their entries.
//! - A list that Storyblok answers whole is whole, and paged when `page` or `per_page` is sent.
//! - A query parameter that an endpoint does not know is 422. Every list knows `page`, `per_page` and
//!   `version`: see `paginate`.

pub mod access;
mod activities;
mod api_keys;
mod asset_folders;
mod assets;
mod audit_log;
mod collaborators;
mod component_groups;
mod components;
mod datasource_entries;
mod datasources;
mod envelope;
mod environments;
mod imports;
mod internal_tags;
mod paginate;
mod presets;
mod spaces;
mod stories;
mod story_schedulings;
mod tags;
mod tokens;
mod unused_features;
mod users;
mod warnings;
mod webhook_endpoints;
mod webhooks;
mod write_parameters;

use super::Content;
use crate::dispatch::Dispatch;

/// Adds all endpoints.
pub(super) fn add_to(dispatch: Dispatch, content: &Content) -> Dispatch {
    dispatch
        .with(activities::endpoints(content))
        .with(api_keys::endpoints(content))
        .with(environments::endpoints(content))
        .with(asset_folders::endpoints(content))
        .with(assets::endpoints(content))
        .with(audit_log::endpoints(content))
        .with(collaborators::endpoints(content))
        .with(component_groups::endpoints(content))
        .with(components::endpoints(content))
        .with(datasource_entries::endpoints(content))
        .with(datasources::endpoints(content))
        .with(imports::endpoints(content))
        .with(internal_tags::endpoints(content))
        .with(presets::endpoints(content))
        .with(spaces::endpoints(content))
        .with(stories::endpoints(content))
        .with(story_schedulings::endpoints(content))
        .with(tags::endpoints(content))
        .with(tokens::endpoints(content))
        .with(unused_features::endpoints(content))
        .with(users::endpoints(content))
        .with(webhook_endpoints::endpoints(content))
        .with(webhooks::endpoints(content))
}
