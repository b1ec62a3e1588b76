//! `/admin/users/{id}`: everything about a person.

use crate::pages::{
    Pages,
    account::apps::client_name,
    console::{Administrator, done, entries},
};
use crate::web::{ApiRequest, ApiResponse};
use domain::shared::{Fault, SessionId, UserId};
use pages::{
    account::history::SessionRow,
    console::{
        text::ConsoleText,
        token_text::TokenText,
        user::{UserView, page},
    },
};
use services::identity::admin::user_details::read_user;
use storage::identity::sessions::ListedSession;

/// What may have been done just before.
const DONE: [(&str, ConsoleText); 11] = [
    ("created", ConsoleText::PersonCreated),
    ("changed", ConsoleText::PersonChanged),
    ("roles", ConsoleText::RolesChanged),
    ("suspend", ConsoleText::IsSuspended),
    ("unsuspend", ConsoleText::IsUnsuspended),
    ("sign-out", ConsoleText::IsSignedOut),
    ("reset-factors", ConsoleText::FactorsReset),
    ("verify-address", ConsoleText::AddressVerified),
    ("unverify-address", ConsoleText::AddressUnverified),
    ("grant-admin", ConsoleText::AdminGranted),
    ("revoke-admin", ConsoleText::AdminRevoked),
];

/// The same of a link.
const LINK: [(&str, TokenText); 1] = [("link", TokenText::LinkMailed)];

/// The page; 404.
pub(in crate::pages::console) async fn show(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let details = read_user(&pages.identity.ctx, id).await?;
    let current = administrator.signed_in.session;
    let view = UserView {
        done: done(administrator.visitor.language(), &query, &DONE)
            .or_else(|| done(administrator.visitor.language(), &query, &LINK)),
        account: &details.account,
        is_self: administrator.signed_in.user == id,
        passkeys: &details.passkeys,
        sessions: details.sessions.into_iter().map(|session| session_row(&pages, session, current)).collect(),
        apps: details.grants.iter().map(|grant| (client_name(&pages, &grant.client_id), grant.created_at)).collect(),
        roles: details.roles.into_iter().map(|roles| (roles.name, roles.assigned)).collect(),
        spaces: details.spaces,
        tokens: (&details.tokens.items, details.tokens.total),
        entries: entries::rows(details.entries),
    };
    Ok(administrator.ok(&pages, |console| page(console, &view)))
}

/// A session as a list shows it.
pub(super) fn session_row(pages: &Pages, session: ListedSession, current: SessionId) -> SessionRow {
    SessionRow {
        id: session.id.to_string(),
        is_current: session.id == current,
        ip: session.ip.map(|ip| ip.to_string()),
        user_agent: session.user_agent,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        clients: session.clients.iter().map(|id| client_name(pages, id)).collect(),
    }
}
