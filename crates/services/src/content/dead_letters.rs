//! Giving up deliveries of webhooks: they are marked dead, and the audit log of their space tells so.

use super::{CommandContext, SpaceCommand};
use domain::content::{Changes, webhook::Webhook};
use serde_json::json;
use std::sync::Arc;
use storage::{
    content::webhooks,
    shared::deliveries::{AttemptRecord, LeasedDelivery, mark_dead},
};

/// A delivery of a webhook whose last attempt failed.
pub struct DeadLetter {
    /// The webhook.
    pub webhook: Webhook,
    /// The delivery, as it was leased.
    pub delivery: Arc<LeasedDelivery>,
    /// The last attempt.
    pub record: AttemptRecord,
    /// Whether the receiver answered that it is gone for good (410).
    pub is_gone: bool,
}

/// Marks deliveries of a space's webhooks dead, with an entry in the audit log for each. A webhook whose receiver is gone is paused as well,
/// with an entry of its own. Deliveries that another process leased meanwhile are left to it.
pub struct MarkDeliveriesDead(pub Vec<DeadLetter>);

impl SpaceCommand for MarkDeliveriesDead {
    type Output = ();

    const NAME: &'static str = "webhook.dead_letter";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let records: Vec<AttemptRecord> = self.0.iter().map(|letter| letter.record.clone()).collect();
        let marked = mark_dead(ctx.tx, &records, ctx.now).await?;
        let mut changes = Changes::default();
        for DeadLetter { webhook, delivery, record, is_gone } in
            self.0.iter().filter(|letter| marked.contains(&letter.record.lease))
        {
            let meta = json!({
                "delivery_id": delivery.id.to_string(),
                "event": delivery.event,
                "story_id": delivery.key.parse::<i64>().ok(),
                "attempts": record.number,
                "result": record.result,
                "status": record.status,
            });
            let label = webhook.settings.name.as_str();
            changes = changes.and_audit("webhook.dead_lettered", "webhook", webhook.id, label, meta);
            if *is_gone && webhooks::pause(ctx.tx, ctx.space, webhook, &delivery.url, ctx.now).await? {
                let meta = json!({ "reason": "gone", "delivery_id": delivery.id.to_string(), "status": record.status });
                changes = changes.and_audit("webhook.paused", "webhook", webhook.id, label, meta);
            }
        }
        Ok(((), changes))
    }
}
