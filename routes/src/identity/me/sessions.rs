//! `/api/me/sessions…`: where the account is signed in, and ending that.

pub(super) mod last_revoked_others;
pub(super) mod list;
pub(super) mod revoke;
pub(super) mod revoke_others;
