//! `/account/activity`: what has happened with the account.

use super::Owner;
use crate::{
    pages::Pages,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use pages::account::history::{ActivityRow, activity_page};
use storage::identity::audit;

/// How many entries a page has.
const PAGE: i64 = 30;

/// The page. `before` is the id of the entry that it comes after.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let before = request.query()?.get("before").and_then(|text| text.parse().ok());
    let connection = pages.identity.ctx.store.connection("account.activity").await?;
    let mut entries = audit::list(&connection, signed_in.user, before, PAGE + 1).await?;
    drop(connection);
    // One entry more tells whether there is another page.
    let has_more = entries.len() > usize::try_from(PAGE).unwrap_or_default();
    if has_more {
        entries.pop();
    }
    let older = entries.last().filter(|_| has_more).map(|last| format!("/account/activity?before={}", last.id));
    let row = |entry: audit::Entry| ActivityRow {
        event: entry.event,
        is_failure: entry.status == "failure",
        ip: entry.ip.map(|ip| ip.to_string()),
        user_agent: entry.user_agent,
        at: entry.created_at,
    };
    let rows: Vec<ActivityRow> = entries.into_iter().map(row).collect();
    Ok(visitor.ok(&pages, |frame| activity_page(frame, &rows, older.as_deref())))
}
