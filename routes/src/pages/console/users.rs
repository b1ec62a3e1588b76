//! `/admin/users…`: people.

pub(super) mod acts;
pub(super) mod create;
pub(super) mod edit;
pub(super) mod list;
pub(super) mod read;
pub(super) mod roles;
