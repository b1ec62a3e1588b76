//! Pausing and resuming what the installation sends, on the command line of the server.

use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result, Store,
    identity::audit::{self, Attempt},
    queue,
    shared::sending,
    transact,
};

/// Pauses the sending of webhooks, notices to clients and mails, or resumes it. Returns whether that changed
/// anything.
pub async fn set_sending(store: &Store, is_on: bool, at: Timestamp) -> Result<bool> {
    transact!(store, "sending.set", async |tx| {
        let is_changed = if is_on { sending::resume(tx).await? } else { sending::pause(tx, at).await? };
        if is_changed {
            let event = if is_on { audit::Event::AdminSendingResumed } else { audit::Event::AdminSendingPaused };
            audit::record_with(tx, event, &json!({ "by": "command line" }), Attempt::by_system(None, at)).await?;
            // What has waited is due now.
            queue::notify(tx, queue::DELIVERIES).await?;
            queue::notify(tx, queue::MAIL).await?;
        }
        Ok(is_changed)
    })
    .await
}
