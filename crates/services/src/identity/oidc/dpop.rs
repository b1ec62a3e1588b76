//! Checking the DPoP proof of a request (RFC 9449, section 4.3).

use super::OidcContext;
use crypto::{
    digest,
    oidc::{jws::Unverified, thumbprint},
};
use domain::{
    identity::oidc::{
        PublicJwk,
        dpop::{PROOF_TYPE, ProofClaims},
        error::{invalid_dpop_proof, use_dpop_nonce},
    },
    shared::Fault,
};
use jiff::Timestamp;
use storage::identity::oidc::dpop_proofs;

/// A request with a proof.
#[derive(Debug, Clone, Copy)]
pub struct ProvedRequest<'a> {
    /// The value of the header `DPoP`.
    pub proof: &'a str,
    pub method: &'a str,
    pub path: &'a str,
    /// The access token that it is sent with, if any.
    pub access_token: Option<&'a str>,
}

/// The thumbprint of the key that the sender of a request holds. 400 `invalid_dpop_proof` when the proof is
/// wrong, is for another request or was shown before; 400 `use_dpop_nonce` when it was not made with a nonce
/// that this server gave out within the last minutes.
pub async fn verify(ctx: &OidcContext, request: ProvedRequest<'_>, now: Timestamp) -> Result<String, Fault> {
    let unreadable = || invalid_dpop_proof("The DPoP proof is no JWT signed with the key in its header");
    let token = Unverified::parse(request.proof).ok_or_else(unreadable)?;
    let key = token.header.jwk.as_ref().ok_or_else(unreadable).and_then(|jwk| PublicJwk::parse(jwk).map_err(|_| unreadable()))?;
    let is_signed = token.header.typ.as_deref() == Some(PROOF_TYPE) && token.is_signed_by(&key);
    let claims: ProofClaims = token.claims().filter(|_| is_signed).ok_or_else(unreadable)?;
    let ath = request.access_token.map(|token| digest::base64url(&digest::sha256(token.as_bytes())));
    let uri = format!("{}{}", ctx.settings.issuer, request.path);
    claims.check(request.method, &uri, ath.as_deref(), now).map_err(invalid_dpop_proof)?;
    if !claims.nonce.as_deref().is_some_and(|nonce| ctx.dpop_nonces.accepts(nonce, now)) {
        return Err(use_dpop_nonce());
    }
    let jkt = thumbprint(&key).ok_or_else(unreadable)?;
    let hash = digest::sha256(format!("{jkt}.{}", claims.jti).as_bytes());
    let connection = ctx.identity.store.connection("oidc.dpop_proof").await?;
    if !dpop_proofs::record(&connection, &hash, claims.remembered_until()).await? {
        return Err(invalid_dpop_proof("The DPoP proof was used before"));
    }
    Ok(jkt)
}
