//! Pausing and resuming what the installation sends, on the command line of the server.

use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result, Tx, TxOperation,
    identity::audit::{self, Attempt},
    queue,
    shared::sending,
};

/// Pauses what the installation sends, or resumes it: webhooks, notices to clients, mails.
#[derive(Debug)]
pub struct SetSending {
    /// Whether anything is to be sent.
    pub is_on: bool,
    pub at: Timestamp,
}

impl TxOperation for SetSending {
    /// Whether that changed anything.
    type Output = bool;

    const NAME: &'static str = "sending.set";

    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        let is_changed = if self.is_on { sending::resume(tx).await? } else { sending::pause(tx, self.at).await? };
        if is_changed {
            let event = if self.is_on { audit::Event::AdminSendingResumed } else { audit::Event::AdminSendingPaused };
            audit::record_with(tx, event, &json!({ "by": "command line" }), Attempt::by_system(None, self.at)).await?;
            // What has waited is due now.
            queue::notify(tx, queue::DELIVERIES).await?;
            queue::notify(tx, queue::MAIL).await?;
        }
        Ok(is_changed)
    }
}
