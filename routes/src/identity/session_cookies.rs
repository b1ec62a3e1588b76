//! The response to a started session, and the new cookie of a session that is kept while the others of its
//! account end.

use super::{Identity, profile::Profile};
use crate::web::{ApiResponse, SignedIn, cookie::Keep, csrf::Binding};
use crypto::session::Claims;
use domain::shared::{Fault, SessionId, UserId};
use http::{HeaderValue, header};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::{StartedSession, session_start::REMEMBERED};
use storage::identity::{known_devices::KNOWN_FOR, sessions::SessionTimes};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<T> {
    user: Profile,
    csrf_token: String,
    #[serde(flatten)]
    more: T,
}

/// A body without further members.
#[derive(Serialize)]
struct Nothing {}

/// The profile and the cookies of a started session. The cookies from before the sign-in are deleted.
pub(super) fn respond(identity: &Identity, started: StartedSession) -> Result<ApiResponse, Fault> {
    respond_with(identity, started, Nothing {})
}

/// As [`respond`], with more members in the body.
pub(super) fn respond_with(identity: &Identity, started: StartedSession, more: impl Serialize) -> Result<ApiResponse, Fault> {
    let (csrf_token, cookies) = cookies(identity, &started)?;
    let user = Profile::of(started.account, &identity.ctx.settings.locales);
    Ok(add(identity, cookies, ApiResponse::ok(&Body { user, csrf_token, more })?))
}

/// Adds the cookies of a started session to a response. The cookies from before the sign-in are deleted.
pub(crate) fn sign_in(identity: &Identity, started: &StartedSession, response: ApiResponse) -> Result<ApiResponse, Fault> {
    Ok(add(identity, cookies(identity, started)?.1, response))
}

fn add(identity: &Identity, cookies: [HeaderValue; 3], response: ApiResponse) -> ApiResponse {
    let response = cookies.into_iter().fold(response, |response, cookie| response.with(header::SET_COOKIE, cookie));
    identity.sessions.clear_pre_session(response)
}

/// The CSRF token of a started session, and its cookies.
fn cookies(identity: &Identity, started: &StartedSession) -> Result<(String, [HeaderValue; 3]), Fault> {
    let StartedSession { account, session, times, device_token } = started;
    let (session, times) = (*session, *times);
    let sessions = &identity.sessions;
    let keep = if times.is_remembered { Keep::For(REMEMBERED) } else { Keep::Session };
    let session_cookie = sessions.cookie(claims(account.id, session, times, times.created_at), keep)?;
    let (csrf_token, csrf_cookie) = sessions.csrf().issue(&Binding::Session(session))?;
    let known_for = Keep::For(KNOWN_FOR.unsigned_abs());
    let device_cookie = sessions.cookies().set(sessions.cookies().device(), device_token, known_for)?;
    Ok((csrf_token, [session_cookie, csrf_cookie, device_cookie]))
}

/// Adds the new cookie of a session that is kept while the others of its account end; see
/// [`storage::identity::sessions::end_others`]. It is the same session: its CSRF token stays valid.
pub(crate) fn reissue(
    identity: &Identity,
    signed_in: SignedIn,
    times: SessionTimes,
    response: ApiResponse,
) -> Result<ApiResponse, Fault> {
    let now = identity.ctx.clock.now();
    let left = times.expires_at.duration_since(now);
    let keep = if times.is_remembered { Keep::For(left.try_into().unwrap_or_default()) } else { Keep::Session };
    let claims = claims(signed_in.user, signed_in.session, times, now);
    Ok(response.with(header::SET_COOKIE, identity.sessions.cookie(claims, keep)?))
}

/// The same where the session of the request may not be among those that are concerned: then nothing is
/// added.
pub(crate) fn reissue_if_kept(
    identity: &Identity,
    signed_in: SignedIn,
    kept: Option<SessionTimes>,
    response: ApiResponse,
) -> Result<ApiResponse, Fault> {
    match kept {
        Some(times) => reissue(identity, signed_in, times, response),
        None => Ok(response),
    }
}

fn claims(user: UserId, session: SessionId, times: SessionTimes, now: Timestamp) -> Claims {
    Claims {
        sub: user,
        sid: session,
        tv: times.token_version,
        auth_time: times.auth_at.as_second(),
        iat: now.as_second(),
        exp: times.expires_at.as_second(),
    }
}
