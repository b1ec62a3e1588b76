//! The tables of the content service.

pub mod activities;
pub mod asset_uploads;
pub mod assets;
pub mod audit_log;
pub mod commit_log;
pub mod component_versions;
pub mod components;
pub mod datasource_entries;
pub mod datasources;
pub mod delivery;
pub mod delivery_tokens;
pub mod exports;
pub mod fan_out;
pub mod hierarchy;
pub mod image_results;
pub mod imports;
pub mod internal_tags;
pub mod maintenance;
pub mod management_tokens;
pub mod presets;
pub mod schedulings;
pub mod spaces;
pub mod stories;
pub mod tags;
pub mod webhooks;
pub(crate) mod where_builder;
