//! Entries of the audit trail as comma-separated values (RFC 4180).

use domain::shared::csv::cell;
use storage::identity::audit::FullEntry;

/// The columns.
const COLUMNS: &str =
    "time,event,status,user_id,user_email,actor_type,actor_id,target_id,client_id,ip,user_agent,request_id,details\r\n";

/// The file.
pub(super) fn file(entries: &[FullEntry]) -> String {
    let mut file = COLUMNS.to_owned();
    for entry in entries {
        let time = entry.created_at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
        let (user, ip) = (entry.user.map(|id| id.to_string()), entry.ip.map(|ip| ip.to_string()));
        let request = entry.request_id.map(|id| id.to_string());
        let details = entry.details.to_string();
        let cells = [
            Some(time.as_str()),
            Some(&entry.event),
            Some(&entry.status),
            user.as_deref(),
            entry.user_email.as_deref(),
            Some(&entry.actor_type),
            entry.actor_id.as_deref(),
            entry.target_id.as_deref(),
            entry.client_id.as_deref(),
            ip.as_deref(),
            entry.user_agent.as_deref(),
            request.as_deref(),
            Some(&details),
        ];
        file.push_str(&cells.map(|text| cell(text.unwrap_or_default())).join(","));
        file.push_str("\r\n");
    }
    file
}
