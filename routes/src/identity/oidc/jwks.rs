//! `GET /.well-known/jwks.json` and `GET /oidc/jwks`: the public keys that tokens are verified with (RFC
//! 7517, section 5).

use super::document::Document;
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use services::identity::oidc::{KeyRing, keys::Jwks};
use std::sync::{Arc, PoisonError, RwLock};

/// 200 with the keys. The same as the fast path answers.
pub(super) async fn read(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(document(&identity.oidc.keys.jwks()).respond(&request.headers))
}

/// The document of the keys that are published just now. It is made once for each set of keys.
pub(super) struct CurrentKeys {
    keys: KeyRing,
    current: RwLock<(Arc<Jwks>, Arc<Document>)>,
}

impl CurrentKeys {
    pub(super) fn new(keys: KeyRing) -> Self {
        let jwks = keys.jwks();
        let document = Arc::new(document(&jwks));
        Self { keys, current: RwLock::new((jwks, document)) }
    }

    pub(super) fn document(&self) -> Arc<Document> {
        let jwks = self.keys.jwks();
        {
            let (of, document) = &*self.current.read().unwrap_or_else(PoisonError::into_inner);
            if Arc::ptr_eq(of, &jwks) {
                return Arc::clone(document);
            }
        }
        let new = Arc::new(document(&jwks));
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = (jwks, Arc::clone(&new));
        new
    }
}

fn document(jwks: &Jwks) -> Document {
    Document::new("application/jwk-set+json; charset=utf-8", jwks.body.clone(), &jwks.fingerprint)
}
