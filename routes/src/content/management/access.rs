//! Who calls a management endpoint, and whether they may.

use crate::{
    content::Content,
    web::{ApiRequest, session::SignedIn},
};
use domain::{
    content::Right,
    shared::{Actor, Fault, SpaceId},
};
use http::{Method, header};
use storage::content::management_tokens::{self, Bearer};

/// The caller of a management endpoint, by its token: `Authorization: Bearer <token>`, or the token alone, as hosted clients send it.
///
/// 401 without a valid token; 404 for a token of another space, so that spaces cannot be probed; 403 when the role does not allow it.
pub(crate) async fn manager(content: &Content, request: &ApiRequest, space: SpaceId, right: Right) -> Result<Actor, Fault> {
    let bearer = bearer(content, request).await?;
    if bearer.space != space {
        return Err(Fault::not_found());
    }
    if !bearer.role.may(right) {
        return Err(Fault::forbidden(format!("A token with the role {} may not do this", bearer.role.name())));
    }
    Ok(Actor { kind: "token", id: bearer.id.to_string(), label: bearer.name })
}

/// The token that a request carries; 401 without a valid one.
pub(crate) async fn bearer(content: &Content, request: &ApiRequest) -> Result<Bearer, Fault> {
    let presented = request.header(header::AUTHORIZATION).ok_or_else(Fault::unauthorized)?;
    let token = request.bearer().unwrap_or(presented.trim());
    let hash = content.token_keys.management.hash(token);
    let connection = content.store.connection("token.find").await?;
    management_tokens::find_bearer(&connection, &hash).await?.ok_or_else(Fault::unauthorized)
}

/// The caller of an endpoint that a space's owner may use without any token: with `Authorization` as [`manager`], without it by the
/// session cookie (and the CSRF header, but for GET).
///
/// 401 without a living session; 404 when the space is somebody else's.
pub(crate) async fn manager_or_owner(
    content: &Content,
    request: &ApiRequest,
    space: SpaceId,
    right: Right,
) -> Result<Actor, Fault> {
    if request.headers.contains_key(header::AUTHORIZATION) {
        return manager(content, request, space, right).await;
    }
    let signed_in = match request.method {
        Method::GET => content.sessions.signed_in(request).await?,
        _ => content.sessions.signed_in_with_csrf(request).await?,
    };
    let connection = content.store.connection("space.find").await?;
    if !storage::content::spaces::is_owned_by(&connection, space, signed_in.user).await? {
        return Err(Fault::not_found());
    }
    Ok(person(&signed_in))
}

/// A signed-in person as the audit log names them: by their number, never by their address.
pub(crate) fn person(signed_in: &SignedIn) -> Actor {
    Actor { kind: "user", id: signed_in.user.to_string(), label: "owner".to_owned() }
}
