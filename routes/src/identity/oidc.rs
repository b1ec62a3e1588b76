//! The OpenID provider: a table for `/.well-known` and one for `/oidc`. Errors are those of OAuth.

mod client_credentials;
mod discovery;
mod document;
mod jwks;

use super::Identity;
use crate::{
    dispatch::{FastPath, FastPathOutcome},
    ops::Metrics,
    web::{Endpoints, ErrorFormat, Public},
};
use jwks::CurrentKeys;

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
    Endpoints::new(identity, ErrorFormat::OAuth).get("/oidc/jwks", Public, jwks::read).with_fast_path(fast_path(identity), metrics)
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
