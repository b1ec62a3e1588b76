//! The use cases of the content service. Each write is a command of a space, see [`command`]; one module for
//! each resource.

pub mod access;
pub mod administration;
pub mod asset_folders;
pub mod assets;
pub mod command;
pub mod components;
pub mod datasource_entries;
pub mod datasources;
pub mod dead_letters;
pub mod delivery_tokens;
pub mod fan_out;
pub mod hierarchy;
pub mod images;
pub mod import;
pub mod internal_tags;
pub mod limits;
pub mod management_tokens;
pub mod members;
pub mod presets;
pub mod schedulings;
pub mod spaces;
pub mod stories;
pub mod tags;
pub mod validation;
pub mod webhooks;

pub use access::Authorized;
pub use command::{CommandContext, SpaceCommand};
