//! `/account/sessions`: where the account is signed in.

use super::{Owner, apps::client_name, done};
use crate::{
    identity::session_cookies,
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Code, Fault, Kind, SessionId};
use pages::{
    Text,
    account::history::{SessionRow, sessions_page},
};
use services::identity::sessions as use_cases;
use storage::identity::sessions;

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let done = done(&request, &[("one", Text::SessionEnded), ("others", Text::OtherSessionsEnded)])?;
    let connection = pages.identity.ctx.store.connection("session.list").await?;
    let active = sessions::list_active(&connection, signed_in.user, pages.identity.ctx.clock.now(), sessions::NEWEST).await?.items;
    let row = |session: sessions::ListedSession| SessionRow {
        id: session.id.to_string(),
        is_current: session.id == signed_in.session,
        ip: session.ip.map(|ip| ip.to_string()),
        user_agent: session.user_agent,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        clients: session.clients.iter().map(|id| client_name(&pages, id)).collect(),
    };
    let rows: Vec<SessionRow> = active.into_iter().map(row).collect();
    Ok(visitor.ok(&pages, |frame| sessions_page(frame, &rows, done)))
}

/// Ends one session, or all others.
pub(crate) async fn end(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    if form.given("end") == Some("others") {
        let times = use_cases::revoke_others(&identity.ctx, &context, signed_in.claims()).await?;
        let response = ApiResponse::see_other("/account/sessions?done=others")?;
        return session_cookies::reissue(identity, signed_in, times, response);
    }
    let session: SessionId = form.text("end").parse().map_err(|_| Fault::new(Code::BadForm, "Send the id of a session"))?;
    match use_cases::revoke(&identity.ctx, &context, signed_in.user, session).await {
        Ok(()) if session == signed_in.session => Ok(identity.sessions.clear_cookies(ApiResponse::see_other("/logout")?)),
        // One that has ended meanwhile is as good as one that was ended now.
        Ok(()) => ApiResponse::see_other("/account/sessions?done=one"),
        Err(fault) if fault.kind() == Kind::NotFound => ApiResponse::see_other("/account/sessions?done=one"),
        Err(fault) => Err(fault),
    }
}
