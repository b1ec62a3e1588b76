//! `/api/provisioning/…`: accounts that another system hands over.

mod create;
mod import;
mod lookup;

use super::Identity;
use crate::web::{Access, ApiRequest, Endpoints, ErrorFormat, access::Security};
use domain::{
    identity::provisioning::legacy_sub::preserved_id,
    shared::{Challenge, Fault, UserId},
};
use http::{Method, StatusCode};
use serde::Serialize;
use std::sync::Arc;

/// The endpoints below `/api/provisioning`. Without a token there are none: 404, whatever the path and the
/// method.
pub(super) fn endpoints(identity: &Identity) -> Endpoints<Identity> {
    let none = Endpoints::new(identity, ErrorFormat::Identity);
    if identity.provisioning.tokens.is_empty() {
        return none;
    }
    none.post("/api/provisioning/users", ByProvisioningToken, create::create)
        .post("/api/provisioning/users/import", ByProvisioningToken, import::import)
        .get("/api/provisioning/users/lookup", ByProvisioningToken, lookup::lookup)
}

/// An access rule: a token of `APP_ADMIN_API_TOKENS_JSON`, as `Authorization: Bearer`. A session never
/// satisfies it. Every request with a token counts against the token's rate: 429.
#[derive(Clone, Copy)]
struct ByProvisioningToken;

/// The holder of a token.
struct CallingApp {
    /// The id of the token.
    token: Arc<str>,
}

impl Access<Identity> for ByProvisioningToken {
    type Scope = ();
    type Caller = CallingApp;

    fn security(&self, _: &Method) -> Security {
        &[&["provisioningToken"]]
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::UNAUTHORIZED, StatusCode::TOO_MANY_REQUESTS]
    }

    async fn authorize(&self, identity: &Identity, request: &ApiRequest, (): ()) -> Result<CallingApp, Fault> {
        let found = request.bearer().and_then(|sent| identity.provisioning.tokens.find(sent));
        let token = found.ok_or_else(|| Fault::unauthorized().challenged(Challenge::Bearer))?;
        identity.ctx.limits.provisioning.acquire(&identity.ctx.store, &token).await?;
        Ok(CallingApp { token })
    }
}

/// An account as callers know it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserView {
    id: UserId,
    email: String,
    legacy_sub: Option<String>,
    sub_preserved: bool,
}

impl UserView {
    fn new(id: UserId, email: String, legacy_sub: Option<String>) -> Self {
        let sub_preserved = legacy_sub.as_deref().and_then(preserved_id) == Some(id);
        Self { id, email, legacy_sub, sub_preserved }
    }
}
