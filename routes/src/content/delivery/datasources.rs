//! Datasources as readers see them. They have no drafts: both versions read the same.

pub(super) mod list;
pub(super) mod read;
