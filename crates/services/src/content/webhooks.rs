//! Commands of webhooks and of their deliveries. Secrets come here sealed, so that no command can disclose
//! one.
//!
//! A command that changes subscriptions first makes deliveries of all earlier events: see [`super::fan_out`].

use crate::content::{
    command::{CommandContext, SpaceCommand},
    fan_out,
};
use domain::{
    content::{
        Changes, Right,
        webhook::{self, MAX_WEBHOOKS, Webhook, WebhookChange},
    },
    shared::{Code, DeliveryId, Fault, FieldCode, WebhookId, delivery::Circuit},
};
use jiff::SignedDuration;
use serde_json::json;
use storage::{
    Result,
    content::webhooks,
    shared::{
        deliveries::{self, Delivery, NewDelivery, Range},
        receivers,
    },
};

/// How long a replaced secret stays valid.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24);

/// Adds a webhook.
pub struct CreateWebhook {
    pub change: WebhookChange,
    pub secret: Vec<u8>,
}

impl SpaceCommand for CreateWebhook {
    type Output = Webhook;

    const NAME: &'static str = "webhook.create";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Webhook, Changes)> {
        let settings = self.change.apply(None)?;
        drain_events(ctx).await?;
        let count = i64::try_from(webhooks::list(ctx.tx, ctx.space).await?.len()).unwrap_or(i64::MAX);
        if count >= MAX_WEBHOOKS {
            return Err(Fault::invalid("base", FieldCode::TooMany, format!("has {MAX_WEBHOOKS} webhooks; delete one first")).into());
        }
        let created = webhooks::insert(ctx.tx, ctx.space, &settings, &self.secret, ctx.now).await?;
        let changes = audited("webhook.create", &created);
        Ok((created, changes))
    }
}

/// Changes a webhook. A new secret replaces the old one, which stays valid for a day.
pub struct UpdateWebhook {
    pub id: WebhookId,
    pub change: WebhookChange,
    /// The new sealed secret; `None` keeps the old one.
    pub secret: Option<Vec<u8>>,
}

impl SpaceCommand for UpdateWebhook {
    type Output = Webhook;

    const NAME: &'static str = "webhook.update";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Webhook, Changes)> {
        let old = find(ctx, self.id).await?;
        let settings = self.change.apply(Some(old.settings.clone()))?;
        drain_events(ctx).await?;
        let after = webhooks::update(ctx.tx, ctx.space, &old, &settings, ctx.now).await?;
        let mut changes = audited("webhook.update", &after);
        if let Some(secret) = &self.secret {
            let until = ctx.now.checked_add(OVERLAP).unwrap_or(ctx.now);
            receivers::rotate(ctx.tx, after.receiver, secret, until).await?;
            changes.audit.extend(audited("webhook.rotate_secret", &after).audit);
        }
        Ok((after, changes))
    }
}

/// Removes a webhook and its pending deliveries.
pub struct DeleteWebhook(pub WebhookId);

impl SpaceCommand for DeleteWebhook {
    type Output = Webhook;

    const NAME: &'static str = "webhook.delete";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Webhook, Changes)> {
        let old = find(ctx, self.0).await?;
        webhooks::delete(ctx.tx, ctx.space, &old, ctx.now).await?;
        let changes = audited("webhook.delete", &old);
        Ok((old, changes))
    }
}

/// A delivery as its command leaves it. It may have arrived as soon as the command is over.
pub struct QueuedDelivery {
    pub delivery: Delivery,
    /// The circuit of its receiver, which may hold it back.
    pub circuit: Circuit,
}

/// Queues a test delivery, and answers it.
pub struct PingWebhook(pub WebhookId);

impl SpaceCommand for PingWebhook {
    type Output = QueuedDelivery;

    const NAME: &'static str = "webhook.ping";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(QueuedDelivery, Changes)> {
        let webhook = find(ctx, self.0).await?;
        if !webhook.settings.active {
            return Err(Fault::new(Code::WebhookPaused, "The webhook is paused; set active to true first").into());
        }
        let id = DeliveryId::new(ctx.entropy);
        let delivery = NewDelivery {
            id,
            receiver: webhook.receiver,
            event: webhook::PING,
            // Deliveries of one key keep their order: with a key of its own, a ping waits for no story and
            // for no other ping.
            key: id.to_string(),
            content_type: "application/json",
            body: webhook::ping(ctx.space, webhook.id, ctx.now, id)?,
            origin_seq: None,
            happened_at: ctx.now,
        };
        deliveries::add(ctx.tx, &[delivery], ctx.now).await?;
        Ok((queued(ctx, &webhook, id).await?, audited("webhook.ping", &webhook)))
    }
}

/// Queues one delivery again, and answers it.
pub struct Redeliver {
    pub webhook: WebhookId,
    pub id: DeliveryId,
}

impl SpaceCommand for Redeliver {
    type Output = QueuedDelivery;

    const NAME: &'static str = "webhook.redeliver";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(QueuedDelivery, Changes)> {
        let webhook = find(ctx, self.webhook).await?;
        if !deliveries::redeliver(ctx.tx, webhook.receiver, self.id).await? {
            queued(ctx, &webhook, self.id).await?;
            return Err(Fault::new(Code::NotRedeliverable, "The delivery is still pending, or its body is no longer kept").into());
        }
        let meta = json!({ "delivery_id": self.id.to_string() });
        let changes =
            Changes::default().and_audit("webhook.redeliver", "webhook", webhook.id, webhook.settings.name.as_str(), meta);
        Ok((queued(ctx, &webhook, self.id).await?, changes))
    }
}

/// Queues a range of deliveries again, and answers how many there are.
pub struct RedeliverRange {
    pub webhook: WebhookId,
    pub range: Range,
}

impl SpaceCommand for RedeliverRange {
    type Output = u64;

    const NAME: &'static str = "webhook.redeliver_range";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(u64, Changes)> {
        let webhook = find(ctx, self.webhook).await?;
        let count = deliveries::redeliver_range(ctx.tx, webhook.receiver, &self.range).await?;
        let meta = json!({ "from": self.range.from, "to": self.range.to, "deliveries": count });
        let changes =
            Changes::default().and_audit("webhook.redeliver", "webhook", webhook.id, webhook.settings.name.as_str(), meta);
        Ok((count, changes))
    }
}

/// Silences all webhooks of the space, and cancels their deliveries, also those of events that are not yet
/// deliveries. Returns how many.
pub(super) async fn silence(ctx: &CommandContext<'_>) -> Result<u64> {
    drain_events(ctx).await?;
    let receivers: Vec<_> = webhooks::list(ctx.tx, ctx.space).await?.iter().map(|webhook| webhook.receiver).collect();
    receivers::set_silenced(ctx.tx, &receivers, true).await?;
    deliveries::cancel(ctx.tx, &receivers, ctx.now).await
}

async fn find(ctx: &CommandContext<'_>, id: WebhookId) -> Result<Webhook> {
    webhooks::find(ctx.tx, ctx.space, id).await?.ok_or_else(|| Fault::not_found().into())
}

/// A delivery as this transaction has it; not found when the webhook has none of that id.
async fn queued(ctx: &CommandContext<'_>, webhook: &Webhook, id: DeliveryId) -> Result<QueuedDelivery> {
    let delivery = deliveries::find(ctx.tx, webhook.receiver, id).await?.ok_or_else(Fault::not_found)?;
    let breaker = receivers::find_breaker(ctx.tx, webhook.receiver).await?.unwrap_or_default();
    Ok(QueuedDelivery { delivery, circuit: breaker.circuit })
}

/// Makes deliveries of all events so far.
async fn drain_events(ctx: &CommandContext<'_>) -> Result<()> {
    fan_out::drain(ctx.tx, ctx.space, ctx.entropy, ctx.now).await
}

fn audited(action: &'static str, webhook: &Webhook) -> Changes {
    Changes::audited(action, "webhook", webhook.id, webhook.settings.name.as_str())
}
