//! `/admin/users/{id}`: everything about a person.

use crate::pages::{
    Pages,
    account::apps::client_name,
    console::{Administrator, done, entries, of_list},
};
use crate::web::{ApiRequest, ApiResponse};
use domain::{
    identity::admin::read_plain_page,
    shared::{Fault, PageRequest, SessionId, UserId},
};
use pages::{
    account::history::SessionRow,
    console::{
        list::Paging,
        text::ConsoleText,
        token_text::TokenText,
        user::{AppRow, UserView, apps_page, sessions_page, user_page},
    },
};
use services::identity::admin::user_details::{list_grants, list_sessions, read_user};
use storage::identity::{oidc::grants::ListedGrant, sessions::ListedSession};

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
    let sessions = session_rows(&pages, details.sessions.items, administrator.signed_in.session);
    let apps = app_rows(&pages, details.grants.items);
    let view = UserView {
        done: done(administrator.visitor.language(), &query, &DONE)
            .or_else(|| done(administrator.visitor.language(), &query, &LINK)),
        account: &details.account,
        is_self: administrator.signed_in.user == id,
        passkeys: &details.passkeys,
        sessions: (&sessions, details.sessions.total),
        apps: (&apps, details.grants.total),
        roles: details.roles.into_iter().map(|roles| (roles.name, roles.assigned)).collect(),
        spaces: details.spaces,
        tokens: (&details.tokens.items, details.tokens.total),
        entries: entries::rows(details.entries),
    };
    Ok(administrator.ok(&pages, |console| user_page(console, &view)))
}

/// `/admin/users/{id}/sessions`: all sessions of a person, in pages; 404.
pub(in crate::pages::console) async fn sessions(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let page = read_plain_page(&of_list(&request.query()?))?;
    let (account, found) = list_sessions(&pages.identity.ctx, id, page).await?;
    let rows = session_rows(&pages, found.items, administrator.signed_in.session);
    Ok(administrator.ok(&pages, |console| sessions_page(console, &account, &rows, paging(page, found.total))))
}

/// `/admin/users/{id}/apps`: everything that a person grants to applications, in pages; 404.
pub(in crate::pages::console) async fn apps(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let page = read_plain_page(&of_list(&request.query()?))?;
    let (account, found) = list_grants(&pages.identity.ctx, id, page).await?;
    let rows = app_rows(&pages, found.items);
    Ok(administrator.ok(&pages, |console| apps_page(console, &account, &rows, paging(page, found.total))))
}

fn paging(page: PageRequest, total: i64) -> Paging {
    Paging { page: page.page, per_page: page.per_page, total, is_exact: true }
}

fn app_rows(pages: &Pages, grants: Vec<ListedGrant>) -> Vec<AppRow> {
    let row = |grant: ListedGrant| AppRow {
        name: client_name(pages, &grant.client_id),
        scope: grant.scope.to_string(),
        since: grant.created_at,
    };
    grants.into_iter().map(row).collect()
}

/// Sessions as a list shows them.
pub(super) fn session_rows(pages: &Pages, sessions: Vec<ListedSession>, current: SessionId) -> Vec<SessionRow> {
    sessions.into_iter().map(|session| session_row(pages, session, current)).collect()
}

fn session_row(pages: &Pages, session: ListedSession, current: SessionId) -> SessionRow {
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
