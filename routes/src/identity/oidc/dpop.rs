//! DPoP (RFC 9449) on the wire: the proof of a request, and the nonce that the next one needs.

use crate::{identity::Identity, web::ApiRequest};
use domain::{identity::oidc::error::invalid_dpop_proof, shared::Fault};
use http::{HeaderMap, HeaderName, HeaderValue};
use services::identity::oidc::dpop::{self, ProvedRequest};

const PROOF: HeaderName = HeaderName::from_static("dpop");
const NONCE: HeaderName = HeaderName::from_static("dpop-nonce");

/// Whether a request has a proof.
pub(super) fn is_proved(request: &ApiRequest) -> bool {
    request.headers.contains_key(PROOF)
}

/// The thumbprint of the key that the sender holds; `None` without a proof. 400 `invalid_dpop_proof` or
/// `use_dpop_nonce`.
pub(super) async fn verify(identity: &Identity, request: &ApiRequest, access_token: Option<&str>) -> Result<Option<String>, Fault> {
    let mut proofs = request.headers.get_all(PROOF).iter();
    let Some(proof) = proofs.next() else { return Ok(None) };
    let proof = proof.to_str().ok().filter(|_| proofs.next().is_none());
    let proof = proof.ok_or_else(|| invalid_dpop_proof("The request has several DPoP proofs, or one that cannot be read"))?;
    let proved = ProvedRequest { proof, method: request.method.as_str(), path: request.path(), access_token };
    dpop::verify(&identity.oidc, proved, identity.ctx.clock.now()).await.map(Some)
}

/// Adds the nonce for the next proof to the response of a request that had one.
pub(super) fn add_nonce(identity: &Identity, headers: &mut HeaderMap) {
    if let Ok(nonce) = HeaderValue::try_from(identity.oidc.dpop_nonces.current(identity.ctx.clock.now())) {
        headers.insert(NONCE, nonce);
    }
}
