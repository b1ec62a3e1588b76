//! `/admin/spaces…`: the spaces of everybody.

pub(super) mod acts;
pub(super) mod list;
