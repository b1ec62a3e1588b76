//! Datasources. They have no drafts, so both versions read the same.

pub(super) mod list;
pub(super) mod read;
