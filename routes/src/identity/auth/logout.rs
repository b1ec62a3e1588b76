//! `POST /api/auth/logout`: ends the session, in the database and in the browser. Without a session it is 200
//! as well.

use crate::{
    identity::{Identity, success},
    web::{Access, ApiRequest, ApiResponse, BySession, Message, SignedIn, access::Security},
};
use domain::shared::{Fault, Kind};
use http::{Method, StatusCode};
use services::identity::sessions;

/// An access rule: as [`BySession`], but a caller without an active session is let in too, because there is
/// nothing to end.
#[derive(Clone, Copy)]
pub(super) struct IfSignedIn;

impl Access<Identity> for IfSignedIn {
    type Scope = ();
    type Caller = Option<SignedIn>;

    fn security(&self, method: &Method) -> Security {
        <BySession as Access<Identity>>::security(&BySession, method)
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::FORBIDDEN]
    }

    async fn authorize(&self, identity: &Identity, request: &ApiRequest, (): ()) -> Result<Option<SignedIn>, Fault> {
        match BySession.authorize(identity, request, ()).await {
            Ok(signed_in) => Ok(Some(signed_in)),
            Err(fault) if fault.kind() == Kind::Unauthorized => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}

/// 200, and the cookies are cleared.
pub(super) async fn logout(identity: Identity, caller: Option<SignedIn>, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let response = ApiResponse::ok(&success(&request, Message::SignedOut))?;
    match caller {
        Some(signed_in) => sessions::sign_out(&identity.ctx, &identity.request_context(&request), signed_in.claims()).await?,
        // A request from another site comes without the server's cookies (SameSite), so whether the browser
        // has a session is unknown: its cookies stay.
        None if !identity.sessions.has_cookie(&request) => return Ok(response),
        None => {}
    }
    Ok(identity.sessions.clear_cookies(response))
}
