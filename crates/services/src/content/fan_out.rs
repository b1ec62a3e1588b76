//! From events to deliveries: each event becomes one delivery for each webhook that was subscribed when it
//! happened.
//!
//! ```text
//! a command writes an event ─▶ its number is behind the cursor of the space ─▶ one transaction adds the deliveries and moves the cursor
//! ```
//!
//! A command that changes the webhooks of a space makes the deliveries of earlier events first: so an event
//! goes to the webhooks that were subscribed when it happened, and not to those that are subscribed when the
//! fan-out comes to it.

use domain::{
    content::webhook::{Webhook, payload},
    shared::{DeliveryId, Entropy, SpaceId},
};
use jiff::Timestamp;
use storage::{
    Result, Store, Tx,
    content::{
        fan_out::{self, NextEvent, Wait},
        webhooks,
    },
    shared::deliveries::{self, NewDelivery},
    transact,
};

/// How many events become deliveries in one transaction.
const EVENTS: i64 = 250;

/// What a batch did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FanOutBatch {
    /// Events that were handled.
    pub events: usize,
    /// Deliveries that were made.
    pub deliveries: u64,
}

/// Makes deliveries of the next events of a space, unless another process is just doing it. Events of a
/// deleted space wait until it is undeleted.
pub async fn fan_out_space(store: &Store, space: SpaceId, entropy: &dyn Entropy, at: Timestamp) -> Result<FanOutBatch> {
    transact!(store, "fan_out.batch", async |tx| { fan_out(tx, space, Wait::Never, entropy, at).await }).await
}

/// Makes deliveries of all events of a space so far.
pub(super) async fn drain(tx: &Tx<'_>, space: SpaceId, entropy: &dyn Entropy, at: Timestamp) -> Result<()> {
    while fan_out(tx, space, Wait::ForOthers, entropy, at).await?.events > 0 {}
    Ok(())
}

async fn fan_out(tx: &Tx<'_>, space: SpaceId, wait: Wait, entropy: &dyn Entropy, at: Timestamp) -> Result<FanOutBatch> {
    let Some(cursor) = fan_out::lock_cursor(tx, space, wait).await? else { return Ok(FanOutBatch::default()) };
    let events = fan_out::list_next(tx, space, cursor, EVENTS).await?;
    let Some(last) = events.last() else { return Ok(FanOutBatch::default()) };
    let webhooks = webhooks::list(tx, space).await?;
    let new = build_deliveries(space, &events, &webhooks, entropy)?;
    let deliveries = if new.is_empty() { 0 } else { deliveries::add(tx, &new, at).await? };
    fan_out::move_cursor(tx, space, last.seq).await?;
    Ok(FanOutBatch { events: events.len(), deliveries })
}

/// One delivery of each event for each webhook that is subscribed to it.
fn build_deliveries(space: SpaceId, events: &[NextEvent], webhooks: &[Webhook], entropy: &dyn Entropy) -> Result<Vec<NewDelivery>> {
    let mut deliveries = Vec::new();
    for NextEvent { seq, happened_at, event } in events {
        for webhook in webhooks.iter().filter(|webhook| webhook.settings.is_subscribed_to(event.kind)) {
            let id = DeliveryId::new(entropy);
            deliveries.push(NewDelivery {
                id,
                receiver: webhook.receiver,
                event: event.kind.into_str(),
                key: event.story_id.to_string(),
                content_type: "application/json",
                body: payload(space, event, *happened_at, id)?,
                origin_seq: Some(*seq),
                happened_at: *happened_at,
            });
        }
    }
    Ok(deliveries)
}
