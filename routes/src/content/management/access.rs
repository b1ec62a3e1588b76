//! Who calls a management endpoint, and whether they may.

use crate::{content::Content, web::Call};
use domain::{
    content::Right,
    shared::{Actor, Fault, SpaceId},
};
use http::header;
use secrecy::SecretString;

/// The caller of a management endpoint, by its token: `Authorization: Bearer <token>`, or the token alone, as hosted clients send it.
///
/// 401 without a valid token; 404 for a token of another space, so that spaces cannot be probed; 403 when the role does not allow it.
pub(crate) async fn manager(content: &Content, call: &Call, space: SpaceId, right: Right) -> Result<Actor, Fault> {
    let presented = call.header(header::AUTHORIZATION).ok_or_else(Fault::unauthorized)?;
    let token = presented.strip_prefix("Bearer ").unwrap_or(presented).trim();
    let hash = crypto::token::hash(&content.token_keys.management, &SecretString::from(token));
    let session = content.store.read("token.find").await?;
    let bearer = storage::content::management_tokens::find_bearer(&session, &hash).await?.ok_or_else(Fault::unauthorized)?;
    if bearer.space != space {
        return Err(Fault::not_found());
    }
    if !bearer.role.may(right) {
        return Err(Fault::forbidden(format!("A token with the role {} may not do this", bearer.role.name())));
    }
    Ok(Actor { kind: "token", id: bearer.id.to_string(), label: bearer.name })
}
