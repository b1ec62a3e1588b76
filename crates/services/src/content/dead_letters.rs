//! Giving up deliveries of webhooks: they are marked dead, and the audit log of their space tells so.

use super::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right, webhook::Webhook},
    shared::delivery::DeadReason,
};
use serde_json::json;
use storage::{
    content::webhooks,
    shared::deliveries::{DeadLetter, write_dead_letters},
};

/// Marks deliveries of a space's webhooks dead, with an entry in the audit log for each. A webhook whose
/// receiver is gone is paused as well, with an entry of its own. Deliveries that another process leased
/// meanwhile are left to it.
pub struct MarkDeliveriesDead(pub Vec<(Webhook, DeadLetter)>);

impl SpaceCommand for MarkDeliveriesDead {
    type Output = ();

    const NAME: &'static str = "webhook.dead_letter";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let written = write_dead_letters(ctx.tx, self.0.iter().map(|(_, letter)| letter), ctx.now).await?;
        let written: Vec<_> = written.iter().map(|letter| letter.delivery.lease).collect();
        let mut changes = Changes::default();
        for (webhook, letter) in self.0.iter().filter(|(_, letter)| written.contains(&letter.delivery.lease)) {
            let (delivery, last) = (&letter.delivery, letter.attempt());
            let status = last.and_then(|attempt| attempt.status);
            let meta = json!({
                "delivery_id": delivery.id.to_string(),
                "event": delivery.event,
                "story_id": delivery.key.parse::<i64>().ok(),
                "reason": letter.reason().into_str(),
                "attempts": letter.attempts(),
                "result": last.map(|attempt| attempt.result),
                "status": status,
            });
            let label = webhook.settings.name.as_str();
            changes = changes.and_audit("webhook.dead_lettered", "webhook", webhook.id, label, meta);
            let is_gone = letter.reason() == DeadReason::Gone;
            if is_gone && webhooks::pause(ctx.tx, ctx.space, webhook, &delivery.url, ctx.now).await? {
                let meta = json!({ "reason": "gone", "delivery_id": delivery.id.to_string(), "status": status });
                changes = changes.and_audit("webhook.paused", "webhook", webhook.id, label, meta);
            }
        }
        Ok(((), changes))
    }
}
