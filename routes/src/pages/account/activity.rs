//! `/account/activity`: what has happened with the account.

use super::Owner;
use crate::{
    pages::Pages,
    web::{ApiRequest, ApiResponse},
};
use domain::{
    identity::{
        AuditEvent,
        activity::{Row, happenings},
    },
    shared::Fault,
};
use pages::account::{
    events::ActivityEntry,
    history::{ActivityRow, activity_page},
};
use storage::identity::audit;
use uuid::Uuid;

/// How many rows of the trail a page has, but for those that belong to the last of them.
const PAGE: usize = 30;
/// The most rows that are read for a page. Those of one request are few and stand together.
const READ: i64 = 60;

/// The page. `before` is the id of the entry that it comes after.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let before = request.query()?.get("before").and_then(|text| text.parse().ok());
    let connection = pages.identity.ctx.store.connection("account.activity").await?;
    let mut entries = audit::list(&connection, signed_in.user, before, READ).await?;
    drop(connection);
    let shown = whole(&entries, PAGE, |entry| entry.request_id);
    let has_more = entries.len() > shown;
    entries.truncate(shown);
    let older = entries.last().filter(|_| has_more).map(|last| format!("/account/activity?before={}", last.id));
    let rows = happenings(entries.into_iter().map(Known)).into_iter().map(|happening| happening.map(row));
    let rows: Vec<_> = rows.collect();
    Ok(visitor.ok(&pages, |frame| activity_page(frame, &rows, older.as_deref())))
}

/// How many of these are shown: `most`, and those that follow and belong to the last one.
fn whole<T>(entries: &[T], most: usize, request: impl Fn(&T) -> Option<Uuid>) -> usize {
    let last = most.checked_sub(1).and_then(|last| entries.get(last)).and_then(&request);
    let belonging = entries.iter().skip(most).take_while(|entry| last.is_some() && request(entry) == last).count();
    entries.len().min(most) + belonging
}

/// An entry as the trail has it.
struct Known(audit::TrailEntry);

impl Row for Known {
    fn request(&self) -> Option<Uuid> {
        self.0.request_id
    }

    fn event(&self) -> Option<AuditEvent> {
        self.0.event.parse().ok()
    }
}

fn row(known: Known) -> ActivityRow {
    let (event, Known(entry)) = (known.event(), known);
    ActivityRow {
        event,
        entry: ActivityEntry { is_failure: entry.status == "failure", is_own: entry.is_own },
        ip: entry.ip.map(|ip| ip.to_string()),
        user_agent: entry.user_agent,
        at: entry.created_at,
    }
}

#[cfg(test)]
mod tests {
    use super::whole;
    use uuid::Uuid;

    #[test]
    fn a_page_does_not_end_within_what_one_request_did() {
        let shown = |requests: &[u128]| whole(requests, 3, |request| (*request > 0).then(|| Uuid::from_u128(*request)));
        assert_eq!(shown(&[1, 2]), 2);
        assert_eq!(shown(&[1, 2, 3, 3, 3, 4]), 5);
        assert_eq!(shown(&[1, 2, 3, 4, 3]), 3);
        assert_eq!(shown(&[0, 0, 0, 0]), 3, "rows without a request stand alone");
    }
}
