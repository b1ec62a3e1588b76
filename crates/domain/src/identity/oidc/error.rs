//! The errors of OAuth 2.0 as [`Fault`]s: the fault's code is the code of the standard, its message the
//! `error_description`.

use crate::shared::{Code, Fault};
use std::borrow::Cow;

/// A request that is malformed, or that the standard does not allow (RFC 6749, sections 4.1.2.1 and 5.2).
pub fn invalid_request(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::InvalidRequest, description)
}

/// 401: the client did not authenticate (RFC 6749, section 5.2). The same for every reason.
pub fn invalid_client() -> Fault {
    Fault::new(Code::InvalidClient, "The client is unknown, or its authentication failed")
}

/// A code, a refresh token or a device code that cannot be used (RFC 6749, section 5.2).
pub fn invalid_grant(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::InvalidGrant, description)
}

/// A scope that cannot be read, or that goes beyond the grant (RFC 6749, section 5.2).
pub fn invalid_scope(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::InvalidScope, description)
}

/// A resource that this server issues no tokens for (RFC 8707, section 2).
pub fn invalid_target(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::InvalidTarget, description)
}

/// The client may not do what it asks for (RFC 6749, section 5.2).
pub fn unauthorized_client(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::UnauthorizedClient, description)
}

/// A grant type that this server does not know (RFC 6749, section 5.2).
pub fn unsupported_grant_type() -> Fault {
    Fault::new(Code::UnsupportedGrantType, "This grant type is not supported; see grant_types_supported")
}

/// The person or the server refuses the request (RFC 6749, section 4.1.2.1).
pub fn access_denied(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::AccessDenied, description)
}

/// A device code is not decided about yet; the client asks again (RFC 8628, section 3.5).
pub fn authorization_pending() -> Fault {
    Fault::new(Code::AuthorizationPending, "The person has not entered the code of the device yet")
}

/// The same for a client that asks too often: from now on it waits 5 seconds longer each time (RFC 8628,
/// section 3.5).
pub fn slow_down() -> Fault {
    Fault::new(Code::SlowDown, "The device asks too often; wait 5 seconds longer between requests")
}

/// A device code whose time is over (RFC 8628, section 3.5).
pub fn expired_token() -> Fault {
    Fault::new(Code::ExpiredToken, "The device code has expired")
}

/// A DPoP proof that is wrong, is for another request, or was used before (RFC 9449, section 5).
pub fn invalid_dpop_proof(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::InvalidDpopProof, description)
}

/// A DPoP proof without a nonce of this server that is young enough (RFC 9449, section 8).
pub fn use_dpop_nonce() -> Fault {
    Fault::new(Code::UseDpopNonce, "Make the DPoP proof with the nonce in the header DPoP-Nonce")
}

/// 401: a token that is unknown, expired or revoked (RFC 6750, section 3.1). The same for every reason.
pub fn invalid_token() -> Fault {
    Fault::new(Code::InvalidToken, "The access token is unknown, expired or revoked")
}

/// 403: a token without the scope that is needed (RFC 6750, section 3.1).
pub fn insufficient_scope(description: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(Code::InsufficientScope, description)
}
