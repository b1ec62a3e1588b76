//! Entries of the audit trail as the pages show them.

use crate::identity::admin::audit_logs::EntryView;
use pages::console::entries::EntryRow;
use storage::identity::audit::FullEntry;

/// The rows of entries.
pub(super) fn rows(entries: Vec<FullEntry>) -> Vec<EntryRow> {
    entries.into_iter().map(row).collect()
}

fn row(entry: FullEntry) -> EntryRow {
    EntryRow {
        event: entry.event.clone(),
        is_failure: entry.status == "failure",
        at: entry.created_at,
        ip: entry.ip.map(|ip| ip.to_string()),
        user_agent: entry.user_agent.clone(),
        user: entry.user.map(|id| (id.to_string(), entry.user_email.clone())),
        actor_type: entry.actor_type.clone(),
        actor_id: entry.actor_id.clone(),
        // As the endpoint of the trail answers it.
        details: serde_json::to_string_pretty(&EntryView::from(entry)).unwrap_or_default(),
    }
}
