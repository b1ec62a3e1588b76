//! `/api/me/password…`: changing, setting and giving up the password of who is signed in.

mod change;
mod reauth;
mod remove;

use crate::{identity::Identity, web::Endpoint};

/// The endpoints.
pub(super) fn routes(identity: &Identity) -> [Endpoint; 3] {
    [change::route(identity), remove::route(identity), reauth::route(identity)]
}
