//! The OpenID provider: a table for `/.well-known` and one for `/oidc`. Errors are those of OAuth.

pub(crate) mod authorize;
pub(super) mod client_credentials;
mod client_form;
mod cors;
mod device_authorization;
mod discovery;
mod document;
mod dpop;
pub(super) mod interaction;
mod introspect;
mod jwks;
mod par;
mod response;
mod revoke;
pub(crate) mod session_end;
mod token;
mod userinfo;

use super::Identity;
use crate::{
    ops::Metrics,
    web::fast_path::{FastPath, FastPathOutcome},
    web::{ByCsrfToken, Endpoints, ErrorFormat, Public},
};
use jwks::CurrentKeys;
use userinfo::ByAccessToken;

/// The endpoints of `/.well-known`.
pub(super) fn well_known(identity: &Identity, metrics: &Metrics) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::OAuth)
        .get("/.well-known/openid-configuration", Public, discovery::read)
        .get("/.well-known/oauth-authorization-server", Public, discovery::read)
        .get("/.well-known/jwks.json", Public, jwks::read)
        .with_fast_path(fast_path(identity), metrics)
}

/// The endpoints of `/oidc`.
pub(super) fn endpoints(identity: &Identity, metrics: &Metrics) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::OAuth)
        .get("/oidc/jwks", Public, jwks::read)
        .get_that_writes("/oidc/authorize", Public, authorize::begin)
        .for_people()
        .post("/oidc/authorize", Public, authorize::begin_by_form)
        .get_that_writes("/oidc/authorize/{uid}", Public, authorize::resume)
        .for_people()
        .post("/oidc/par", Public, par::push)
        .for_scripts()
        .post("/oidc/device_authorization", Public, device_authorization::authorize)
        .for_scripts()
        .post("/oidc/token", Public, token::token)
        .for_scripts()
        .post("/oidc/revoke", Public, revoke::revoke)
        .for_scripts()
        .post("/oidc/introspect", Public, introspect::introspect)
        .for_scripts()
        .get("/oidc/userinfo", ByAccessToken, userinfo::read)
        .for_scripts()
        .post("/oidc/userinfo", ByAccessToken, userinfo::read)
        .for_scripts()
        .get_that_writes("/oidc/session/end", Public, session_end::end)
        .for_people()
        .post("/oidc/session/end", Public, session_end::end_by_form)
        .for_people()
        .with_fast_path(fast_path(identity), metrics)
}

/// The endpoints of `/api/oidc`, for a login page.
pub(super) fn interactions(identity: &Identity) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::Identity).get("/api/oidc/interaction/{uid}", Public, interaction::read).post(
        "/api/oidc/interaction/{uid}/finish",
        ByCsrfToken,
        interaction::finish,
    )
}

/// The documents are the same for everybody, so they are sent before any filter runs.
fn fast_path(identity: &Identity) -> FastPath {
    let (discovery, keys) = (discovery::document(identity), CurrentKeys::new(identity.oidc.keys.clone()));
    Box::new(move |uri, headers| match uri.path() {
        "/.well-known/openid-configuration" | "/.well-known/oauth-authorization-server" => {
            FastPathOutcome::Response(Ok(discovery.respond(headers)))
        }
        "/.well-known/jwks.json" | "/oidc/jwks" => FastPathOutcome::Response(Ok(keys.document().respond(headers))),
        _ => FastPathOutcome::Miss(None),
    })
}
