//! Stories and folders: `stories`, `editions`, `translated_slugs`, `story_translations`, `story_versions`.

pub mod editions;
pub mod folder_types;
pub mod list;
pub mod read;
pub mod translation_status;
pub mod translations;
pub mod tree;
pub mod versions;
pub mod write;
