//! `/api/me/sessions…` and `/api/me/activity`: where the account is signed in, and what was done with it.

use crate::{
    identity::{Identity, export::EntryView, session_cookies, success},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::shared::{Fault, FieldCode, SessionId, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::sessions as use_cases;
use std::{net::IpAddr, num::IntErrorKind};
use storage::identity::{
    audit,
    sessions::{self, ListedSession},
};

#[derive(Serialize)]
struct Sessions {
    sessions: Vec<SessionView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionView {
    id: SessionId,
    current: bool,
    ip: Option<IpAddr>,
    user_agent: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    last_seen_at: Timestamp,
    /// The ids of the clients that the session signed in to.
    clients: Vec<String>,
}

/// Lists the sessions of the account.
pub(super) async fn list(identity: Identity, signed_in: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let connection = identity.ctx.store.connection("session.list").await?;
    let active = sessions::list_active(&connection, signed_in.user, identity.ctx.clock.now(), sessions::NEWEST).await?.items;
    let view = |session: ListedSession| SessionView {
        id: session.id,
        current: session.id == signed_in.session,
        ip: session.ip,
        user_agent: session.user_agent,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        clients: session.clients,
    };
    ApiResponse::ok(&Sessions { sessions: active.into_iter().map(view).collect() })
}

/// Ends a session of the account. For the current one it is a sign-out.
pub(super) async fn revoke(
    identity: Identity,
    signed_in: SignedIn,
    session: SessionId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    use_cases::revoke(&identity.ctx, &identity.request_context(&request), signed_in.user, session).await?;
    let answer = ApiResponse::ok(&success(&request, Message::SessionEnded))?;
    Ok(if session == signed_in.session { identity.sessions.clear_cookies(answer) } else { answer })
}

#[derive(Serialize)]
struct Revoked {
    message: &'static str,
    #[serde(serialize_with = "timestamp::serialize")]
    at: Timestamp,
}

/// Ends every session of the account but the one of the request, which gets a new cookie.
pub(super) async fn revoke_others(identity: Identity, signed_in: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let context = identity.request_context(&request);
    let times = use_cases::revoke_others(&identity.ctx, &context, signed_in.claims()).await?;
    let answer =
        ApiResponse::ok(&Revoked { message: Message::OtherSessionsEnded.in_language(request.meta.language), at: context.at() })?;
    session_cookies::reissue(&identity, signed_in, times, answer)
}

#[derive(Serialize)]
struct LastRevoked {
    #[serde(serialize_with = "timestamp::option::serialize")]
    at: Option<Timestamp>,
}

/// When the other sessions were last ended, if ever.
pub(super) async fn last_revoked_others(identity: Identity, signed_in: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let connection = identity.ctx.store.connection("session.last_revoked_others").await?;
    ApiResponse::ok(&LastRevoked { at: sessions::last_revoked_others(&connection, signed_in.user).await? })
}

/// The number of entries without `limit`.
const DEFAULT_LIMIT: i64 = 20;
/// The highest `limit`; more is lowered to it.
const MAX_LIMIT: i64 = 100;

#[derive(Serialize)]
struct Activity {
    activity: Vec<EntryView>,
    limit: i64,
}

/// 200 with the latest entries of the audit trail, the newest first.
pub(super) async fn activity(identity: Identity, signed_in: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let limit = match request.query()?.get("limit") {
        None | Some("") => DEFAULT_LIMIT,
        Some(text) => match text.parse::<u32>() {
            Ok(number) if number >= 1 => i64::from(number).min(MAX_LIMIT),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => MAX_LIMIT,
            _ => return Err(Fault::invalid("limit", FieldCode::Invalid, "must be a whole number of at least 1")),
        },
    };
    let connection = identity.ctx.store.connection("account.activity").await?;
    let entries = audit::activity(&connection, signed_in.user, limit).await?;
    ApiResponse::ok(&Activity { activity: entries.into_iter().map(EntryView::from).collect(), limit })
}
