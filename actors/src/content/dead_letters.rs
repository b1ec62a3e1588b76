//! Dead letters of webhooks: each is an entry of its space's audit log. A receiver that answered that it is gone (410) is paused as well, with
//! an entry of its own.

use super::{CommandContext, SpaceCommand, SpaceRouter};
use crate::deliveries::{DeadLetter, DeadLetterHandler, dead_letter::OrphanDeadLetters};
use domain::{
    content::{Changes, webhook::Webhook},
    shared::{Actor, Fault, Kind, Origin, ReceiverId, SharedClock, SpaceId},
};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream};
use serde_json::json;
use std::collections::{BTreeMap, btree_map::Entry};
use storage::{
    Store,
    content::webhooks,
    shared::deliveries::{AttemptRecord, mark_dead},
};

/// In how many spaces dead letters are written at a time: one that does not get on holds up no other.
const CONCURRENT_SPACES: usize = 8;

/// A dead letter and its webhook.
type Owned = (Webhook, DeadLetter);

/// Gives up deliveries of webhooks.
pub(crate) struct WebhookDeadLetters {
    pub(crate) spaces: SpaceRouter,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
}

impl DeadLetterHandler for WebhookDeadLetters {
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>> {
        self.mark_all_dead(letters).boxed()
    }
}

impl WebhookDeadLetters {
    /// One command for each space. A failure in one holds up no other; the first one is returned.
    async fn mark_all_dead(&self, letters: Vec<DeadLetter>) -> Result<(), Fault> {
        let (by_space, mut orphans) = self.group_by_space(letters).await?;
        let mark_in_space = |(space, letters): (SpaceId, Vec<Owned>)| async move {
            let copies: Vec<DeadLetter> = letters.iter().map(|(_, letter)| letter.clone()).collect();
            let outcome = self.spaces.execute(space, Actor::system("webhooks"), Origin::default(), MarkDead(letters)).await;
            (copies, outcome)
        };
        let mut outcome = Ok(());
        let mut outcomes = stream::iter(by_space).map(mark_in_space).buffer_unordered(CONCURRENT_SPACES);
        while let Some((letters, in_space)) = outcomes.next().await {
            match in_space {
                // The space was deleted meanwhile, and its log is closed.
                Err(fault) if fault.kind == Kind::NotFound => orphans.extend(letters),
                in_space => outcome = outcome.and(in_space),
            }
        }
        if !orphans.is_empty() {
            let handler = OrphanDeadLetters { store: self.store.clone(), clock: self.clock.clone() };
            outcome = outcome.and(handler.mark_dead(orphans).await);
        }
        outcome
    }

    /// The letters by the space of their webhook, and those whose webhook is gone.
    async fn group_by_space(&self, letters: Vec<DeadLetter>) -> storage::Result<(BTreeMap<SpaceId, Vec<Owned>>, Vec<DeadLetter>)> {
        let connection = self.store.connection("webhook.find_owner").await?;
        let mut owners: BTreeMap<ReceiverId, Option<(SpaceId, Webhook)>> = BTreeMap::new();
        let mut by_space: BTreeMap<SpaceId, Vec<Owned>> = BTreeMap::new();
        let mut orphans = Vec::new();
        for letter in letters {
            let receiver = letter.delivery.receiver;
            let owner = match owners.entry(receiver) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(entry) => entry.insert(webhooks::find_owner(&connection, receiver).await?),
            };
            match owner {
                Some((space, webhook)) => by_space.entry(*space).or_default().push((webhook.clone(), letter)),
                None => orphans.push(letter),
            }
        }
        Ok((by_space, orphans))
    }
}

/// Marks deliveries of a space's webhooks dead.
struct MarkDead(Vec<Owned>);

impl SpaceCommand for MarkDead {
    type Output = ();

    const NAME: &'static str = "webhook.dead_letter";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let records: Vec<AttemptRecord> = self.0.iter().map(|(_, letter)| letter.record.clone()).collect();
        let marked = mark_dead(ctx.tx, &records, ctx.now).await?;
        let mut changes = Changes::default();
        for (webhook, letter) in self.0.iter().filter(|(_, letter)| marked.contains(&letter.record.lease)) {
            let (delivery, record) = (&letter.delivery, &letter.record);
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
            if letter.is_gone && webhooks::pause(ctx.tx, ctx.space, webhook, &delivery.url, ctx.now).await? {
                let meta = json!({ "reason": "gone", "delivery_id": delivery.id.to_string(), "status": record.status });
                changes = changes.and_audit("webhook.paused", "webhook", webhook.id, label, meta);
            }
        }
        Ok(((), changes))
    }
}
