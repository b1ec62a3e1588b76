//! The writes of a space. One file for each resource; each write is one transaction with its audit entry.

pub mod assets;
pub mod components;
pub mod datasource_entries;
pub mod datasources;
pub mod delivery_tokens;
pub mod hierarchy;
pub mod management_tokens;
pub mod presets;
pub mod schedulings;
pub mod spaces;
pub mod stories;
pub mod webhooks;
